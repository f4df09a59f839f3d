import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// Effects that the library does not know, in segments and parts of a clip.
@Suite struct OwnEffectTests {
    /// Every third source frame, three times as fast.
    private struct LapsePlan: TimingPlan {
        var origin = 0
        private var index = 0

        init() {}
        var summary: String { "every third" }
        var factor: Rational { Rational(1, 3) }
        var spacing: FrameSpacing { .kept }
        var history: TimingHistory { .count }

        func starting(at time: MediaTime, frame: Int?) -> LapsePlan {
            var plan = self
            plan.origin = frame ?? origin
            return plan
        }

        mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int {
            index += frames
            return (frames + 2) / 3
        }

        private mutating func advance(_ time: MediaTime, _ duration: MediaTime?) -> PlannedFrames {
            defer { index += 1 }
            let frame = PlannedFrame(
                content: .source, time: time.multiplied(by: factor), duration: duration)
            return PlannedFrames(count: (index - origin) % 3 == 0 ? 1 : 0) { _ in frame }
        }

        mutating func frames(
            from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
        ) -> PlannedFrames { advance(source, next - source) }

        mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames { advance(last, nil) }

        func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
            var output = source
            output.timeBase = Rational(1, 3 * source.timeBase.denominator)
            output.frameCount = expectedFrameCount(sourceFrames: source.frameCount, duration: nil)
            return output
        }

        func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? { sourceFrames.map { ($0 + 2) / 3 } }
    }

    private struct Lapse: ClipEffect {
        var plan = LapsePlan()

        var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
        var timing: (any TimingPlan)? { plan }
        func starting(at time: MediaTime, frame: Int?) -> Lapse { Lapse(plan: plan.starting(at: time, frame: frame)) }
        func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
            plan.outputStream(for: source)
        }
        func makeRun(for source: VideoStreamDescription) -> any EffectRun { Run(plan: plan) }

        struct Run: EffectRun {
            var plan: LapsePlan

            private mutating func planned(_ neighbourhood: Neighbourhood) -> PlannedFrames {
                let time = neighbourhood.current.presentationTime
                guard let following = neighbourhood.following else { return plan.closingFrames(last: time, end: nil) }
                return plan.frames(from: time, to: following.presentationTime, end: neighbourhood.end)
            }

            mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
                for frame in planned(neighbourhood) {
                    var shown = neighbourhood.current
                    (shown.presentationTime, shown.duration) = (frame.time, frame.duration)
                    try output.write(shown)
                }
            }

            mutating func pass(_ neighbourhood: Neighbourhood) { _ = planned(neighbourhood) }

            mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) {
                _ = plan.skip(frames: frames, from: first, to: time)
            }
        }
    }

    /// Brightens frames by 16 times the strength of the source's compression.
    private struct Brightening: ClipEffect, EffectRun {
        var compression = SourceCompression.none

        var adaptsToCompression: Bool { true }
        var hidesCompression: Bool { true }
        func adapted(to compression: SourceCompression) -> Brightening { Brightening(compression: compression) }

        func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
            var frame = neighbourhood.current
            let step = UInt8(16 * compression.overall.strength)
            try frame.buffer.withMutablePlanes { planes in
                let luma = planes[0]
                for y in 0..<luma.height {
                    let row = luma.row(y).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<luma.width { row[x] = row[x] > 255 - step ? 255 : row[x] + step }
                }
            }
            try output.write(frame)
        }
    }

    private static let frames = 3 * ResetSchedule.interval + 10

    private func source(from first: Int = 0) -> GeneratedSource {
        GeneratedSource(
            count: Self.frames - first, start: MediaTime(value: Int64(first), timescale: 25)
        ) { try GeneratedPicture.waves(width: 64, height: 48, dx: (first + $0) % 50) }
    }

    private func checkpoint(at frame: Int) -> SourceCheckpoint {
        let position = SourcePosition(
            key: .init(offset: 0, size: 1, presentationTime: Int64(frame), decodeTime: Int64(frame)),
            stamp: Int64(frame), offset: 0, clock: .init(last: nil, lastStep: 1, shift: 0), previousStep: nil,
            reorderDelay: 0, notes: [], spans: [])
        return SourceCheckpoint(
            frame: frame, time: MediaTime(value: Int64(frame), timescale: 25), firstTime: .zero, position: position,
            cuts: .lookingAhead)
    }

    private func run(
        _ chain: EffectChain, part: OutputPart? = nil, from first: Int = 0, segment: Int = 0
    ) throws -> RecordingSink {
        let sink = RecordingSink(from: segment)
        _ = try ConversionPipeline(
            source: source(from: first), sink: sink, chain: chain, part: part, cuts: .lookingAhead,
            start: first > 0 ? checkpoint(at: first) : nil
        ).run()
        return sink
    }

    private func expectEqual(_ frames: some Collection<Frame>, _ expected: some Collection<Frame>, _ place: Comment) {
        #expect(!expected.isEmpty, place)
        #expect(frames.map(\.presentationTime) == expected.map(\.presentationTime), place)
        #expect(frames.map(\.duration) == expected.map(\.duration), place)
        #expect(zip(frames, expected).allSatisfy { $0.buffer.hasSameSamples(as: $1.buffer) }, place)
    }

    /// Runs that begin in the middle make the frames of the whole clip: from each reset point on, and in a part, whose
    /// times begin with 0.
    private func expectTheSame(_ effects: [any ClipEffect], compression: SourceCompression = .none) throws {
        let chain = try EffectChain(effects).adapted(to: compression)
        let whole = try run(chain), stream = source().stream
        for (segment, first) in whole.segments.dropFirst() {
            let place = try chain.start(ofPartAt: ResetSchedule.frame(of: segment), of: stream)
            let rest = try run(chain, from: place.firstRead, segment: segment)
            expectEqual(rest.frames, whole.frames[first...], "segment \(segment) of \(chain.summary)")
        }
        let start = MediaTime(value: 600, timescale: 25)
        let part = chain.sampled(from: start, frame: 600), place = try part.start(ofPartAt: 600, of: stream)
        let shift = start.multiplied(by: chain.stretch)
        let made = try run(
            part,
            part: OutputPart(start: shift, end: nil, firstSegment: place.segment, rate: part.sampledRate),
            from: place.firstRead)
        var expected = whole.frames.filter { $0.presentationTime >= shift }
        for index in expected.indices { expected[index].presentationTime = expected[index].presentationTime - shift }
        expectEqual(made.frames, expected, "part of \(chain.summary)")
    }

    @Test func aChangeOfTheRate() throws {
        let denoise = try EffectStep.denoise(.sigma(8)).effect(ConversionOptions())
        let rate = try EffectStep.rate(Rational(10, 1)).effect(ConversionOptions())
        for effects in [[Lapse()], [Lapse(), denoise], [denoise, Lapse()], [Lapse(), rate]] as [[any ClipEffect]] {
            try expectTheSame(effects)
        }
        let alone = EffectChain(Lapse())
        #expect(try alone.start(ofPartAt: 600, of: source().stream).firstRead > 0)
        #expect(alone.isDivisible && alone.hasEvenTimes && alone.stretch == Rational(1, 3))
        #expect(alone.firstTime(MediaTime(value: 6, timescale: 1), next: nil) == MediaTime(value: 2, timescale: 1))
    }

    /// A part is counted from its own first frame.
    @Test func partsBeginWithTheirFirstFrame() throws {
        let start = MediaTime(value: 601, timescale: 25)
        let chain = EffectChain(Lapse()).sampled(from: start, frame: 601)
        let shift = start.multiplied(by: Rational(1, 3))
        let made = try run(chain, part: OutputPart(start: shift, end: nil, firstSegment: 2), from: 400)
        #expect(made.frames.first?.presentationTime == .zero)
        let first = try GeneratedPicture.waves(width: 64, height: 48, dx: 601 % 50)
        #expect(made.frames.first?.buffer.hasSameSamples(as: first) ?? false)
    }

    @Test func settingsForCompressedSources() throws {
        let strong = SourceCompression(strength: 1)
        let denoise = try EffectStep.denoise(.sigma(8)).effect(ConversionOptions())
        let effects: [any ClipEffect] = [denoise, Brightening(), Brightening()]
        let chain = try EffectChain(effects)
        #expect(chain.adaptsToCompression)
        try expectTheSame(effects, compression: strong)
        // Only the first one sees the compression.
        let expected = try run(EffectChain([denoise, Brightening(compression: strong)]))
        expectEqual(try run(chain.adapted(to: strong)).frames, expected.frames, "adapted")
        let untouched = try run(EffectChain(denoise))
        expectEqual(try run(chain).frames, untouched.frames, "not adapted")
        let deblocked = try EffectChain([EffectStep.denoise(.automatic).effect(ConversionOptions()), Brightening()])
        #expect(!deblocked.adaptsToCompression)
    }

    /// A plan that says nothing of itself is given every frame.
    @Test func plansAreGivenEveryFrameByDefault() throws {
        struct Plan: TimingPlan {
            var summary: String { "as they are" }
            mutating func frames(
                from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
            ) -> PlannedFrames {
                PlannedFrames(count: 1) { _ in
                    PlannedFrame(content: .source, time: source, duration: next - source)
                }
            }
            mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
                PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: last, duration: nil) }
            }
            func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription { source }
            func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? { sourceFrames }
        }
        let effect = FrameRateConversionPass(plan: Plan(), options: ConversionOptions())
        #expect(effect.countsFrames && !effect.canSkip && effect.name == "rate")
        let chain = EffectChain(effect)
        #expect(try chain.start(ofPartAt: 600, of: source().stream).firstRead == 0)
        #expect(!chain.isDivisible && !chain.hasEvenTimes && chain.stretch == Rational(1, 1))
        try expectTheSame([effect])
    }
}
