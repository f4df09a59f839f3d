import CLibAV
import Glibc

/// Returns the mean quantizer step of a decoded frame's luma, in 8-bit code values of an orthonormal transform, as in an
/// H.264 picture with comparable artefacts; nil for codecs other than H.264 and VP9.
///
/// - Parameters:
///   - frame: a frame from a decoder that exports encoding parameters.
///   - bitDepth: the frame's bit depth.
func quantizerStep(of frame: FrameHandle, bitDepth: Int) -> Float? {
    guard let data = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_VIDEO_ENC_PARAMS),
        let bytes = data.pointee.data, data.pointee.size >= MemoryLayout<AVVideoEncParams>.size
    else { return nil }
    let parameters = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: AVVideoEncParams.self)
    let base = Float(parameters.pointee.qp)
    switch parameters.pointee.type {
    case AV_VIDEO_ENC_PARAMS_H264:
        return meanDelta(parameters).map { h264QuantizerStep(parameter: base + $0, bitDepth: bitDepth) }
    case AV_VIDEO_ENC_PARAMS_VP9:
        // Without segments there are no blocks. Large transforms and a loop filter that reaches far leave fewer artefacts, so
        // only a part of the step counts; `Training/Restoration` was trained with this part.
        return 0.6 * vp9QuantizerStep(index: base + (meanDelta(parameters) ?? 0))
    default: return nil
    }
}

/// Returns the mean difference of the blocks' quantization parameters from that of the frame, weighted by their areas; nil
/// if there are no blocks.
private func meanDelta(_ parameters: UnsafeMutablePointer<AVVideoEncParams>) -> Float? {
    var sum = 0, area = 0
    for index in 0..<parameters.pointee.nb_blocks {
        guard let block = av_video_enc_params_block(parameters, index)?.pointee else { return nil }
        let size = Int(block.w) * Int(block.h)
        sum += Int(block.delta_qp) * size
        area += size
    }
    return area > 0 ? Float(sum) / Float(area) : nil
}

/// Returns the step of a quantization parameter of H.264 (ITU-T H.264, 8.5.9): 0.625 for 0, twice as much for each 6;
/// higher bit depths add 6 for each bit.
func h264QuantizerStep(parameter: Float, bitDepth: Int) -> Float {
    0.625 * exp2f(parameter / 6 - Float(bitDepth - 8))
}

/// Returns the step of a quantizer index of VP9, within 2 %: an eighth of the value that table `ac_qlookup` of the VP9
/// bitstream specification (8.6.1) gives for 8 bits. For higher bit depths, its values grow with the range of samples.
package func vp9QuantizerStep(index: Float) -> Float {
    let knots: [(index: Float, value: Float)] = [
        (0, 7), (95, 102), (120, 152), (144, 231), (176, 408), (208, 743), (240, 1369), (255, 1828),
    ]
    let index = min(max(index, 1), 255)
    let upper = knots.indices.dropFirst().first { index <= knots[$0].index } ?? knots.endIndex - 1
    let (a, b) = (knots[upper - 1], knots[upper])
    let part = (index - a.index) / (b.index - a.index)
    // Values grow by one at first, and geometrically later.
    return (upper == 1 ? a.value + part * (b.value - a.value) : a.value * powf(b.value / a.value, part)) / 8
}
