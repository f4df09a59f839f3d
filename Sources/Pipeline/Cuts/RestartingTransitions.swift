package import FrameCore
package import Motion

/// Finds transitions so that those around and after a reset point depend only on frames from shortly before it, whether
/// the clip is read from its beginning or not.
///
/// A finder may remember the past without a limit. So before each reset point a new one begins ``ResetSchedule/lead`` frames early,
/// and takes over from the one before it ``overlap`` frames early, once it has seen all that usually matters.
/// Transitions are numbered as in the whole clip.
package struct RestartingTransitions: TransitionFinder {
    /// The number of frames before a reset point from which transitions depend on those ``ResetSchedule/lead`` frames only: more than
    /// any effect looks back.
    static let overlap = 16

    private let fresh: any TransitionFinder
    private var current: any TransitionFinder
    /// The frame with which `current` has begun.
    private var start: Int
    private var successor: (finder: any TransitionFinder, start: Int)?
    /// The frame that is appended next.
    private var index: Int

    /// - Parameters:
    ///   - finder: a new finder.
    ///   - first: the number of the first frame that is appended.
    package init(_ finder: any TransitionFinder, from first: Int = 0) {
        (fresh, current) = (finder, finder)
        (start, index) = (first, first)
    }

    package var framesAhead: Int { fresh.framesAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { fresh.signature(of: buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        // Nothing is known about the frame before the first.
        var found = index == start && start > 0 && successor == nil ? [Transition(index: start, kind: .continuous)] : []
        if index > start, ResetSchedule.point(at: index + ResetSchedule.lead) != nil { successor = (fresh, index) }
        index += 1
        found += Self.numbered(current.append(signature), from: start)
        guard var successor else { return found }
        let later = Self.numbered(successor.finder.append(signature), from: successor.start)
        self.successor = successor
        return joined(found, later)
    }

    package mutating func finish() -> [Transition] {
        let found = Self.numbered(current.finish(), from: start)
        guard var successor else { return found }
        return joined(found, Self.numbered(successor.finder.finish(), from: successor.start))
    }

    /// Joins what both finders have found, and lets the successor take over when its turn has come.
    private mutating func joined(_ found: [Transition], _ later: [Transition]) -> [Transition] {
        guard let successor else { return found }
        let turn = successor.start + ResetSchedule.lead - Self.overlap
        let later = later.filter { $0.index >= turn }
        if !later.isEmpty { (current, start, self.successor) = (successor.finder, successor.start, nil) }
        return found.filter { $0.index < turn } + later
    }

    private static func numbered(_ transitions: [Transition], from start: Int) -> [Transition] {
        transitions.map { transition in
            var transition = transition
            transition.index += start
            return transition
        }
    }

    package var state: [UInt8] {
        var writer = ByteWriter()
        for number in [index, start, successor?.start ?? 0] { writer.little(Int64(number)) }
        let states = index > start ? [current.state, successor?.finder.state ?? []] : [[], []]
        for state in states {
            writer.little(UInt32(state.count))
            writer.raw(state)
        }
        return writer.bytes
    }

    package mutating func restore(_ state: [UInt8]) -> Bool {
        var reader = ByteReader(state[...])
        func number(_ reader: inout ByteReader) -> Int? {
            reader.nextLittle(Int64.self).flatMap { $0 >= 0 ? Int($0) : nil }
        }
        func part(_ reader: inout ByteReader) -> [UInt8]? {
            reader.nextLittle(UInt32.self).flatMap { reader.next(Int($0)) }.map(Array.init)
        }
        guard let index = number(&reader), let start = number(&reader), let later = number(&reader), start <= index,
            later <= index, let own = part(&reader), let other = part(&reader), reader.position == state.count
        else { return false }
        (current, successor) = (fresh, nil)
        guard index > start ? current.restore(own) : own.isEmpty else { return false }
        if later > 0 {
            var finder = fresh
            guard later > start, finder.restore(other) else { return false }
            successor = (finder, later)
        } else if !other.isEmpty {
            return false
        }
        (self.index, self.start) = (index, start)
        return true
    }
}
