import Foundation
import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// Drawings whose motion is known at every time: what is made between them is compared with what would have been drawn.
@Suite struct AnimationTests {
    /// How a clip is drawn, and how that is shown in frames.
    struct Clip: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scene: Animation
        /// Frames per second.
        var rate: Int32
        /// The number of the drawing of each frame, and how many of them there are in a second.
        var drawing: @Sendable (Int) -> Int
        var drawingsPerSecond: Float
        /// Whether the camera pans on each frame, whatever the drawings do.
        var pansOnOnes = false

        func frame(_ number: Int) throws -> PixelBuffer {
            let time = Float(drawing(number)) / drawingsPerSecond
            return try scene.picture(
                time, panTime: pansOnOnes ? Float(number) / Float(rate) : nil, frame: number)
        }
    }

    static let clips = [
        Clip(
            testDescription: "twos at 24", scene: Animation(), rate: 24, drawing: { $0 / 2 }, drawingsPerSecond: 12),
        Clip(
            testDescription: "threes at 24", scene: Animation(speed: 24), rate: 24, drawing: { $0 / 3 },
            drawingsPerSecond: 8),
        Clip(
            testDescription: "24 in 30", scene: Animation(speed: 60, noise: 2), rate: 30, drawing: { $0 * 4 / 5 },
            drawingsPerSecond: 24),
        Clip(
            testDescription: "24 in 60, panned", scene: Animation(pan: 70, noise: 3), rate: 60,
            drawing: { $0 * 2 / 5 }, drawingsPerSecond: 24),
        Clip(
            testDescription: "twos at 24, panned on twos", scene: Animation(speed: 30, pan: -40, noise: 2), rate: 24,
            drawing: { $0 / 2 }, drawingsPerSecond: 12),
    ]

    private static let count = 60

    private func run(_ clip: Clip, _ treatment: RepeatTreatment, rate: Int32) throws -> [Frame] {
        let frames = try (0..<Self.count).map(clip.frame)
        let sink = RecordingSink()
        let effect = try EffectStep.rate(Rational(rate, 1)).effect(ConversionOptions())
        let source = GeneratedSource(
            times: frames.indices.map { MediaTime(value: Int64($0), timescale: clip.rate) },
            durations: frames.map { _ in MediaTime(value: 1, timescale: clip.rate) },
            stream: VideoStreamDescription(
                format: .yuv420p8, width: Animation.width, height: Animation.height, timeBase: Rational(1, clip.rate),
                nominalFrameRate: Rational(clip.rate, 1), frameCount: frames.count)
        ) { frames[$0] }
        _ = try ConversionPipeline(
            source: source, sink: sink, finder: ScriptedTransitions(),
            chain: EffectChain(effect).leavingOutRepeats(treatment)
        ).run()
        return sink.frames
    }

    /// The mean squared error of luma against the truth, away from both ends of the clip.
    private func error(_ frames: [Frame], _ clip: Clip) throws -> Double {
        let end = Double(Self.count) / Double(clip.rate)
        let counted = frames.filter { $0.presentationTime.seconds > 0.35 && $0.presentationTime.seconds < end - 0.35 }
        let sum = try counted.reduce(0) { sum, frame in
            let truth = try clip.scene.picture(Float(frame.presentationTime.seconds))
            let psnr = PictureDifference(frame.buffer, truth).psnr
            return sum + 255 * 255 * pow(10, -psnr / 10)
        }
        return sum / Double(counted.count)
    }

    @Test(arguments: clips)
    func motionIsThatOfTheDrawings(clip: Clip) throws {
        let kept = try error(run(clip, .keep, rate: 48), clip), found = try error(run(clip, .auto, rate: 48), clip)
        #expect(found < 0.6 * kept, "\(found) instead of \(kept)")
    }

    /// A line that was made is about as black as one that was drawn.
    @Test(arguments: clips)
    func linesStayLines(clip: Clip) throws {
        let frames = try run(clip, .auto, rate: 48)
        for frame in frames.dropFirst(20).prefix(40) {
            let truth = try clip.scene.picture(Float(frame.presentationTime.seconds))
            func darkness(_ picture: PixelBuffer) -> Int { picture.samples(ofPlane: 0).count { $0 < 70 } }
            #expect(darkness(frame.buffer) * 10 > darkness(truth) * 7)
        }
    }

    /// While the camera pans, a drawing that is held is a new picture in each frame.
    @Test func pansOverHeldDrawingsAreKept() throws {
        let clip = Clip(
            testDescription: "", scene: Animation(speed: 24, pan: 30, noise: 2), rate: 24, drawing: { $0 / 3 },
            drawingsPerSecond: 8, pansOnOnes: true)
        let found = try run(clip, .auto, rate: 48), kept = try run(clip, .keep, rate: 48)
        #expect(zip(found, kept).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
    }

    /// The camera moves by a small part of a pixel, the drawing stands still.
    @Test(arguments: [Float(2), 5, 12])
    func slowPansAreNoRepeats(pan: Float) throws {
        let clip = Clip(
            testDescription: "", scene: Animation(pan: pan, noise: 1), rate: 24, drawing: { _ in 0 },
            drawingsPerSecond: 24, pansOnOnes: true)
        let found = try run(clip, .auto, rate: 24), kept = try run(clip, .keep, rate: 24)
        #expect(zip(found, kept).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) })
    }
}
