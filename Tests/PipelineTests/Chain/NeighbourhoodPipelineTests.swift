import FrameCore
import FrameEffects
import Foundation
import Pipeline
import TestSupport
import Testing

/// Inverts luma and records what it receives; `picture` can make it do something else.
private struct InvertingEffect: ClipEffect, EffectRun {
    var previousCount = 1
    var nextCount = 1
    var seen: Seen?
    var picture: @Sendable (Neighbourhood) throws -> PixelBuffer = { try inverted($0.current.buffer) }

    final class Seen: Sendable {
        private let list = Lock<[WindowPositions]>([])
        var windows: [WindowPositions] { list.withLock { $0 } }
        func append(_ window: WindowPositions) { list.withLock { $0.append(window) } }
    }

    var window: TemporalWindow { TemporalWindow(previous: previousCount, next: nextCount) }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = [EffectMeasurement(name: "answer", value: 42)]
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        seen?.append(WindowPositions(neighbourhood))
        var frame = neighbourhood.current
        frame.buffer = try picture(neighbourhood)
        try output.write(frame)
    }
}

private func inverted(_ buffer: PixelBuffer) throws -> PixelBuffer {
    let samples = buffer.samples(ofPlane: 0)
    return try GeneratedPicture.draw(buffer.format, width: buffer.width, height: buffer.height) { plane, x, y in
        plane == 0 ? 255 - Int(samples[y * buffer.width + x]) : 128
    }
}

@Suite struct NeighbourhoodPipelineTests {
    private func run(
        _ source: any FrameSource, _ sink: any FrameSink, _ finder: ScriptedTransitions = ScriptedTransitions(),
        _ effect: InvertingEffect = InvertingEffect(), onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) throws -> ConversionReport {
        try ConversionPipeline(
            source: source, sink: sink, finder: finder, chain: EffectChain(effect), onEvent: onEvent
        ).run()
    }

    @Test func samplesAloneChange() throws {
        let color = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited,
            chromaLocation: .topLeft)
        let sideData = SideData([
            SideData.Entry(kind: "light", code: 1, bytes: [1, 2]),
            SideData.Entry(kind: "captions", code: 2, bytes: [3], isOfThisPictureOnly: true),
        ])
        let originals = try (0..<9).map { try GeneratedPicture.waves(dx: 3 * $0) }
        let times = [0, 40, 90, 91, 200, 240, 280, 320, 1000].map { MediaTime(value: $0, timescale: 1000) }
        let durations: [MediaTime?] = times.indices.map {
            $0 == 4 ? nil : MediaTime(value: Int64($0 + 1), timescale: 48)
        }
        let source = TaggingSource(GeneratedSource(times: times, durations: durations) { originals[$0] }) {
            $0.color = color
            $0.sampleAspectRatio = Rational(4, 3)
            $0.fieldOrder = .topFirst
            $0.sideData = sideData
        }
        let sink = RecordingSink()
        let report = try run(source, sink)
        #expect(sink.finishes == 1 && sink.cancels == 0)
        #expect(sink.frames.map(\.presentationTime) == times)
        #expect(sink.frames.map(\.duration) == durations)
        for (frame, original) in zip(sink.frames, originals) {
            #expect(frame.color == color)
            #expect(frame.sampleAspectRatio == Rational(4, 3))
            #expect(frame.isInterlaced)
            #expect(frame.sideData == sideData)
            #expect(frame.buffer.hasSameSamples(as: try inverted(original)))
        }
        #expect(report.framesRead == 9 && report.framesWritten == 9)
        #expect(report.sourceFramesShown == 0)
        #expect(report.measurements == [EffectMeasurement(name: "answer", value: 42)])
    }

    @Test func theEffectSeesWindowsInOrderAndCutsAreTold() throws {
        let seen = InvertingEffect.Seen()
        let events = Lock<[SceneCut]>([])
        let report = try run(
            GeneratedSource(count: 8) { try GeneratedPicture.waves(dx: $0) }, RecordingSink(),
            ScriptedTransitions([3: .cut, 5: .duplicate]),
            InvertingEffect(previousCount: 2, nextCount: 1, seen: seen)
        ) { if case .cut(let cut) = $0 { events.withLock { $0.append(cut) } } }
        #expect(
            seen.windows == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, [2]),
                WindowPositions([0, 1], 2, []),
                WindowPositions([], 3, [4], resets: true), WindowPositions([3], 4, [5]),
                WindowPositions([3, 4], 5, [6]),
                WindowPositions([4, 5], 6, [7]), WindowPositions([5, 6], 7, []),
            ])
        #expect(report.cuts == [SceneCut(frame: 3, time: MediaTime(value: 3, timescale: 25))])
        #expect(events.withLock { $0 } == report.cuts)
        #expect(report.duplicates == 1)
    }

    /// Cuts that the detector finds in drawn scenes end windows as well.
    @Test func realCutsEndWindows() throws {
        let seen = InvertingEffect.Seen()
        let effect = InvertingEffect(previousCount: 3, nextCount: 3, seen: seen)
        _ = try ConversionPipeline(
            source: GeneratedSource(count: 24) {
                $0 < 12 ? try GeneratedPicture.waves(dx: $0) : try GeneratedPicture.texture(seed: 5)
            }, sink: RecordingSink(), chain: EffectChain(effect)
        ).run()
        #expect(seen.windows[11] == WindowPositions([8, 9, 10], 11, []))
        #expect(seen.windows[12] == WindowPositions([], 12, [13, 14, 15], resets: true))
        #expect(seen.windows.count == 24)
    }

    @Test func progressCountsUpToTheNumberOfFrames() throws {
        let last = Lock<PipelineProgress?>(nil)
        _ = try run(GeneratedSource(count: 11) { try GeneratedPicture.flat($0) }, RecordingSink()) { event in
            if case .progress(let progress) = event { last.withLock { $0 = progress } }
        }
        #expect(last.withLock { $0?.framesWritten } == 11)
        #expect(last.withLock { $0?.expectedFrames } == 11)
    }

    @Test(arguments: [0, 1, 7])
    func effectErrorComesOut(position: Int) throws {
        let sink = RecordingSink()
        let effect = InvertingEffect(picture: {
            if $0.index == position { throw DeliberateError("effect") }
            return $0.current.buffer
        })
        let picture = try GeneratedPicture.texture()
        let pipeline = ConversionPipeline(
            source: GeneratedSource(count: 10_000) { _ in picture }, sink: sink, finder: ScriptedTransitions(),
            chain: EffectChain(effect))
        #expect(throws: DeliberateError("effect")) { try pipeline.run() }
        #expect(pipeline.failedStage == .making)
        #expect(sink.cancels == 1 && sink.finishes == 0)
        #expect(sink.count <= position)
    }

    @Test func readAndWriteErrorsComeOut() throws {
        let picture = try GeneratedPicture.texture()
        let source = GeneratedSource(count: 40) { index in
            if index == 9 { throw DeliberateError("read") }
            return picture
        }
        #expect(throws: DeliberateError("read")) { try run(source, RecordingSink()) }
        let sink = RecordingSink(onWrite: { if $0 == 3 { throw DeliberateError("write") } })
        #expect(throws: DeliberateError("write")) { try run(GeneratedSource(count: 400) { _ in picture }, sink) }
        #expect(sink.cancels == 1 && sink.count == 3)
    }

    @Test func aPictureOfAnotherKindIsRefused() throws {
        let error = #expect(throws: FrameError.self) {
            try run(
                GeneratedSource(count: 3) { _ in try GeneratedPicture.texture() }, RecordingSink(),
                ScriptedTransitions(), InvertingEffect(picture: { _ in try GeneratedPicture.texture(width: 32) }))
        }
        #expect(error?.message == "the effect made a 32x48 yuv420p frame; 64x48 yuv420p was expected")
    }

    @Test func badSourcesAreRefused() throws {
        let picture = try GeneratedPicture.texture()
        let none = #expect(throws: FrameError.self) {
            try run(GeneratedSource(count: 0) { _ in picture }, RecordingSink())
        }
        #expect(none?.message == "there is no video frame in the input that can be decoded")
        let times = [0, 40, 40].map { MediaTime(value: Int64($0), timescale: 1000) }
        #expect(throws: FrameError.self) { try run(GeneratedSource(times: times) { _ in picture }, RecordingSink()) }
        #expect(throws: FrameError.self) {
            try run(
                GeneratedSource(count: 9) { try GeneratedPicture.texture(width: $0 < 6 ? 64 : 32) }, RecordingSink())
        }
    }

    @Test func cancelEndsARun() throws {
        let box = Lock<ConversionPipeline?>(nil)
        let picture = try GeneratedPicture.texture()
        let sink = RecordingSink()
        let effect = InvertingEffect(picture: {
            if $0.index == 20 { box.withLock { $0?.cancel() } }
            return $0.current.buffer
        })
        let pipeline = ConversionPipeline(
            source: GeneratedSource(count: 100_000) { _ in picture }, sink: sink, finder: ScriptedTransitions(),
            chain: EffectChain(effect))
        box.withLock { $0 = pipeline }
        #expect(throws: CancellationError.self) { try pipeline.run() }
        box.withLock { $0 = nil }
        #expect(sink.cancels == 1 && sink.finishes == 0)
        #expect(sink.count <= 21)
    }

    @Test func latencyCountsEveryFrame() throws {
        let effect = InvertingEffect(picture: {
            usleep($0.index == 5 ? 30_000 : 1000)
            return $0.current.buffer
        })
        let report = try run(
            GeneratedSource(count: 30) { _ in try GeneratedPicture.flat(9) }, RecordingSink(), ScriptedTransitions(),
            effect)
        let latency = try #require(report.latency)
        #expect(latency.work.median >= 0.001)
        #expect(latency.work.maximum >= 0.03)
        #expect(latency.work.median <= latency.work.p95 && latency.work.p95 <= latency.work.maximum)
        // A frame waits for its next neighbour and for the frames needed for cut detection.
        #expect(latency.total.median >= latency.work.median && latency.total.maximum >= latency.work.maximum)
        #expect(report.sourceFramesShown == 30)
    }

    @Test func durationsAreCountedWithinAPercent() {
        var histogram = DurationHistogram()
        #expect(histogram.spread == FrameLatency.Spread())
        for milliseconds in (1...1000).reversed() { histogram.add(.milliseconds(milliseconds)) }
        let spread = histogram.spread
        #expect(spread.median >= 0.5 && spread.median <= 0.505)
        #expect(spread.p95 >= 0.95 && spread.p95 <= 0.9595)
        #expect(spread.maximum == 1)
    }
}
