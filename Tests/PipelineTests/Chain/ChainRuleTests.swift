import FrameCore
import FrameEffects
import Foundation
import Motion
import Pipeline
import TestSupport
import Testing

/// Records what it receives and passes it on, with frames left out or placed differently.
private struct Probe: ClipEffect, EffectRun {
    final class Notes: Sendable {
        private let list = Lock<[Neighbourhood]>([])
        var seen: [Neighbourhood] { list.withLock { $0 } }
        func append(_ neighbourhood: Neighbourhood) { list.withLock { $0.append(neighbourhood) } }
    }

    var window = TemporalWindow(previous: 2, next: 2)
    var keepsMotion = false
    var notes: Notes?
    var picture: @Sendable (Neighbourhood) throws -> PixelBuffer? = { $0.current.buffer }

    func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        notes?.append(neighbourhood)
        guard let picture = try picture(neighbourhood) else { return }
        var frame = neighbourhood.current
        frame.buffer = picture
        try output.write(frame)
    }
}

/// What frames carry along a chain: boundaries and motion.
@Suite struct ChainRuleTests {
    private let picture: PixelBuffer

    init() throws { picture = try GeneratedPicture.flat(9, width: 16, height: 16) }

    private func run(
        _ count: Int, _ effects: [any ClipEffect], _ finder: ScriptedTransitions = ScriptedTransitions(),
        sink: RecordingSink = RecordingSink()
    ) throws -> ConversionReport {
        let picture = picture
        return try ConversionPipeline(
            source: GeneratedSource(count: count) { _ in picture }, sink: sink, finder: finder,
            chain: EffectChain(effects)
        ).run()
    }

    private func slomo(_ treatment: CutTreatment = .hold) throws -> any ClipEffect {
        try EffectStep.slomo(phases: [Rational(1, 2)]).effect(ConversionOptions(atCut: treatment))
    }

    /// Windows by frame positions, with two frames per source frame.
    private func windows(_ notes: Probe.Notes, _ timescale: Int32 = 25) -> [WindowPositions] {
        notes.seen.map { WindowPositions($0, timescale: timescale) }
    }

    @Test func aHeldFrameBelongsToTheSceneBefore() throws {
        let notes = Probe.Notes()
        _ = try run(4, [slomo(), Probe(notes: notes)], ScriptedTransitions([2: .cut]))
        let seen = windows(notes)
        #expect(seen.count == 7)
        #expect(seen[3] == WindowPositions([1, 2], 3, []))
        #expect(seen[4] == WindowPositions([], 4, [5, 6], resets: true))
    }

    @Test func aMixedFrameStandsAlone() throws {
        let notes = Probe.Notes()
        _ = try run(4, [slomo(.blend), Probe(notes: notes)], ScriptedTransitions([2: .cut]))
        let seen = windows(notes)
        #expect(seen[2] == WindowPositions([0, 1], 2, []))
        #expect(seen[3] == WindowPositions([], 3, [], resets: true))
        #expect(seen[4] == WindowPositions([], 4, [5, 6], resets: true))
    }

    /// Frames 2 and 3 of 6 are lit; a frame interpolated at the edge of the flash belongs to neither kind of light.
    @Test func aFlashDividesMadeFramesToo() throws {
        let notes = Probe.Notes()
        _ = try run(6, [slomo(), Probe(notes: notes)], ScriptedTransitions(flashes: [2, 4]))
        let seen = windows(notes)
        #expect(seen[3] == WindowPositions([], 3, []))
        #expect(seen[4] == WindowPositions([], 4, [5, 6]))
        #expect(seen[7] == WindowPositions([], 7, []))
        #expect(seen[2] == WindowPositions([0, 1], 2, []))
        #expect(seen[8] == WindowPositions([], 8, [9, 10]))
    }

    /// Lit frames end with their scene: the pair across the cut is not a flash.
    @Test func aFlashEndsAtACut() throws {
        let notes = Probe.Notes()
        let probe = Probe(window: TemporalWindow(seesFollowing: true), notes: notes)
        _ = try run(8, [probe], ScriptedTransitions([4: .cut], flashes: [2]))
        #expect(notes.seen.map(\.flashFollows) == [false, true, false, false, false, false, false, false])
        #expect(notes.seen.map(\.cutFollows) == [false, false, false, true, false, false, false, false])
        #expect(notes.seen.map { $0.following == nil } == [false, false, false, false, false, false, false, true])
    }

    /// An effect that may have moved the content does not pass on motion found before it.
    @Test(arguments: [false, true])
    func motionPassesThroughWhereItIsKept(keeps: Bool) throws {
        let notes = Probe.Notes()
        let blur = try MotionBlurPass(strength: 30, options: ConversionOptions())
        _ = try ConversionPipeline(
            source: GeneratedSource(count: 6) { try GeneratedPicture.waves(dx: 2 * $0) },
            sink: RecordingSink(), finder: ScriptedTransitions(),
            chain: EffectChain([slomo(), Probe(keepsMotion: keeps), Probe(notes: notes), blur])
        ).run()
        #expect(notes.seen.count == 11)
        #expect(notes.seen.dropFirst().allSatisfy { ($0.motion.before != nil) == keeps })
    }

    /// The motion of the previous pair must not be used for a frame without neighbours.
    @Test func aLoneFrameHasNoMotion() throws {
        let notes = Probe.Notes()
        let blur = try MotionBlurPass(strength: 30, options: ConversionOptions())
        _ = try ConversionPipeline(
            source: GeneratedSource(count: 7) { try GeneratedPicture.waves(dx: 2 * $0) },
            sink: RecordingSink(), finder: ScriptedTransitions(flashes: [3, 4]),
            chain: EffectChain([blur, Probe(notes: notes), blur])
        ).run()
        #expect(notes.seen.map { $0.motion.before != nil } == [false, true, true, false, false, true, true])
    }

    @Test func restartPointsAreTheSourcesOwn() throws {
        let notes = Probe.Notes()
        _ = try run(500, [slomo(), Probe(notes: notes)])
        #expect(notes.seen.filter(\.resets).map(\.index) == [0, 480, 960])
    }

    @Test func droppedFramesHandOnWhatLayBefore() throws {
        let notes = Probe.Notes()
        let dropping = Probe(window: TemporalWindow()) { $0.index.isMultiple(of: 2) ? $0.current.buffer : nil }
        _ = try run(8, [dropping, Probe(notes: notes)], ScriptedTransitions([3: .cut]))
        #expect(notes.seen.map(\.index) == [0, 1, 2, 3])
        #expect(notes.seen.map(\.resets) == [true, false, true, false])
        #expect(notes.seen.map(\.previous.count) == [0, 1, 0, 1])
    }

    /// However slow the sink or an effect is, no more frames are alive than the bound allows.
    @Test(arguments: [0, 1, 2], [(0, 1), (3, 3), (8, 0)])
    func livingFramesAreBounded(slow: Int, reach: (previous: Int, next: Int)) throws {
        for count in [60, 200] {
            let living = LivingPictures(), picture = picture
            let effects = (0..<3).map { index in
                Probe(window: TemporalWindow(previous: reach.previous, next: reach.next)) { _ in
                    if index == slow { usleep(200) }
                    return living.counted(picture)
                }
            }
            let sink = RecordingSink(keepsFrames: false, onWrite: { _ in if slow == 0 { usleep(300) } })
            let pipeline = ConversionPipeline(
                source: GeneratedSource(count: count) { _ in living.counted(picture) }, sink: sink,
                finder: ScriptedTransitions(), chain: try EffectChain(effects))
            let bound = try pipeline.memoryBound
            let report = try pipeline.run()
            #expect(bound.parts.map(\.name) == ["read", "Probe", "Probe", "Probe"])
            #expect(living.made == 4 * count && living.alive == 0)
            #expect(living.peak <= bound.frames)
            #expect(report.framePeaks.count == 4)
            for (part, peak) in zip(bound.parts, report.framePeaks) { #expect(peak <= part.frames && peak > 0) }
        }
    }

    /// The bound is tight: with a sink that takes nothing, the run fills up and then stops.
    @Test func nothingRunsAhead() throws {
        let gate = BoundedQueue<Int>(capacity: 1), living = LivingPictures(), picture = picture
        let sink = RecordingSink(keepsFrames: false, onWrite: { if $0 == 0 { _ = gate.pop() } })
        let pipeline = ConversionPipeline(
            source: GeneratedSource(count: 300) { _ in living.counted(picture) }, sink: sink,
            finder: ScriptedTransitions(), chain: try EffectChain([Probe(), slomo(), Probe()]))
        let bound = try pipeline.memoryBound
        let runner = WorkerThread(name: "run") { _ = try? pipeline.run() }
        #expect(waitUntil { living.made > 12 })
        var last = -1
        while last != living.made {
            last = living.made
            usleep(50_000)
        }
        #expect(living.made <= bound.frames)
        gate.finish()
        runner.join()
        #expect(living.made == 300 && living.alive == 0)
    }

    @Test(arguments: [0, 1, 2])
    func anErrorAnywhereEndsAll(place: Int) throws {
        let sink = RecordingSink()
        let effects = (0..<3).map { index in
            Probe {
                if index == place, $0.index == 20 { throw DeliberateError("effect") }
                return $0.current.buffer
            }
        }
        #expect(throws: DeliberateError("effect")) { try run(5000, effects, sink: sink) }
        #expect(sink.cancels == 1 && sink.finishes == 0)
    }

    @Test func framesOutOfOrderAreRefusedByTheNext() throws {
        struct Backwards: ClipEffect, EffectRun {
            func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
                try output.write(neighbourhood.current)
                try output.write(neighbourhood.current)
            }
        }
        #expect(throws: FrameError.self) { try run(3, [Backwards(), Probe()]) }
    }

    @Test func theBoundIsWrittenDown() throws {
        let stream = VideoStreamDescription(format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25))
        let recipe = try EffectRecipe([
            .denoise(.automatic), .upscale(.factor(Rational(2, 1))), .slomo(phases: [Rational(1, 2)]),
        ])
        let bound = try recipe.chain(ConversionOptions()).memoryBound(for: stream)
        #expect(bound.parts.map(\.name) == ["read", "denoise", "upscale", "slomo"])
        #expect(bound.parts.map(\.frames) == [17, 5, 9, 3])
        #expect(bound.parts.map(\.bytesPerFrame) == [4608, 4608, 18432, 18432])
        #expect(bound.bytes == 22 * 4608 + 12 * 18432)
    }
}
