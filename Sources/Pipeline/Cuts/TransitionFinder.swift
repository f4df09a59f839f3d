package import FrameCore
package import Motion

/// Tells what lies between neighbouring frames, fed one frame at a time.
///
/// Reducing a frame to a signature needs no history, so it can run on another thread than the decisions.
package protocol TransitionFinder: Sendable {
    associatedtype Signature: Sendable
    /// The most frames that must follow a pair before its transition comes out.
    var lookAhead: Int { get }
    func signature(of buffer: PixelBuffer) -> Signature
    /// Takes the next frame; returns the transitions that have become certain, one per pair, in order.
    mutating func append(_ signature: Signature) -> [Transition]
    /// Ends the clip and returns the transitions left.
    mutating func finish() -> [Transition]
}

/// Cuts and duplicates found in the pictures.
package struct DetectedTransitions: TransitionFinder {
    private var detector = SceneCutDetector()

    package init() {}
    package var lookAhead: Int { SceneCutDetector.lookAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature { FrameSignature(buffer) }
    package mutating func append(_ signature: FrameSignature) -> [Transition] { detector.append(signature) }
    package mutating func finish() -> [Transition] { detector.finish() }
}

/// Cuts told as soon as a frame is there, for effects that wait for none to come; duplicates are not looked for.
package struct CausalTransitions: TransitionFinder {
    private var detector = CausalSceneCutDetector()
    private var last: FrameSignature?
    private var index = 0

    package init() {}
    package var lookAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) -> FrameSignature { FrameSignature(buffer) }

    package mutating func append(_ signature: FrameSignature) -> [Transition] {
        defer { last = signature }
        guard let last else { return [] }
        index += 1
        return [Transition(index: index, kind: detector.isCut(last, signature) ? .cut : .continuous)]
    }

    package mutating func finish() -> [Transition] {
        self = CausalTransitions()
        return []
    }
}

/// For effects that look at their neighbours themselves, or at none: all frames are taken as of one scene.
package struct NoTransitions: TransitionFinder {
    private var index = 0

    package init() {}
    package var lookAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) {}

    package mutating func append(_ signature: Void) -> [Transition] {
        defer { index += 1 }
        return index > 0 ? [Transition(index: index, kind: .continuous)] : []
    }

    package mutating func finish() -> [Transition] {
        self = NoTransitions()
        return []
    }
}
