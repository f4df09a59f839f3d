import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Noise that is measured once and used later, as text.
@Suite struct NoiseModelTests {
    private static func clip(_ format: PixelFormat = .yuv420p8) throws -> NoisyClip {
        try NoisyClip(.translation(4, -2), sigma: 6, count: 7, format)
    }

    private static func model(_ frames: [PixelBuffer]) throws -> NoiseModel {
        let engine = try TemporalNoiseFilterEngine(
            format: frames[0].format, width: frames[0].width, height: frames[0].height, quality: .normal,
            context: .init(threads: 2))
        return try engine.estimate(frames, at: 3)
    }

    /// The model of a frame removes what is removed when the noise is measured in that frame, at every depth.
    @Test(arguments: [8, 10]) func isWhatIsMeasured(depth: Int) throws {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let clip = try Self.clip(format), model = try NoiseModel(text: Self.model(clip.noisy).text)
        let measured = try clip.filtered(3, .automatic), given = try clip.filtered(3, .model(model))
        #expect(given.picture.hasSameSamples(as: measured.picture) && given.sigma == measured.sigma)
        let half = try clip.filtered(3, .model(model, strength: 0.5))
        #expect(try half.picture.hasSameSamples(as: clip.filtered(3, .strength(0.5)).picture))
        #expect(try clip.filtered(3, .model(model, strength: 0)).picture.hasSameSamples(as: clip.noisy[3]))
        // Another model removes something else, also from the pilots of the higher quality.
        let engine = try TemporalNoiseFilterEngine(
            format: format, width: 208, height: 144, quality: .quality, context: .init(threads: 2))
        func filtered(_ noise: NoiseLevel) throws -> PixelBuffer {
            try engine.filter(
                clip.noisy[3], previous: Array(clip.noisy[..<3]), next: Array(clip.noisy[4...]), noise: noise)
        }
        let lines = model.text.split(separator: "\n").map { line in
            line.hasPrefix("deviations") ? "deviations" + String(repeating: " 20", count: 16) : String(line)
        }.joined(separator: "\n")
        let strong = try filtered(.model(NoiseModel(text: lines)))
        #expect(try !strong.hasSameSamples(as: filtered(.model(model))))
        #expect(try filtered(.model(NoiseModel(text: lines))).hasSameSamples(as: strong))
    }

    @Test func textKeepsAllNumbers() throws {
        let model = try Self.model(Self.clip().noisy)
        #expect(try NoiseModel(text: model.text) == model)
        #expect(try NoiseModel(text: "# a comment\n\n" + model.text.replacing("\n", with: "\r\n\r\n")) == model)
        #expect(try NoiseModel(text: model.text).checksum == model.checksum)
        #expect(NoiseModel(medianOf: []) == nil)
        let lines = model.text.split(separator: "\n")
        let grey = try NoiseModel(text: lines[..<4].joined(separator: "\n"))
        try model.check(.yuv420p8)
        #expect(throws: FrameError.self) { try grey.check(.yuv420p8) }
    }

    @Test(arguments: [
        ("", "not a noise model"), ("noise model 2\n", "not a noise model"), ("noise model 1\n", "0 lines"),
        ("noise model 1\nplane 1\nspectrum 1\ndeviations 1\n", "line 3"),
        ("noise model 1\nplane 1 2\ndeviations\nspectrum\n", "line 3"),
        ("noise model 1\nplane 1\ndeviations 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 x\nspectrum 1\n", "'x' in line 3"),
        ("noise model 1\nplane 1\ndeviations 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 -1\nspectrum 1\n", "'-1'"),
        ("noise model 1\nplane 1\ndeviations 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 nan\nspectrum 1\n", "'nan'"),
        (
            "noise model 1\nplane 1\ndeviations" + String(repeating: " 1", count: 16) + "\nspectrum"
                + String(repeating: " 0", count: 64),
            "'0' in line 4 of the noise model is not a number from 0.001 to 255"
        ),
        (
            "noise model 1\nplane 256\ndeviations" + String(repeating: " 1", count: 16) + "\nspectrum"
                + String(repeating: " 1", count: 64), "'256' in line 2 of the noise model is not a number from 0 to 255"
        ),
        (String(repeating: "#", count: 65537), "65537 bytes"),
    ])
    func wrongText(text: String, words: String) {
        let error = #expect(throws: FrameError.self) { try NoiseModel(text: text) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
}
