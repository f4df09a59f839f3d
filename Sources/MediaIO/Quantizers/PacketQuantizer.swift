import CLibAV

/// Reads how coarsely keyframes quantize luma from their packets, for codecs whose decoders in libav do not export it.
struct PacketQuantizer {
    private enum Codec {
        case hevc(HEVCQuantizer)
        case av1(AV1Quantizer)
    }

    private var codec: Codec

    /// - Parameter parameters: those of the stream; nil is returned for other codecs than HEVC and AV1.
    init?(_ parameters: AVCodecParameters) {
        let extradata = UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size)))
        // Parameter sets take a few hundred bytes.
        self.init(parameters.codec_id, extradata: Array(extradata.prefix(1 << 16)))
    }

    /// - Parameters:
    ///   - identifier: the codec.
    ///   - extradata: what a container holds beside the packets.
    init?(_ identifier: AVCodecID, extradata: [UInt8]) {
        switch identifier {
        case AV_CODEC_ID_HEVC: codec = .hevc(HEVCQuantizer(extradata: extradata))
        case AV_CODEC_ID_AV1: codec = .av1(AV1Quantizer(extradata: extradata))
        default: return nil
        }
    }

    /// Returns the mean quantizer step in 8-bit code values of an orthonormal transform, as in an H.264 picture with
    /// comparable artefacts; nil if it is not known.
    ///
    /// Filters that reach farther than those of H.264, and larger transforms, leave fewer artefacts. With these parts of the
    /// codecs' own steps, cleaning comes closest to the truth (six clips, x265 with CRF 26 and 32, SVT-AV1 with 35 and 50).
    mutating func step(of packet: UnsafeBufferPointer<UInt8>) -> Float? {
        switch codec {
        case .hevc(var quantizer):
            defer { codec = .hevc(quantizer) }
            // The parameter counts from that of 8 bits, as the step in 8-bit code values does.
            return quantizer.parameter(of: packet).map { 0.35 * h264QuantizerStep(parameter: Float($0), bitDepth: 8) }
        case .av1(var quantizer):
            defer { codec = .av1(quantizer) }
            return quantizer.index(of: packet).map { 0.6 * vp9QuantizerStep(index: Float($0)) }
        }
    }
}
