import CLibAV
import FrameCore

extension ColorDescription {
    init(frame: AVFrame) {
        self.init(
            matrix: UInt8(truncatingIfNeeded: frame.colorspace.rawValue),
            primaries: UInt8(truncatingIfNeeded: frame.color_primaries.rawValue),
            transfer: UInt8(truncatingIfNeeded: frame.color_trc.rawValue), range: Range(frame.color_range),
            chromaLocation: ChromaLocation(frame.chroma_location))
        let name = String(c: av_get_pix_fmt_name(AVPixelFormat(rawValue: frame.format)))
        if name.hasPrefix("yuvj") { range = .full }
    }

    func apply(to frame: inout AVFrame) {
        frame.colorspace = AVColorSpace(rawValue: UInt32(matrix))
        frame.color_primaries = AVColorPrimaries(rawValue: UInt32(primaries))
        frame.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(transfer))
        frame.color_range = range.av
        frame.chroma_location = chromaLocation.av
    }

    func apply(to context: inout AVCodecContext) {
        context.colorspace = AVColorSpace(rawValue: UInt32(matrix))
        context.color_primaries = AVColorPrimaries(rawValue: UInt32(primaries))
        context.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(transfer))
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
        switch self {
        case .unspecified, .left: (0, 128)
        case .center: (128, 128)
        case .topLeft: (0, 0)
        case .top: (128, 0)
        case .bottomLeft: (0, 256)
        case .bottom: (128, 256)
        }
    }
}
