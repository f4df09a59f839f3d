import FrameCore
import Foundation
import Pipeline
import TestSupport
import Testing

/// The code that the articles of Pipeline show about chains.
@Suite struct ChainSnippets {
    @Test func anEffectOfOnesOwn() throws {
        // snippet
        /// Bright things leave a trail that fades.
        struct LightTrail: ClipEffect, EffectRun {
            var length = 4

            var window: TemporalWindow { TemporalWindow(previous: length) }

            func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription {
                guard source.format.bitDepth == 8 else {
                    throw FrameError(.unsupportedFormat, "light trails need 8 bits, not \(source.format.bitDepth)")
                }
                return source
            }

            func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
                var frame = neighbourhood.current
                for (age, earlier) in neighbourhood.previous.reversed().enumerated() {
                    try frame.buffer.withMutablePlanes { planes in
                        earlier.buffer.withPlanes { brighten(planes[0], by: $0[0], fading: 12 * (age + 1)) }
                    }
                }
                try output.write(frame)
            }

            private func brighten(_ luma: MutablePlane, by earlier: Plane, fading: Int) {
                for y in 0..<luma.height {
                    let row = luma.row(y).assumingMemoryBound(to: UInt8.self)
                    let other = earlier.row(y).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<luma.width { row[x] = UInt8(max(Int(row[x]), Int(other[x]) - fading)) }
                }
            }
        }
        // end
        let source = GeneratedSource(count: 6) { try GeneratedPicture.flat($0 == 2 ? 200 : 20) }
        let sink = RecordingSink()
        // snippet
        let options = ConversionOptions(context: ExecutionContext())
        let chain = try EffectChain([
            LightTrail(length: 3),
            FrameRateConversionPass(plan: SlowMotionPlan(factor: 2), options: options),
        ])
        let pipeline = ConversionPipeline(source: source, sink: sink, chain: chain)
        print(try pipeline.memoryBound.frames, "frames alive at most")
        let report = try pipeline.run()
        for effect in report.effects { print(effect.name, effect.framesIn, effect.framesOut) }
        // end
        #expect(report.effects.map(\.name) == ["LightTrail", "slomo"])
        // A one-frame flash leaves no trail: its neighbours are lit differently and are left out, if the detector sees it.
        let luma = stride(from: 0, to: 11, by: 2).map { sink.frames[$0].buffer.samples(ofPlane: 0)[0] }
        #expect(luma[2] == 200 && luma[0] == 20)
        // snippet
        /// Every second frame, shown twice as long.
        struct HalfRate: ClipEffect, EffectRun {
            var countsFrames: Bool { true }

            func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
                var output = source
                output.frameCount = source.frameCount.map { ($0 + 1) / 2 }
                output.nominalFrameRate = source.nominalFrameRate.flatMap {
                    Rational(reducing: Int64($0.numerator), 2 * Int64($0.denominator))
                }
                return output
            }

            func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
                guard neighbourhood.index.isMultiple(of: 2) else { return }
                var frame = neighbourhood.current
                frame.duration = frame.duration?.multiplied(by: Rational(2, 1))
                try output.write(frame)
            }
        }
        // end
        let half = RecordingSink()
        let frames = GeneratedSource(count: 7) { try GeneratedPicture.waves(dx: $0) }
        _ = try ConversionPipeline(source: frames, sink: half, chain: EffectChain(HalfRate())).run()
        #expect(
            half.frames.map(\.presentationTime.value)
                == [0, 2, 4, 6].map { half.frames[1].presentationTime.value * $0 / 2 })
        #expect(half.count == 4)
    }

    @Test func chainsAndRecipes() throws {
        let source = GeneratedSource(count: 4) { try GeneratedPicture.waves(dx: 3 * $0) }, sink = RecordingSink()
        // snippet
        let recipe = try EffectRecipe([
            .denoise(.automatic), .upscale(.factor(Rational(2, 1))), .slomo(phases: [Rational(1, 2)]),
        ])
        let chain = try recipe.chain(ConversionOptions(context: ExecutionContext()))
        print(try chain.outputStream(for: source.stream).width)  // twice the source's
        let report = try ConversionPipeline(source: source, sink: sink, chain: chain).run()
        // end
        #expect(report.framesWritten == 7 && sink.frames[0].buffer.width == 128)
        // snippet
        let text = try recipe.json  // {"version": 1, "effects": [{"effect": "denoise", …}, …]}
        let same = try EffectRecipe(json: Data(text.utf8))
        // end
        #expect(same == recipe)
    }

    @Test func besides() throws {
        let source = GeneratedSource(count: 4) { try GeneratedPicture.waves(dx: 3 * $0) }, file = RecordingSink()
        // snippet
        /// Counts the frames.
        final class Counter: TeeBranch {
            func consume(_ frames: any FrameSource) throws {
                var count = 0
                while try frames.nextFrame() != nil { count += 1 }
                print(count)
            }
            func publish() {}
            func discard() {}
        }
        let sink = TeeSink(file, stream: source.stream, branches: [Counter()])
        // end
        let blur = try MotionBlurPass(strength: 50, options: ConversionOptions())
        #expect(try ConversionPipeline(source: source, sink: sink, chain: EffectChain(blur)).run().framesWritten == 4)
        #expect(file.finishes == 1)
    }
}
