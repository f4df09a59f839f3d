import FrameCore
import FrameEffects
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct ConversionPipelineTests {
    private let options = ConversionOptions()

    private func picture(_ index: Int) throws -> PixelBuffer { try GeneratedPicture.waves(dx: 3 * index) }

    @Test func slowMotionKeepsSourceFramesAndTimes() throws {
        let originals = try (0..<7).map(picture)
        let source = GeneratedSource(count: 7) { originals[$0] }
        let sink = RecordingSink()
        let report = try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 4), options: options, finder: ScriptedTransitions()
        ).run()
        #expect(sink.frames.count == 25)
        #expect(sink.finishes == 1)
        #expect(sink.cancels == 0)
        #expect(report.framesRead == 7)
        #expect(report.framesWritten == 25)
        #expect(report.sourceFramesShown == 7)
        for (n, frame) in sink.frames.enumerated() {
            #expect(frame.presentationTime == MediaTime(value: Int64(n), timescale: 25))
            #expect(frame.duration == MediaTime(value: n == 24 ? 4 : 1, timescale: 25))
            if n.isMultiple(of: 4) { #expect(frame.buffer.hasSameSamples(as: originals[n / 4])) }
        }
    }

    @Test func rateConversionHoldsTheLastFrame() throws {
        let originals = try (0..<3).map(picture)
        let source = GeneratedSource(count: 3) { originals[$0] }
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: source, sink: sink, plan: RateConversionPlan(rate: Rational(100, 1)), options: options,
            finder: ScriptedTransitions()
        ).run()
        #expect(sink.frames.count == 12)
        for n in [0, 4, 8, 9, 10, 11] { #expect(sink.frames[n].buffer.hasSameSamples(as: originals[min(2, n / 4)])) }
    }

    @Test func metadataRidesOnEveryFrame() throws {
        let color = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited,
            chromaLocation: .topLeft)
        let sideData = SideData([SideData.Entry(kind: "light", code: 1, bytes: [1, 2])])
        let inner = try GeneratedPicture.texture()
        let source = TaggingSource(GeneratedSource(count: 3) { _ in inner }) {
            $0.color = color
            $0.sampleAspectRatio = Rational(4, 3)
            $0.sideData = sideData
        }
        let sink = RecordingSink()
        _ = try ConversionPipeline(source: source, sink: sink, plan: SlowMotionPlan(factor: 2), options: options).run()
        #expect(sink.frames.count == 5)
        for frame in sink.frames {
            #expect(frame.color == color)
            #expect(frame.sampleAspectRatio == Rational(4, 3))
            #expect(frame.sideData == sideData)
        }
    }

    @Test(arguments: CutTreatment.allCases)
    func aCutIsNeverMixedUnlessAsked(treatment: CutTreatment) throws {
        let values = [40, 40, 200, 200]
        let source = GeneratedSource(count: 4) { try GeneratedPicture.flat(values[$0]) }
        let sink = RecordingSink()
        let events = Lock<[SceneCut]>([])
        let report = try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 4), options: ConversionOptions(atCut: treatment),
            finder: ScriptedTransitions([2: .cut])
        ) { event in
            if case .cut(let cut) = event { events.withLock { $0.append(cut) } }
        }.run()
        let cut = SceneCut(frame: 2, time: MediaTime(value: 2, timescale: 25))
        #expect(report.cuts == [cut])
        #expect(events.withLock { $0 } == [cut])
        let luma = sink.frames.map { $0.buffer.samples(ofPlane: 0)[0] }
        let across: [UInt16] = treatment == .hold ? [40, 40, 40] : [80, 120, 160]
        #expect(luma == [40, 40, 40, 40, 40] + across + [200, 200, 200, 200, 200])
        #expect(report.heldAtCut == (treatment == .hold ? 3 : 0))
        #expect(report.blendedOverCut == (treatment == .hold ? 0 : 3))
    }

    @Test func duplicatesAreCounted() throws {
        let source = GeneratedSource(count: 5) { _ in try GeneratedPicture.texture() }
        let report = try ConversionPipeline(
            source: source, sink: RecordingSink(), plan: SlowMotionPlan(factor: 2), options: options,
            finder: ScriptedTransitions([1: .duplicate, 3: .duplicate])
        ).run()
        #expect(report.duplicates == 2)
    }

    @Test func oneFrameGoesThrough() throws {
        let sink = RecordingSink()
        let source = GeneratedSource(count: 1) { _ in try GeneratedPicture.texture() }
        _ = try ConversionPipeline(source: source, sink: sink, plan: SlowMotionPlan(factor: 8), options: options).run()
        #expect(sink.frames.map(\.duration) == [MediaTime(value: 8, timescale: 25)])
    }

    @Test func lastDurationIsTakenFromTheIntervalWhenUnknown() throws {
        let times = [0, 40, 100].map { MediaTime(value: $0, timescale: 1000) }
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: GeneratedSource(times: times) { _ in try GeneratedPicture.texture() }, sink: sink,
            plan: SlowMotionPlan(factor: 2), options: options
        ).run()
        #expect(sink.frames.last?.duration == MediaTime(value: 120, timescale: 1000))
    }

    @Test func manyPhasesComeInOrder() throws {
        let sink = RecordingSink()
        let source = GeneratedSource(count: 3) { try GeneratedPicture.flat(100 * $0) }
        _ = try ConversionPipeline(source: source, sink: sink, plan: SlowMotionPlan(factor: 100), options: options)
            .run()
        #expect(sink.frames.count == 201)
        for (a, b) in zip(sink.frames, sink.frames.dropFirst()) { #expect(a.presentationTime < b.presentationTime) }
    }

    @Test func runsOnceOnly() throws {
        let pipeline = try ConversionPipeline(
            source: GeneratedSource(count: 2) { _ in try GeneratedPicture.texture() }, sink: RecordingSink(),
            plan: SlowMotionPlan(factor: 2), options: options)
        _ = try pipeline.run()
        #expect(throws: FrameError.self) { try pipeline.run() }
    }

    @Test func asyncFormGivesTheSame() async throws {
        let sink = RecordingSink()
        let source = GeneratedSource(count: 9) { try GeneratedPicture.waves(dx: $0) }
        let pipeline = try ConversionPipeline(
            source: source, sink: sink, plan: SlowMotionPlan(factor: 2), options: options)
        let report = try await pipeline.run()
        #expect(report.framesWritten == 17)
        #expect(sink.finishes == 1)
    }

    @Test func progressCountsUpToTheExpectedTotal() throws {
        let seen = Lock<[PipelineProgress]>([])
        let source = GeneratedSource(count: 11) { _ in try GeneratedPicture.texture() }
        _ = try ConversionPipeline(
            source: source, sink: RecordingSink(), plan: SlowMotionPlan(factor: 3), options: options
        ) {
            if case .progress(let progress) = $0 { seen.withLock { $0.append(progress) } }
        }.run()
        let last = try #require(seen.withLock { $0.last })
        #expect(last.framesRead == 11)
        #expect(last.framesWritten == 31)
        #expect(last.expectedFrames == 31)
        #expect(last.secondsLeft == 0)
    }
}
