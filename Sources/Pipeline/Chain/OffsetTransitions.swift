package import FrameCore
package import Motion

/// Finds transitions from the middle of a clip on, numbered as in the whole clip.
///
/// The finder itself begins anew there. It looks back a bounded number of frames, so it finds what it finds in the whole
/// clip once that many frames have passed; see ``framesToSettle``.
package struct OffsetTransitions: TransitionFinder {
    /// The number of frames after which the history before the beginning no longer matters. Fades are remembered for
    /// longest.
    static let framesToSettle = 64

    private var finder: any TransitionFinder
    private var offset: Int
    private var hasBegun = false

    /// - Parameters:
    ///   - finder: a new finder.
    ///   - offset: the number of the first frame that is appended.
    package init(_ finder: any TransitionFinder, from offset: Int = 0) {
        self.finder = finder
        self.offset = offset
    }

    package var framesAhead: Int { finder.framesAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { finder.signature(of: buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        // The frame before the first is not known.
        let first = hasBegun || offset == 0 ? [] : [Transition(index: offset, kind: .continuous)]
        hasBegun = true
        return first + finder.append(signature).map(numbered)
    }

    package mutating func finish() -> [Transition] { finder.finish().map(numbered) }

    private func numbered(_ transition: Transition) -> Transition {
        var transition = transition
        transition.index += offset
        return transition
    }

    package var state: [UInt8] {
        var writer = ByteWriter()
        writer.little(Int64(offset))
        writer.raw([hasBegun ? 1 : 0])
        if hasBegun { writer.raw(finder.state) }
        return writer.bytes
    }

    package mutating func restore(_ state: [UInt8]) -> Bool {
        var reader = ByteReader(state)
        guard let offset = reader.nextLittle(Int64.self), offset >= 0, let begun = reader.nextLittle(UInt8.self),
            begun <= 1
        else { return false }
        let rest = Array(reader.next(reader.count - reader.position) ?? [])
        guard begun == 1 ? finder.restore(rest) : rest.isEmpty else { return false }
        (self.offset, hasBegun) = (Int(offset), begun == 1)
        return true
    }
}
