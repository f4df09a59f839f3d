import CLibAV
package import FrameCore
import Imaging

extension Rational {
    /// Converts a rational; nil for libav's "unknown" (a numerator or denominator of 0 or less).
    init?(_ q: AVRational) {
        guard q.num > 0, q.den > 0 else { return nil }
        self.init(q.num, q.den)
    }

    var av: AVRational { AVRational(num: numerator, den: denominator) }
}

/// Returns a libav timestamp; nil for `AV_NOPTS_VALUE`.
func known(_ timestamp: Int64) -> Int64? { timestamp == vfx_av_no_time ? nil : timestamp }

extension String {
    init(nullTerminated characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Copies a C string; empty for a null pointer.
    init(c pointer: UnsafePointer<CChar>?) { self = pointer.map { String(cString: $0) } ?? "" }
}

extension ColorDescription {
    init(frame: AVFrame) {
        self.init(
            frame.colorspace, frame.color_primaries, frame.color_trc, frame.color_range, frame.chroma_location,
            pixelFormat: frame.format)
    }

    init(_ parameters: AVCodecParameters) {
        self.init(
            parameters.color_space, parameters.color_primaries, parameters.color_trc, parameters.color_range,
            parameters.chroma_location, pixelFormat: parameters.format)
    }

    private init(
        _ matrix: AVColorSpace, _ primaries: AVColorPrimaries, _ transfer: AVColorTransferCharacteristic,
        _ range: AVColorRange, _ location: AVChromaLocation, pixelFormat: Int32
    ) {
        let name = String(c: av_get_pix_fmt_name(AVPixelFormat(rawValue: pixelFormat)))
        self.init(
            matrix: MatrixCoefficients(rawValue: UInt8(truncatingIfNeeded: matrix.rawValue)),
            primaries: ColorPrimaries(rawValue: UInt8(truncatingIfNeeded: primaries.rawValue)),
            transfer: TransferCharacteristics(rawValue: UInt8(truncatingIfNeeded: transfer.rawValue)),
            range: name.hasPrefix("yuvj") ? .full : Range(range), chromaLocation: ChromaLocation(location))
    }

    func apply(to frame: inout AVFrame) {
        frame.colorspace = AVColorSpace(rawValue: UInt32(matrix.rawValue))
        frame.color_primaries = AVColorPrimaries(rawValue: UInt32(primaries.rawValue))
        frame.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(transfer.rawValue))
        frame.color_range = range.av
        frame.chroma_location = chromaLocation.av
    }

    func apply(to context: inout AVCodecContext) {
        context.colorspace = AVColorSpace(rawValue: UInt32(matrix.rawValue))
        context.color_primaries = AVColorPrimaries(rawValue: UInt32(primaries.rawValue))
        context.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(transfer.rawValue))
        context.color_range = range.av
        context.chroma_sample_location = chromaLocation.av
    }

    /// libavutil's names of matrix, primaries and transfer: `unspecified` for code 2, and the number for a code without
    /// a name.
    package var names: (matrix: String, primaries: String, transfer: String) {
        func name(_ code: UInt8, _ text: UnsafePointer<CChar>?) -> String {
            code == 2 ? "unspecified" : text.map { String(c: $0) } ?? String(code)
        }
        return (
            name(matrix.rawValue, av_color_space_name(AVColorSpace(rawValue: UInt32(matrix.rawValue)))),
            name(primaries.rawValue, av_color_primaries_name(AVColorPrimaries(rawValue: UInt32(primaries.rawValue)))),
            name(
                transfer.rawValue,
                av_color_transfer_name(AVColorTransferCharacteristic(rawValue: UInt32(transfer.rawValue))))
        )
    }
}

extension ColorDescription.Range {
    init(_ range: AVColorRange) {
        switch range {
        case AVCOL_RANGE_MPEG: self = .limited
        case AVCOL_RANGE_JPEG: self = .full
        default: self = .unspecified
        }
    }

    var av: AVColorRange {
        switch self {
        case .unspecified: AVCOL_RANGE_UNSPECIFIED
        case .limited: AVCOL_RANGE_MPEG
        case .full: AVCOL_RANGE_JPEG
        }
    }
}

extension ColorDescription.ChromaLocation {
    private static let inOrder: [Self] = [.unspecified, .left, .center, .topLeft, .top, .bottomLeft, .bottom]

    init(_ location: AVChromaLocation) {
        let index = Int(location.rawValue)
        self = Self.inOrder.indices.contains(index) ? Self.inOrder[index] : .unspecified
    }

    var av: AVChromaLocation { AVChromaLocation(rawValue: UInt32(Self.inOrder.firstIndex(of: self) ?? 0)) }

    /// Position of the first chroma sample relative to the first luma sample, in 1/256 luma sample, as swscale expects
    /// it.
    var swscaleOffset: (horizontal: Int64, vertical: Int64) {
        return (Int64(256 * (siting.horizontal + 0.5)), Int64(256 * (siting.vertical + 0.5)))
    }
}
