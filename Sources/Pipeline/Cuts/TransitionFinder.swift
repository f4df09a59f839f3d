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
    private var detector = TransitionDetector()

    package init() {}
    package var lookAhead: Int { TransitionDetector.lookAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature { FrameSignature(buffer) }
    package mutating func append(_ signature: FrameSignature) -> [Transition] { detector.append(signature) }
    package mutating func finish() -> [Transition] { detector.finish() }
}

/// For effects that look at their neighbours themselves, or at none.
package struct NoTransitions: TransitionFinder {
    package init() {}
    package var lookAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) {}
    package mutating func append(_ signature: Void) -> [Transition] { [] }
    package mutating func finish() -> [Transition] { [] }
}
