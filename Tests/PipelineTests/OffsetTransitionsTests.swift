import FrameCore
import Pipeline
import TestSupport
import Testing

@Suite struct OffsetTransitionsTests {
    /// Cuts, a flash and duplicates are found as in the whole clip once the beginning is far enough away.
    @Test func transitionsAreThoseOfTheWholeClip() throws {
        let frames = try (0..<160).map { index in
            let scene = index / 37
            return try GeneratedPicture.waves(
                width: 96, height: 64, dx: (index % 5 == 4 ? index - 1 : index) * 2 + 31 * scene, dy: 50 * scene)
        }
        func transitions(from start: Int) -> [Int: String] {
            var finder = OffsetTransitions(CutSearch.lookingAhead.finder, from: start)
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

    @Test func theStateContinues() throws {
        let frames = try (0..<40).map { try GeneratedPicture.waves(width: 96, height: 64, dx: $0 < 25 ? $0 : 90 - $0) }
        var one = OffsetTransitions(CutSearch.lookingAhead.finder, from: 500)
        var first: [Int] = []
        for frame in frames[..<20] { first += one.append(one.signature(of: frame)).map(\.index) }
        var other = OffsetTransitions(CutSearch.lookingAhead.finder)
        let isRestored = other.restore(one.state)
        #expect(isRestored)
        for frame in frames[20...] {
            let (expected, found) = (one.append(one.signature(of: frame)), other.append(other.signature(of: frame)))
            #expect(found == expected)
        }
        let (expected, found) = (one.finish(), other.finish())
        #expect(found == expected)
        #expect(first.first == 500)
        var fresh = OffsetTransitions(CutSearch.lookingAhead.finder)
        let isRead = fresh.restore([1, 2, 3])
        #expect(!isRead)
    }
}
