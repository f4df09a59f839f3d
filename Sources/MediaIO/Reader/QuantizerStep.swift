import CLibAV
import Glibc

/// Returns the mean quantizer step of a decoded frame's luma, in 8-bit code values of an orthonormal transform; nil for
/// codecs other than H.264.
///
/// In H.264 (ITU-T H.264, 8.5.9), the step is 0.625 for a quantization parameter of 0 and doubles every 6; higher bit
/// depths add 6 for each bit.
///
/// - Parameters:
///   - frame: a frame from a decoder that exports encoding parameters.
///   - bitDepth: the frame's bit depth.
func quantizerStep(of frame: FrameHandle, bitDepth: Int) -> Float? {
    guard let data = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_VIDEO_ENC_PARAMS),
        let bytes = data.pointee.data, data.pointee.size >= MemoryLayout<AVVideoEncParams>.size
    else { return nil }
    let parameters = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: AVVideoEncParams.self)
    guard parameters.pointee.type == AV_VIDEO_ENC_PARAMS_H264, parameters.pointee.nb_blocks > 0 else { return nil }
    var sum = 0
    for index in 0..<parameters.pointee.nb_blocks {
        guard let block = av_video_enc_params_block(parameters, index) else { return nil }
        sum += Int(block.pointee.delta_qp)
    }
    let mean = Float(parameters.pointee.qp) + Float(sum) / Float(parameters.pointee.nb_blocks)
    return 0.625 * exp2f(mean / 6 - Float(bitDepth - 8))
}
