import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Interpolates frames between two pictures with an engine for their format and size.
func interpolate(
    _ a: PixelBuffer, _ b: PixelBuffer, _ phases: [Float] = [0.5], quality: QualityPrioritization = .quality,
    threads: Int = 2
) throws -> FrameRateConversionEngine.Outcome {
    let engine = try FrameRateConversionEngine(
        format: a.format, width: a.width, height: a.height, quality: quality, context: .init(threads: threads))
    return try engine.interpolate(from: a, to: b, phases: phases, relation: .none)
}

/// How close interpolated frames and the best result without motion are to the truth.
struct AgainstTruth {
    /// PSNR of the interpolated frame for each plane, in dB.
    var made: [Double] = []
    /// PSNR of the better of cross-fade and repetition for each plane, in dB.
    var withoutMotion: [Double] = []

    /// - Parameter region: selects the luma samples that count; nil for all.
    init(
        _ scene: MovingScene, _ phase: Float, made: PixelBuffer, from a: PixelBuffer, to b: PixelBuffer,
        region: ((Int, Int) -> Bool)? = nil
    ) throws {
        let format = made.format
        let truth = try scene.picture(phase, format, width: made.width, height: made.height)
        let faded = try crossFade(
            from: a, to: b, phase: phase,
            pool: PixelBufferPool(format: format, width: made.width, height: made.height))
        for plane in 0..<format.planeCount {
            let (sx, sy) = format.shift(plane)
            let counts = region.map { region in { (x: Int, y: Int) in region(x << sx, y << sy) } }
            func psnr(_ picture: PixelBuffer) -> Double {
                PictureDifference(picture, truth, plane: plane, where: counts).psnr
            }
            self.made.append(psnr(made))
            withoutMotion.append(max(psnr(faded), psnr(phase < 0.5 ? a : b)))
        }
    }
}

/// Whether every sample is in the format's range.
func isWithinRange(_ picture: PixelBuffer) -> Bool {
    (0..<picture.format.planeCount).allSatisfy { plane in
        picture.samples(ofPlane: plane).allSatisfy { Int($0) <= picture.format.maximumValue }
    }
}

extension InterpolationModeCounts {
    var total: Int { bothSides + oneSide + blended + repeated }
}
