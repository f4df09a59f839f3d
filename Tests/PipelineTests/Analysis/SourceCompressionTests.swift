import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// How strongly a source was compressed, and which effects take it into account.
@Suite struct SourceCompressionTests {
    /// Keyframes of a clip; one for each second if no times are given.
    /// `@unchecked Sendable`: calls come from one thread at a time.
    private final class KeyFrames: KeyFrameSource, @unchecked Sendable {
        let stream: VideoStreamDescription
        /// The quantizer step of the latest keyframe.
        private(set) var quantizerStep: Float?
        private let frames: [Frame]
        private var latest: Int?
        /// The number of calls.
        private(set) var reads = 0
        /// The quantizer steps of the keyframes, if they are known.
        private let steps: [Float]
        /// What happens to the keyframe at a place in the list.
        private let failures: [Int: FrameError.Code]

        init(
            _ pictures: [PixelBuffer], from start: Int64 = 0, at times: [Int64] = [], duration: Int64? = nil,
            isInterlaced: Bool = false, steps: [Float] = [],
            failures: [Int: FrameError.Code] = [:]
        ) {
            frames = pictures.enumerated().map { index, picture in
                let time = start + (times.isEmpty ? Int64(index) : times[index])
                var frame = Frame(buffer: picture, presentationTime: MediaTime(value: time, timescale: 1))
                frame.fieldOrder = isInterlaced ? .topFirst : nil
                return frame
            }
            (self.steps, self.failures) = (steps, failures)
            var stream = VideoStreamDescription(
                format: pictures[0].format, width: pictures[0].width, height: pictures[0].height,
                timeBase: Rational(1, 1))
            stream.duration = MediaTime(value: duration ?? Int64(pictures.count), timescale: 1)
            self.stream = stream
        }

        func keyFrame(at time: MediaTime) throws -> Frame? {
            reads += 1
            let index = frames.lastIndex { $0.presentationTime <= time } ?? 0
            if index == latest { return nil }
            latest = index
            if let code = failures[index] { throw FrameError(code, "test") }
            quantizerStep = steps.isEmpty ? nil : steps[index]
            return frames[index]
        }
    }

    private static func picture() throws -> PixelBuffer {
        try MovingScene.textured.picture(0, .yuv420p8, width: 240, height: 176)
    }

    private static func flat() throws -> PixelBuffer {
        try GeneratedPicture.flat(90, .yuv420p8, width: 240, height: 176)
    }

    private static func strength(_ clip: KeyFrames, from start: Int64 = 0) throws -> Float {
        try SourceCompression(of: clip, from: MediaTime(value: start, timescale: 1), context: .init(threads: 2))
            .overall.strength
    }

    @Test func keyFramesTell() throws {
        let clean = try Self.picture(), coded = try BlockCodec(step: 32).coded(clean), flat = try Self.flat()
        #expect(try Self.strength(KeyFrames(.init(repeating: coded, count: 10))) == 1)
        #expect(try Self.strength(KeyFrames(.init(repeating: clean, count: 10))) == 0)
        // Pictures that show nothing do not count.
        let mixed = [PixelBuffer](repeating: flat, count: 5) + .init(repeating: coded, count: 5)
        #expect(try Self.strength(KeyFrames(mixed)) == 1)
        #expect(try Self.strength(KeyFrames(.init(repeating: coded, count: 10), isInterlaced: true)) == 0)
        #expect(try SourceCompression(of: coded, context: .serial).overall.strength == 1)
        #expect(SourceCompression.none.overall.strength == 0)
    }

    /// Keyframes are looked for from the clip's first frame on, wherever its times begin.
    @Test func timesBeginAnywhere() throws {
        let coded = try [PixelBuffer](repeating: BlockCodec(step: 32).coded(Self.picture()), count: 6)
        let flat = try [PixelBuffer](repeating: Self.flat(), count: 6)
        #expect(try Self.strength(KeyFrames(flat + coded, from: 1000), from: 1000) == 1)
        #expect(try Self.strength(KeyFrames(coded.prefix(3) + flat, from: -3), from: -3) == 1)
    }

    /// Quantizer steps count where pictures show nothing, and a few of black pictures do not change the result.
    @Test func quantizerStepsCount() throws {
        let flat = try [PixelBuffer](repeating: Self.flat(), count: 6)
        #expect(try Self.strength(KeyFrames(flat, steps: .init(repeating: 40, count: 6))) == 1)
        #expect(try Self.strength(KeyFrames(flat, steps: .init(repeating: 5, count: 6))) == 0)
        #expect(try Self.strength(KeyFrames(flat, steps: [5, 40, 40, 40, 40, 5])) == 1)
    }

    /// A keyframe counts by the share of time that it stands for.
    @Test func fewKeyFrames() throws {
        let flat = try [PixelBuffer](repeating: Self.flat(), count: 2)
        #expect(try Self.strength(KeyFrames(flat, at: [0, 1], duration: 10, steps: [5, 40])) == 1)
        #expect(try Self.strength(KeyFrames(flat, at: [0, 9], duration: 10, steps: [5, 40])) == 0)
    }

    /// Cleaning at the same size is told the median step; pictures that show no filtered edges are those of JPEG and the like.
    @Test func theStepIsKnown() throws {
        func compression(_ clip: KeyFrames) throws -> PictureCompression {
            try SourceCompression(of: clip, from: .zero, context: .serial).overall
        }
        let flat = try [PixelBuffer](repeating: Self.flat(), count: 6)
        let stated = try compression(KeyFrames(flat, steps: [5, 40, 7, 7.02, 7, 30]))
        #expect(stated.step == 7 && stated.isLoopFiltered)
        let shown = try compression(
            KeyFrames(.init(repeating: BlockCodec(step: 32).coded(Self.picture()), count: 6)))
        #expect(shown.step > 12 && shown.step * 16 == (shown.step * 16).rounded() && !shown.isLoopFiltered)
        #expect(try compression(KeyFrames(flat)).step == 0)
        // Half of the keyframes show nothing.
        let half = try [PixelBuffer](repeating: BlockCodec(step: 32).coded(Self.picture()), count: 3)
        #expect(try compression(KeyFrames(half + flat.prefix(3))).step == 0)
        #expect(SourceCompression(strength: 0.5).overall.step == 13.25)
        #expect(SourceCompression(strength: 0).overall.step == 0)
    }

    /// Parts of a clip that were compressed differently have their own values, from their first keyframe on.
    @Test(arguments: [0, -7, 1000] as [Int64]) func partsThatDiffer(start: Int64) throws {
        func parts(_ steps: [Float]) throws -> [[Float]] {
            let flat = try Self.flat()
            let clip = KeyFrames(.init(repeating: flat, count: steps.count), from: start, steps: steps)
            let compression = try SourceCompression(
                of: clip, from: MediaTime(value: start, timescale: 1), context: .serial)
            #expect(compression.isPlausible)
            // Each second is looked up, and times before the first frame count as the first part.
            let seconds = (-1...Int64(steps.count)).map {
                compression.pictures(at: MediaTime(value: 2 * (start + $0) + 1, timescale: 2)).step
            }
            #expect(seconds.first == seconds[1] && seconds.last == seconds[seconds.count - 2])
            return [compression.spans.map { Float($0.start.seconds) - Float(start) }, Array(seconds[1...steps.count])]
        }
        let (fine, coarse) = ([Float](repeating: 4, count: 5), [Float](repeating: 40, count: 5))
        #expect(try parts(fine + coarse) == [[0, 5], fine + coarse])
        #expect(try parts(fine + coarse + fine) == [[0, 5, 10], fine + coarse + fine])
        // Little changes, and parts shorter than three seconds, belong to the part that they are more like.
        #expect(try parts(coarse + [5.8] + fine)[0] == [0, 5])
        #expect(try parts(fine + [30] + coarse)[0] == [0, 5])
        #expect(try parts([4, 4.5, 5, 4, 4.5, 4, 5, 5]) == [[], .init(repeating: 4.5, count: 8)])
        #expect(try parts(fine + [40, 40] + fine)[0] == [])
        #expect(try parts([40, 40] + fine)[0] == [])
        #expect(try parts(fine + [40, 40])[0] == [])
        #expect(try parts(fine + [40, 4, 40] + coarse)[0] == [0, 7])
        #expect(try parts([4, 40, 4, 40, 4, 40, 4, 40])[0].count <= 2)
    }

    /// A long clip is looked at in few places.
    @Test func longClips() throws {
        let count = 3000
        let steps = (0..<count).map { $0 < 1000 ? Float(4) : 40 }
        let clip = KeyFrames(.init(repeating: try Self.flat(), count: count), steps: steps)
        let compression = try SourceCompression(of: clip, from: .zero, context: .serial)
        #expect(clip.reads <= SourceCompression.mostSamples + 8)
        #expect(compression.spans.map(\.pictures.step) == [4, 40])
        // The change is found between two of them.
        #expect(compression.spans.last?.start == MediaTime(value: 1000, timescale: 1))
        let few = KeyFrames(.init(repeating: try Self.flat(), count: count), steps: steps)
        _ = try SourceCompression(of: few, from: .zero, atMost: 0, context: .serial)
        #expect(few.reads <= SourceCompression.fewestSamples + 8)
    }

    /// Plans with values or an order that are not possible are refused.
    @Test func plausibility() {
        func span(_ start: Int64, step: Float = 4) -> SourceCompression.Span {
            .init(
                start: MediaTime(value: start, timescale: 1),
                pictures: PictureCompression(strength: 0, step: step, isLoopFiltered: true))
        }
        func isPlausible(_ spans: [SourceCompression.Span]) -> Bool {
            SourceCompression(overall: .none, spans: spans).isPlausible
        }
        #expect(isPlausible([]) && isPlausible([span(0), span(1)]))
        #expect(!isPlausible([span(0), span(0)]) && !isPlausible([span(1), span(0)]))
        #expect(!isPlausible([span(0, step: 2000)]) && !isPlausible((0..<601).map { span($0) }))
    }

    /// A keyframe that cannot be read does not count.
    @Test(arguments: [FrameError.Code.decode, .input, .unsupportedFormat]) func failures(code: FrameError.Code) throws {
        let coded = try [PixelBuffer](repeating: BlockCodec(step: 32).coded(Self.picture()), count: 6)
        #expect(try Self.strength(KeyFrames(coded, failures: [0: code, 3: code])) == 1)
        let all = [Int: FrameError.Code](uniqueKeysWithValues: (0..<6).map { ($0, code) })
        #expect(try Self.strength(KeyFrames(coded, failures: all)) == 0)
        #expect { try Self.strength(KeyFrames(coded, failures: [3: .allocation])) } throws: {
            ($0 as? FrameError)?.code == .allocation
        }
    }

    @Test func effectsAfterADeblockingOneSeeNoCompression() throws {
        let coded = try SourceCompression(of: BlockCodec(step: 32).coded(Self.picture()), context: .init(threads: 2))
        let options = ConversionOptions(quality: .normal, context: .serial)
        func summary(_ steps: String) throws -> String {
            let chain = try EffectChain(StepText.steps(steps).map { try $0.effect(options) })
            #expect(chain.adaptsToCompression == (chain.adapted(to: coded).summary != chain.summary), "\(steps)")
            return chain.adapted(to: coded).summary
        }
        for steps in [
            "upscale=2", "slomo=0.5,upscale=2", "denoise=auto:deblock=off,upscale=2", "denoise=sigma=9,upscale=2",
            "upscale=2,upscale=2",
        ] {
            #expect(try summary(steps).matches(of: /for compression/).count == 1, "\(steps)")
        }
        for steps in [
            "denoise=auto,upscale=2", "upscale=2:deblock=off", "upscale=2:deblock=off,upscale=2", "slomo=0.5",
        ] {
            #expect(try !summary(steps).contains("compression"), "\(steps)")
        }
        // At the same size, any step counts.
        let one = try EffectChain(StepText.steps("upscale=1").map { try $0.effect(options) })
        #expect(one.adapted(to: SourceCompression(strength: 0, step: 3)).summary != one.summary)
        // Behind an effect that hides the compression, nothing is changed, and a note says so.
        let hidden = try EffectChain(StepText.steps("denoise=auto,upscale=1").map { try $0.effect(options) })
            .adapted(to: coded)
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: nil)
        #expect(hidden.effects[1].notes(over: stream).first?.contains("an earlier effect hides") == true)
        #expect(one.adapted(to: coded).effects[0].notes(over: stream).isEmpty)
        // A step that does not show changes no frame, so it does not keep a job from being resumed.
        let chain = try EffectChain(StepText.steps("upscale=2").map { try $0.effect(options) })
        #expect(chain.adapted(to: SourceCompression(strength: 0, step: 1)).summary == chain.summary)
    }
}
