import FrameCore
import Motion
import Pipeline
import TestSupport
import Testing

/// A neighbourhood, given by the positions of its frames.
struct WindowPositions: Equatable, CustomStringConvertible {
    var previous: [Int]
    var current: Int
    var next: [Int]
    var resets: Bool

    init(_ previous: [Int], _ current: Int, _ next: [Int], resets: Bool = false) {
        self.previous = previous
        self.current = current
        self.next = next
        self.resets = resets
    }

    /// Creates it from frames whose times are their positions.
    init(_ neighbourhood: Neighbourhood, timescale: Int32 = 25) {
        func position(_ frame: Frame) -> Int { Int(frame.presentationTime.converted(toTimescale: timescale).value) }
        previous = neighbourhood.previous.map(position)
        current = position(neighbourhood.current)
        next = neighbourhood.next.map(position)
        resets = neighbourhood.resets
    }

    var description: String { "\(previous) \(current)\(resets ? "!" : "") \(next)" }
}

@Suite struct NeighbourhoodWindowTests {
    private func windows(
        _ count: Int, previous: Int, next: Int, needsUnbroken: Bool = false, _ finder: ScriptedTransitions
    ) throws -> [Neighbourhood] {
        var timeline = SourceTimeline(finder)
        let wanted = TemporalWindow(previous: previous, next: next, needsUnbroken: needsUnbroken)
        var window = EffectWindow(wanted)
        let picture = try GeneratedPicture.flat(1, width: 2, height: 2)
        var found: [Neighbourhood] = []
        func take(_ frames: [TimelineFrame]) {
            for frame in frames {
                window.append(frame)
                #expect(window.count <= EffectWindow.capacity(wanted, knowsLast: finder.lookAhead > 0) + 1)
                while let (neighbourhood, _) = window.next() { found.append(neighbourhood) }
                #expect(window.count <= EffectWindow.capacity(wanted, knowsLast: finder.lookAhead > 0))
            }
        }
        for index in 0..<count {
            let frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25))
            take(timeline.append(TimelineFrame(frame: frame)))
            #expect(timeline.count <= SourceTimeline.capacity(lookAhead: finder.lookAhead))
        }
        take(timeline.finish())
        window.finish()
        while let (neighbourhood, _) = window.next() { found.append(neighbourhood) }
        return found
    }

    @Test func windowsAreShorterAtTheEndsOfTheClip() throws {
        let found = try windows(5, previous: 2, next: 1, ScriptedTransitions()).map { WindowPositions($0) }
        #expect(
            found == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, [2]),
                WindowPositions([0, 1], 2, [3]),
                WindowPositions([1, 2], 3, [4]), WindowPositions([2, 3], 4, []),
            ])
    }

    @Test func windowsEndAtCuts() throws {
        let found = try windows(6, previous: 3, next: 3, ScriptedTransitions([2: .cut, 3: .cut])).map {
            WindowPositions($0)
        }
        #expect(
            found == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, []),
                WindowPositions([], 2, [], resets: true), WindowPositions([], 3, [4, 5], resets: true),
                WindowPositions([3], 4, [5]), WindowPositions([3, 4], 5, []),
            ])
    }

    /// Frame 2 is lit: it has no neighbours, and the frames around it see past it unless only unbroken neighbours are
    /// allowed.
    @Test func aFlashHasAWindowOfItsOwn() throws {
        let finder = ScriptedTransitions(flashes: [2, 3])
        #expect(
            try windows(5, previous: 2, next: 2, finder).map { WindowPositions($0) } == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, [3]), WindowPositions([], 2, []),
                WindowPositions([1], 3, [4]), WindowPositions([3], 4, []),
            ])
        #expect(
            try windows(5, previous: 2, next: 2, needsUnbroken: true, finder).map { WindowPositions($0) } == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, []), WindowPositions([], 2, []),
                WindowPositions([], 3, [4]), WindowPositions([3], 4, []),
            ])
    }

    @Test func aCutEndsAFlashToo() throws {
        let found = try windows(5, previous: 4, next: 4, ScriptedTransitions([3: .cut], flashes: [2])).map {
            WindowPositions($0)
        }
        #expect(
            found == [
                WindowPositions([], 0, [1], resets: true), WindowPositions([0], 1, []), WindowPositions([], 2, []),
                WindowPositions([], 3, [4], resets: true), WindowPositions([3], 4, []),
            ])
    }

    @Test(arguments: [0, 1, 3], [0, 1, 3])
    func aSingleFrameSaysSo(previous: Int, next: Int) throws {
        let alone = try windows(1, previous: previous, next: next, ScriptedTransitions())
        #expect(alone.map(\.isOnlyFrame) == [true])
        #expect(alone.map { WindowPositions($0) } == [WindowPositions([], 0, [], resets: true)])
        let three = try windows(
            3, previous: previous, next: next, ScriptedTransitions(lookAhead: 1, [1: .cut, 2: .cut]))
        #expect(three.map(\.isOnlyFrame) == [false, false, false])
        #expect(try windows(0, previous: previous, next: next, ScriptedTransitions()).isEmpty)
    }

    @Test func stateRestartsAtFixedPositions() throws {
        let restart = ResetSchedule.interval
        let found = try windows(3 * restart, previous: 1, next: 1, ScriptedTransitions([5: .cut]))
        #expect(found.filter(\.resets).map(\.index) == [0, 5, restart, 2 * restart])
        // The frames themselves may be compared across such a boundary.
        #expect(found[restart].previous.count == 1)
    }

    /// If no later frame is needed, a result is returned as soon as it is known whether there is a cut before the
    /// frame.
    @Test func pastAloneDoesNotWait() throws {
        var timeline = SourceTimeline(NoTransitions()), window = EffectWindow(TemporalWindow(previous: 3))
        var out = 0
        for index in 0..<10 {
            let frame = Frame(
                buffer: try GeneratedPicture.flat(1, width: 2, height: 2),
                presentationTime: MediaTime(value: Int64(index), timescale: 25))
            for frame in timeline.append(TimelineFrame(frame: frame)) { window.append(frame) }
            while window.next() != nil { out += 1 }
            #expect(out == (index == 0 ? 0 : index + 1))
        }
    }

    /// With the live finder, each frame is returned as soon as it is appended, and the first frame of a scene is marked
    /// as such.
    @Test func liveUseWaitsForNothing() throws {
        let finder = CausalTransitions()
        var timeline = SourceTimeline(finder)
        var window = EffectWindow(TemporalWindow(previous: 3))
        var starts: [Int] = []
        for index in 0..<12 {
            let picture =
                index < 7
                ? try GeneratedPicture.waves(width: 160, height: 96, dx: 2 * index)
                : try GeneratedPicture.texture(width: 160, height: 96)
            let frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 25))
            let signature = finder.signature(of: picture)
            for frame in timeline.append(TimelineFrame(frame: frame, signature: signature)) { window.append(frame) }
            var last: Int?
            while let (found, _) = window.next() {
                if found.resets { starts.append(found.index) }
                last = found.index
            }
            // Only the second frame shows that there is more than one.
            #expect(last == (index == 0 ? nil : index))
        }
        #expect(starts == [0, 7])
    }

    /// All combinations of cuts and flashes in a short clip, checked against a plain statement of the rule.
    @Test(arguments: [0, 1, 3], [0, 1, 2])
    func allShortClips(previous: Int, next: Int) throws {
        for count in 1...6 {
            var mixture = 0
            while true {
                var digits = mixture
                var kinds: [Int: Transition.Kind] = [:]
                var flashes: Set<Int> = []
                for index in 1..<max(2, count) {
                    if digits % 3 == 1 { kinds[index] = .cut }
                    if digits % 3 == 2 { flashes.insert(index) }
                    digits /= 3
                }
                guard digits == 0 else { break }
                for lookAhead in [0, 1, 5] {
                    for unbroken in [false, true] {
                        let finder = ScriptedTransitions(lookAhead: lookAhead, kinds, flashes: flashes)
                        let found = try windows(
                            count, previous: previous, next: next, needsUnbroken: unbroken, finder
                        ).map { WindowPositions($0) }
                        let expected = (0..<count).map { current in
                            plain(current, count, previous, next, unbroken, kinds, flashes)
                        }
                        #expect(found == expected, "\(kinds) \(flashes) look-ahead \(lookAhead)")
                    }
                }
                mixture += 1
            }
        }
    }

    private func plain(
        _ current: Int, _ count: Int, _ previous: Int, _ next: Int, _ unbroken: Bool, _ kinds: [Int: Transition.Kind],
        _ flashes: Set<Int>
    ) -> WindowPositions {
        func scene(_ index: Int) -> Int { kinds.keys.filter { $0 <= index }.max() ?? 0 }
        func light(_ index: Int) -> Int { flashes.filter { scene(index) < $0 && $0 <= index }.count % 2 }
        func serves(_ index: Int) -> Bool {
            guard (0..<count).contains(index), scene(index) == scene(current), light(index) == light(current) else {
                return false
            }
            let between = min(index, current)...max(index, current)
            return !unbroken || between.allSatisfy { light($0) == light(current) }
        }
        return WindowPositions(
            (current - previous..<current).filter(serves), current, (current + 1..<current + 1 + next).filter(serves),
            resets: current == scene(current))
    }
}
