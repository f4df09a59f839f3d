public import FrameCore
package import Motion

/// How a run detects scene cuts.
public struct CutSearch: Sendable, Hashable, CustomStringConvertible {
    private enum Method: String { case lookingAhead, live, none }

    private let method: Method
    /// The evidence from which a change of picture counts as a cut, 0…1: with a higher one, fewer cuts are found.
    public private(set) var threshold = Self.defaultThreshold

    /// Detects cuts by looking at later frames too; also finds duplicates and flashes.
    public static let lookingAhead = CutSearch(method: .lookingAhead)
    /// Detects cuts from past frames only, for effects that must not wait for later ones.
    public static let live = CutSearch(method: .live)
    /// Detects no cuts, or leaves that to the effect: all frames count as one scene.
    public static let none = CutSearch(method: .none)

    /// The threshold unless another one is chosen.
    public static let defaultThreshold = SceneCutDetector.defaultThreshold

    /// Returns the same search with another threshold.
    ///
    /// - Throws: `FrameError` if it is not 0…1.
    public func withThreshold(_ threshold: Float) throws(FrameError) -> CutSearch {
        guard (0...1).contains(threshold) else {
            throw FrameError(
                .invalidArgument, "a cut threshold of \(threshold) is not allowed; it must be from 0 to 1")
        }
        var search = self
        search.threshold = threshold
        return search
    }

    /// Whether later frames are looked at.
    package var looksAhead: Bool { method == .lookingAhead }
    /// Whether cuts are detected at all.
    package var detectsCuts: Bool { method != .none }

    /// The kind of search, and the threshold if it is not the default one.
    public var description: String {
        method.rawValue + (threshold == Self.defaultThreshold ? "" : " from \(threshold) on")
    }

    /// A new finder of this kind, for one clip.
    package var finder: any TransitionFinder { finder(from: 0) }

    /// A new finder of this kind.
    ///
    /// - Parameter frame: the number of the first frame that is appended.
    package func finder(from frame: Int) -> any TransitionFinder {
        switch method {
        case .lookingAhead: RestartingTransitions(SceneCutDetector(threshold: threshold), from: frame)
        case .live: RestartingTransitions(CausalTransitions(threshold: threshold), from: frame)
        case .none: RestartingTransitions(NoTransitions(), from: frame)
        }
    }
}

/// Classifies the transition between neighbouring frames, fed one frame at a time.
///
/// Reducing a frame to a signature needs no history, so it can run on a different thread from the decisions.
package protocol TransitionFinder: Sendable {
    /// The maximum number of frames that must follow a pair before its transition is returned.
    var framesAhead: Int { get }
    /// Returns the signature that ``append(_:)`` needs for a frame; nil if it needs none.
    func signature(of buffer: PixelBuffer) -> FrameSignature?
    /// Takes the next frame and returns the transitions that are now certain, one per pair, in order.
    mutating func append(_ signature: FrameSignature?) -> [Transition]
    /// Ends the clip and returns the remaining transitions.
    mutating func finish() -> [Transition]
    /// The state after the frames appended so far, as bytes.
    var state: [UInt8] { get }
    /// Continues from a state; returns false if the bytes are not one.
    mutating func restore(_ state: [UInt8]) -> Bool
}

extension TransitionFinder {
    /// By default empty, because nothing can be continued.
    package var state: [UInt8] { [] }
    /// By default false.
    package mutating func restore(_ state: [UInt8]) -> Bool { false }
}

/// Finds cuts, duplicates and flashes with the help of later frames.
extension SceneCutDetector: TransitionFinder {
    package var framesAhead: Int { Self.lookAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { FrameSignature(buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        guard let signature else { return [] }
        return append(signature)
    }

    package mutating func restore(_ state: [UInt8]) -> Bool {
        guard let detector = SceneCutDetector(state: state, threshold: threshold) else { return false }
        self = detector
        return true
    }
}

/// Reports cuts as soon as a frame arrives, for effects that wait for no later frame; does not detect duplicates.
package struct CausalTransitions: TransitionFinder {
    private var detector: CausalSceneCutDetector
    private var last: FrameSignature?
    private var index = 0

    /// - Parameter threshold: the evidence from which a pair is a cut, 0…1.
    package init(threshold: Float = SceneCutDetector.defaultThreshold) {
        detector = CausalSceneCutDetector(threshold: threshold)
    }

    package var framesAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { FrameSignature(buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        defer { last = signature }
        guard let last, let signature else { return [] }
        index += 1
        return [Transition(index: index, kind: detector.isCut(last, signature) ? .cut : .continuous)]
    }

    package mutating func finish() -> [Transition] {
        self = CausalTransitions(threshold: detector.threshold)
        return []
    }

    package var state: [UInt8] {
        var writer = ByteWriter()
        writer.little(Int64(index))
        let detector = detector.state
        writer.little(UInt32(detector.count))
        writer.raw(detector)
        writer.raw(last?.state ?? [])
        return writer.bytes
    }

    package mutating func restore(_ state: [UInt8]) -> Bool {
        var reader = ByteReader(state)
        guard let index = reader.nextLittle(Int64.self), index >= 0, let length = reader.nextLittle(UInt32.self),
            let bytes = reader.next(Int(length)),
            let detector = CausalSceneCutDetector(state: Array(bytes), threshold: self.detector.threshold),
            let last = FrameSignature(state: Array(reader.next(reader.count - reader.position) ?? []))
        else { return false }
        (self.index, self.detector, self.last) = (Int(index), detector, last)
        return true
    }
}

/// Reports every transition as continuous, for effects that compare neighbours themselves or not at all.
package struct NoTransitions: TransitionFinder {
    private var index = 0

    package init() {}
    package var framesAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { nil }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        defer { index += 1 }
        return index > 0 ? [Transition(index: index, kind: .continuous)] : []
    }

    package mutating func finish() -> [Transition] {
        self = NoTransitions()
        return []
    }

    package var state: [UInt8] {
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
