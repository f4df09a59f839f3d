import FrameCore
import FrameEffects
import Imaging
import TestSupport
import Testing

/// Opaque frames: alpha changes no color, and stays opaque.
@Suite struct OpaqueAlphaTests {
    /// Formats without alpha.
    static let formats: [PixelFormat] = [8, 10, 12, 16].flatMap { depth in
        [
            try? PixelFormat(subsampling: .yuv420, bitDepth: depth), try? PixelFormat(rgbDepth: depth),
            try? PixelFormat(subsampling: depth == 8 ? .yuv422 : .monochrome, bitDepth: depth),
        ].compactMap(\.self)
    }
    private static let scene = BlurScene.square(7, -3).scene
    private let size = FrameDimensions(width: 131, height: 75)

    /// Runs an effect on frames −1, 0, 1 and 2 without and with alpha, and compares the results.
    private func compare(
        _ format: PixelFormat, _ effect: (PixelFormat, [PixelBuffer]) throws -> [PixelBuffer]
    ) throws {
        let plain = try (-1...2).map {
            try Self.scene.picture(Float($0), format, width: size.width, height: size.height)
        }
        let wanted = try effect(format, plain), made = try effect(format.withAlpha, plain.map(AlphaPicture.opaque))
        #expect(made.count == wanted.count && !made.isEmpty)
        for (picture, colors) in zip(made, wanted) {
            #expect(picture.format == format.withAlpha && picture.isOpaque)
            #expect(picture.withoutAlpha.hasSameSamples(as: colors), "\(format)")
        }
    }

    @Test(arguments: formats) func interpolation(_ format: PixelFormat) throws {
        for quality in [QualityPrioritization.normal, .quality] {
            try compare(format) { try interpolate($1[1], $1[2], [0.25, 0.5], quality: quality).pictures }
        }
    }

    @Test(arguments: formats) func lowLatencyInterpolation(_ format: PixelFormat) throws {
        try compare(format) {
            try LowLatencyFrameInterpolationEngine(format: $0, size: size, geometry: nil, context: .init(threads: 2))
                .interpolate(from: $1[1], to: $1[2], color: .unspecified, phases: [0.5], relation: .none).pictures
        }
    }

    @Test(arguments: formats, [false, true]) func blur(_ format: PixelFormat, linearLight: Bool) throws {
        try compare(format) {
            let engine = try MotionBlurEngine(
                format: $0, width: size.width, height: size.height, quality: .normal, linearLight: linearLight,
                context: .init(threads: 2))
            return [
                try engine.blur(
                    $1[1], previous: $1[0], next: $1[2], color: .unspecified, strength: 80, relation: .none)
            ]
        }
    }

    @Test(arguments: formats) func denoising(_ format: PixelFormat) throws {
        for quality in [QualityPrioritization.normal, .quality] {
            try compare(format) { format, frames in
                try [NoiseLevel.automatic, .sigma(6)].map {
                    try TemporalNoiseFilterEngine(
                        format: format, width: size.width, height: size.height, quality: quality,
                        context: .init(threads: 2)
                    ).filter(frames[1], previous: [frames[0]], next: [frames[2]], noise: $0)
                }
            }
        }
    }

    @Test(arguments: formats) func deinterlacing(_ format: PixelFormat) throws {
        try compare(format) {
            try DeinterlacerEngine(
                format: $0, width: size.width, height: size.height, quality: .normal, context: .init(threads: 2)
            ).pictures(of: $1[1], previous: $1[0], next: $1[2], order: .topFirst, count: 2)
        }
    }

    @Test(arguments: formats) func upscaling(_ format: PixelFormat) throws {
        let output = FrameDimensions(width: 2 * size.width, height: 2 * size.height)
        for model in [SuperResolutionNetwork.Model.small, .large] {
            try compare(format) {
                let engine = try SuperResolutionScalerEngine(
                    format: $0, size: size, outputSize: output, model: model, isStill: false,
                    context: .init(threads: 2))
                let first = try engine.upscale($1[1], color: .unspecified, next: $1[2])
                let second = try engine.upscale(
                    $1[2], color: .unspecified, reference: .init(source: $1[1], output: first), next: $1[3],
                    relation: .follows)
                return [first, second]
            }
        }
    }
}
