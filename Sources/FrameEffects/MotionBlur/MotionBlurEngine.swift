package import FrameCore
package import Motion

/// Exposes a frame for a share of the time between its neighbours. This one hands the frame back as it is.
package final class MotionBlurEngine {
    package init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, linearLight: Bool, threads: Int
    ) throws(FrameError) {}

    /// - Parameters:
    ///   - strength: 1…100, in units of 3.6° of shutter angle.
    ///   - relation: `.follows` when `next` of the last call is `current` of this one.
    package func blur(
        _ current: PixelBuffer, previous: PixelBuffer?, next: PixelBuffer?, color: ColorDescription, strength: Int,
        relation: PairRelation, previousFlow: OpticalFlow? = nil, nextFlow: OpticalFlow? = nil
    ) throws(FrameError) -> PixelBuffer {
        current
    }
}
