import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Engines use the kernels of the context that they are made with, and the result does not depend on them.
@Suite struct LevelTests {
    private static let size = FrameDimensions(width: 90, height: 70)

    private static func frames() throws -> [PixelBuffer] {
        let scene = MovingScene.translation(5, -3, seed: 7)
        return try (0..<3).map { try scene.picture(Float($0), width: size.width, height: size.height) }
    }

    /// What all engines make of three frames at high quality.
    private static func made(_ context: ExecutionContext) throws -> [PixelBuffer] {
        let frames = try frames(), format = frames[0].format
        let interpolation = try FrameRateConversionConfiguration(unchecked: size, qualityPrioritization: .quality)
            .makeEffect(format: format, context: context)
        let outcome = try interpolation.interpolate(
            from: frames[0], to: frames[1], phases: [0.25, 0.5], relation: .none)
        let blur = try MotionBlurConfiguration(
            unchecked: size, qualityPrioritization: .quality, linearLight: true
        ).makeEffect(format: format, context: context)
        let blurred = try blur.blur(
            frames[1], previous: frames[0], next: frames[2], color: .unspecified, strength: 80, relation: .none)
        let filter = try TemporalNoiseFilterConfiguration(unchecked: frames[1], qualityPrioritization: .quality)
            .makeEffect(format: format, context: context)
        let filtered = try filter.filter(
            frames[1], previous: [frames[0]], next: [frames[2]], noise: .strength(0.5))
        let scaler = try SuperResolutionScalerConfiguration(
            unchecked: UpscalingGeometry(source: size, factor: Rational(2, 1)), inputType: .video,
            qualityPrioritization: .quality
        ).makeEffect(format: format, context: context)
        let first = try scaler.upscale(frames[0], color: .unspecified, next: frames[1])
        let second = try scaler.upscale(
            frames[1], color: .unspecified, reference: .init(source: frames[0], output: first), next: frames[2],
            relation: .follows)
        let deinterlaced = try DeinterlacerEngine(
            format: format, width: size.width, height: size.height, quality: .quality, context: context
        ).pictures(of: frames[1], previous: frames[0], next: frames[2], order: .topFirst, count: 2)
        return outcome.pictures + [blurred, filtered, first, second] + deinterlaced
    }

    @Test(arguments: KernelTable.all.dropFirst()) func enginesMakeTheSameAtEachLevel(_ table: KernelTable) throws {
        let plain = try Self.made(ExecutionContext(threads: 1, kernels: KernelTable.all[0]))
        let made = try Self.made(ExecutionContext(threads: 2, kernels: table))
        #expect(plain.count == 8 && made.count == plain.count)
        for (index, picture) in made.enumerated() {
            #expect(picture.hasSameSamples(as: plain[index]), "picture \(index) at \(table.name)")
        }
    }
}
