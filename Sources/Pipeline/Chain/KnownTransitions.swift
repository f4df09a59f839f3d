package import FrameCore
package import Motion

/// Returns the cuts and flashes that a survey of the whole clip has found; looks at no frames.
package struct KnownTransitions: TransitionFinder {
    private let cuts: Set<Int>
    private let flashes: Set<Int>
    private var index = 0

    /// - Parameters:
    ///   - cuts: the first frames of new scenes.
    ///   - flashes: frames of which exactly one of the frame and the one before it is lit by a flash.
    package init(cuts: [Int], flashes: [Int]) {
        self.cuts = Set(cuts)
        self.flashes = Set(flashes)
    }

    package var framesAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { nil }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        defer { index += 1 }
        guard index > 0 else { return [] }
        return [
            Transition(
                index: index, kind: cuts.contains(index) ? .cut : .continuous, isFlash: flashes.contains(index))
        ]
    }

    package mutating func finish() -> [Transition] {
        index = 0
        return []
    }

    package var state: [UInt8] { Self.state(at: index) }

    /// The state before the frame at `index` is appended.
    static func state(at index: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.little(Int64(index))
        return writer.bytes
    }

    package mutating func restore(_ state: [UInt8]) -> Bool {
        guard let index = ByteReader(state).little(0, as: Int64.self), index >= 0 else { return false }
        self.index = Int(index)
        return true
    }
}
