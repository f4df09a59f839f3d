import FrameCore
import FrameEffects
import Motion
import TestSupport

/// Frames −1, 0 and 1 of a scene, and the true result of an exposure.
struct BlurScene {
    let scene: MovingScene
    var format = PixelFormat.yuv420p8
    var width = 192
    var height = 144

    func frame(_ time: Float) throws -> PixelBuffer {
        try scene.picture(time, format, width: width, height: height)
    }

    /// Blurs the middle frame.
    func blurred(
        _ strength: Int = 100, quality: QualityPrioritization = .quality, linearLight: Bool = false,
        color: ColorDescription = .unspecified, threads: Int = 2, hasPrevious: Bool = true, hasNext: Bool = true
    ) throws -> PixelBuffer {
        let engine = try MotionBlurEngine(
            format: format, width: width, height: height, quality: quality, linearLight: linearLight,
            context: .init(threads: threads))
        return try engine.blur(
            frame(0), previous: hasPrevious ? frame(-1) : nil, next: hasNext ? frame(1) : nil, color: color,
            strength: strength, relation: .none)
    }

    /// Returns the mean of 64 pictures at evenly spaced times of the exposure.
    func truth(_ strength: Int = 100) throws -> PixelBuffer {
        let level = scene.level, reach = Float(strength) / 200, count: Float = 64
        let mean = MovingScene { plane, x, y, _ in
            var sum: Float = 0
            for i in 0..<Int(count) {
                sum += level(plane, x, y, reach * (2 * (Float(i) + 0.5) / count - 1))
            }
            return sum / count
        }
        return try mean.picture(0, format, width: width, height: height)
    }

    /// Returns the PSNR of a picture and of the sharp frame, compared with the truth, in dB.
    func against(
        _ made: PixelBuffer, _ strength: Int = 100, plane: Int = 0, where counts: ((Int, Int) -> Bool)? = nil
    ) throws -> (blurred: Double, sharp: Double) {
        let truth = try truth(strength)
        return (
            PictureDifference(made, truth, plane: plane, where: counts).psnr,
            PictureDifference(try frame(0), truth, plane: plane, where: counts).psnr
        )
    }

    /// A textured 60-pixel square that moves over a still background.
    static func square(_ dx: Float, _ dy: Float) -> BlurScene {
        let front = NoiseTexture.planes(3), behind = NoiseTexture.planes(4)
        return BlurScene(
            scene: MovingScene { plane, x, y, t in
                let u = x - dx * t, v = y - dy * t
                let isInside = abs(u - 96) < 30 && abs(v - 72) < 30
                return isInside ? front[plane].value(u, v) : behind[plane].value(x, y)
            })
    }
}
