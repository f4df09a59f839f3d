import CLibAV
import FrameCore

extension FieldOrder {
    /// The field order that a decoded frame states; nil if it is progressive.
    init?(_ frame: UnsafePointer<AVFrame>) {
        guard vfx_frame_is_interlaced(frame) != 0 else { return nil }
        self = vfx_frame_is_top_field_first(frame) != 0 ? .topFirst : .bottomFirst
    }

    /// The field order of a decoded frame of a stream; nil if it is progressive.
    ///
    /// Most codecs for interlaced video mark each frame. The frames of the others are what the container says of all of
    /// them.
    init?(_ frame: UnsafePointer<AVFrame>, in stream: UnsafePointer<AVStream>) {
        let parameters = stream.pointee.codecpar?.pointee ?? AVCodecParameters()
        // Marked frames of HEVC are single fields, so their rows are neighbours.
        if parameters.codec_id == AV_CODEC_ID_HEVC { return nil }
        let stated = FieldOrder(frame)
        if !Self.markingCodecs.contains(parameters.codec_id.rawValue),
            let advised = FieldOrder(parameters.field_order)
        {
            self = advised
        } else if let stated {
            self = stated
        } else {
            return nil
        }
    }

    /// The codecs whose frames say themselves whether they are interlaced.
    private static let markingCodecs = Set(
        [
            AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H264, AV_CODEC_ID_VC1,
            AV_CODEC_ID_WMV3, AV_CODEC_ID_PRORES, AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_DNXHD, AV_CODEC_ID_FFV1,
            AV_CODEC_ID_CAVS, AV_CODEC_ID_DIRAC,
        ].map(\.rawValue))

    /// Which field is shown first according to libavcodec; nil if that is unknown, or the video is progressive.
    private init?(_ order: AVFieldOrder) {
        switch VideoStreamInfo.FieldOrder(order) {
        case .topFirst: self = .topFirst
        case .bottomFirst: self = .bottomFirst
        case .progressive, nil: return nil
        }
    }
}
