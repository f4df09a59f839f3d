import CLibAV
import FrameCore
import Imaging

extension ColorDescription {
    init(frame: AVFrame) {
        self.init(
            matrix: MatrixCoefficients(rawValue: UInt8(truncatingIfNeeded: frame.colorspace.rawValue)),
            primaries: ColorPrimaries(rawValue: UInt8(truncatingIfNeeded: frame.color_primaries.rawValue)),
            transfer: TransferCharacteristics(rawValue: UInt8(truncatingIfNeeded: frame.color_trc.rawValue)),
            range: Range(frame.color_range),
            chromaLocation: ChromaLocation(frame.chroma_location))
        let name = String(c: av_get_pix_fmt_name(AVPixelFormat(rawValue: frame.format)))
        if name.hasPrefix("yuvj") { range = .full }
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

    /// Offset of the first chroma sample from the first luma sample in 1/256 of a luma pixel, as swscale counts it.
    var swscaleOffset: (horizontal: Int64, vertical: Int64) {
        return (Int64(256 * (siting.horizontal + 0.5)), Int64(256 * (siting.vertical + 0.5)))
    }
}
