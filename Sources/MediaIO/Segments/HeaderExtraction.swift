import CLibAV
import FrameCore

/// Attaches the codec's header to the packets that contain it, for encoders that return it with their first packet
/// instead of when they are opened, as libaom does. Muxers need it, and segment files keep only the packets' bytes.
final class HeaderExtraction {
    private let filter: UnsafeMutablePointer<AVBSFContext>

    /// - Parameter encoder: an open encoder with the settings of the packets.
    /// - Returns: nil for codecs other than AV1, whose encoders return a header at once or have none.
    init?(_ encoder: VideoEncoder) throws(FrameError) {
        guard encoder.codec.pointer.pointee.codec_id == AV_CODEC_ID_AV1 else { return nil }
        var context: UnsafeMutablePointer<AVBSFContext>?
        try check(
            av_bsf_alloc(av_bsf_get_by_name("extract_extradata"), &context), .allocation, "no memory for a filter")
        filter = try allocated(context, "a filter")
        try check(
            avcodec_parameters_from_context(filter.pointee.par_in, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        try check(av_bsf_init(filter), .encode, "the encoder's header cannot be read")
    }

    deinit {
        var context: UnsafeMutablePointer<AVBSFContext>? = filter
        av_bsf_free(&context)
    }

    /// Attaches the header to a packet that contains it.
    func apply(to packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        try check(av_bsf_send_packet(filter, packet), .encode, "the encoder's header cannot be read")
        try check(av_bsf_receive_packet(filter, packet), .encode, "the encoder's header cannot be read")
    }
}
