import CLibAV

/// Reads how coarsely keyframes quantize luma from their packets, for codecs whose decoders in libav do not export it.
package struct PacketQuantizer {
    /// The codecs whose headers are read.
    package enum Codec: Sendable {
        case hevc
        case av1
    }

    private enum Header {
        case hevc(HEVCQuantizer)
        case av1(AV1Quantizer)
    }

    private var header: Header

    /// - Parameter parameters: those of the stream; nil is returned for other codecs.
    init?(_ parameters: AVCodecParameters) {
        let extradata = UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        // Parameter sets take a few hundred bytes.
        let start = Array(extradata.prefix(1 << 16))
        switch parameters.codec_id {
        case AV_CODEC_ID_HEVC: self.init(.hevc, extradata: start)
        case AV_CODEC_ID_AV1: self.init(.av1, extradata: start)
        default: return nil
        }
    }

    /// - Parameter extradata: what a container holds beside the packets.
    package init(_ codec: Codec, extradata: [UInt8]) {
        header =
            switch codec {
            case .hevc: .hevc(HEVCQuantizer(extradata: extradata))
            case .av1: .av1(AV1Quantizer(extradata: extradata))
            }
    }

    /// Returns the mean quantizer step in 8-bit code values of an orthonormal transform, as in an H.264 picture with
    /// comparable artefacts; nil if it is not known.
    ///
    /// Filters that reach farther than those of H.264, and larger transforms, leave fewer artefacts. With these parts of the
    /// codecs' own steps, cleaning comes closest to the truth (six clips, x265 with CRF 26 and 32, SVT-AV1 with 35 and 50).
    package mutating func step(of packet: UnsafeBufferPointer<UInt8>) -> Float? {
        switch header {
        case .hevc(var quantizer):
            defer { header = .hevc(quantizer) }
            // The parameter counts from that of 8 bits, as the step in 8-bit code values does.
            return quantizer.parameter(of: packet).map { 0.35 * h264QuantizerStep(parameter: Float($0), bitDepth: 8) }
        case .av1(var quantizer):
            defer { header = .av1(quantizer) }
            return quantizer.index(of: packet).map { 0.6 * vp9QuantizerStep(index: Float($0)) }
        }
    }
}
