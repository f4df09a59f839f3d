import FrameCore
import Motion
import Pipeline
import TestSupport
import Testing

@Suite struct RestartingTransitionsTests {
    /// Cuts, a flash and duplicates are found as in the whole clip once the beginning is far enough away.
    @Test func transitionsAreThoseOfTheWholeClip() throws {
        let frames = try (0..<160).map { index in
            let scene = index / 37
            return try GeneratedPicture.waves(
                width: 96, height: 64, dx: (index % 5 == 4 ? index - 1 : index) * 2 + 31 * scene, dy: 50 * scene)
        }
        func transitions(from start: Int) -> [Int: String] {
            var finder = CutSearch.lookingAhead.finder(from: start)
            var found: [Int: String] = [:]
            let rest = frames[start...].flatMap { finder.append(finder.signature(of: $0)) } + finder.finish()
            for transition in rest { found[transition.index] = "\(transition.kind), \(transition.isFlash)" }
            return found
        }
        let whole = transitions(from: 0)
        #expect(Set(whole.values).count > 1, "the clip has more than one kind of transition")
        for start in [1, 30, 60] {
            let part = transitions(from: start)
            #expect(part.keys.min() == start)
            for index in start + 64..<160 { #expect(part[index] == whole[index], "frame \(index) from \(start)") }
        }
    }

    /// A finder whose answers depend on the frame with which it began.
    private struct Counting: TransitionFinder {
        var count = 0
        var framesAhead: Int { 0 }
        func signature(of buffer: PixelBuffer) -> FrameSignature? { nil }
        mutating func append(_ signature: FrameSignature?) -> [Transition] {
            defer { count += 1 }
            return count > 0 ? [Transition(index: count, kind: count % 5 == 0 ? .cut : .continuous)] : []
        }
        mutating func finish() -> [Transition] { [] }
    }

    /// From a few frames before each reset point on, it does not matter where reading began.
    @Test func theBeginningIsForgottenBeforeAResetPoint() {
        func kinds(from start: Int) -> [Int: Transition.Kind] {
            var finder = RestartingTransitions(Counting(), from: start)
            var kinds: [Int: Transition.Kind] = [:]
            for index in start..<700 {
                for transition in finder.append(nil) {
                    #expect(
                        kinds.updateValue(transition.kind, forKey: transition.index) == nil && transition.index <= index
                    )
                }
            }
            return kinds
        }
        let whole = kinds(from: 0)
        #expect(whole.count == 699)
        for start in [1, 100, 240 - 64] {
            let part = kinds(from: start)
            #expect(part.count == 700 - start)
            for index in 240 - 16..<700 { #expect(part[index] == whole[index], "frame \(index) from \(start)") }
        }
        #expect((101..<200).contains { kinds(from: 101)[$0] != whole[$0] })
    }

    @Test func theStateContinues() throws {
        let frames = try (0..<40).map { try GeneratedPicture.waves(width: 96, height: 64, dx: $0 < 25 ? $0 : 90 - $0) }
        var one = CutSearch.lookingAhead.finder(from: 500)
        var first: [Int] = []
        for frame in frames[..<20] { first += one.append(one.signature(of: frame)).map(\.index) }
        var other = CutSearch.lookingAhead.finder
        let isRestored = other.restore(one.state)
        #expect(isRestored)
        for frame in frames[20...] {
            let (expected, found) = (one.append(one.signature(of: frame)), other.append(other.signature(of: frame)))
            #expect(found == expected)
        }
        let (expected, found) = (one.finish(), other.finish())
        #expect(found == expected)
        #expect(first.first == 500)
        var fresh = CutSearch.lookingAhead.finder
        let isRead = fresh.restore([1, 2, 3])
        #expect(!isRead)
    }
}
