package import FrameCore
package import Motion

/// How cuts are looked for.
public enum CutSearch: Sendable, Hashable, CaseIterable {
    /// With the help of frames to come; duplicates and flashes are found too.
    case lookingAhead
    /// By the frames so far, for effects that wait for none to come.
    case live
    /// Not at all, or by the effect: all frames are taken as of one scene.
    case none

    /// Of a clip's own.
    var finder: any TransitionFinder {
        switch self {
        case .lookingAhead: SceneCutDetector()
        case .live: CausalTransitions()
        case .none: NoTransitions()
        }
    }
}

/// Tells what lies between neighbouring frames, fed one frame at a time.
///
/// Reducing a frame to a signature needs no history, so it can run on another thread than the decisions.
package protocol TransitionFinder: Sendable {
    /// The most frames that must follow a pair before its transition comes out.
    var framesAhead: Int { get }
    /// nil where the decisions need none.
    func signature(of buffer: PixelBuffer) -> FrameSignature?
    /// Takes the next frame; returns the transitions that have become certain, one per pair, in order.
    mutating func append(_ signature: FrameSignature?) -> [Transition]
    /// Ends the clip and returns the transitions left.
    mutating func finish() -> [Transition]
}

/// Cuts and duplicates found in the pictures.
extension SceneCutDetector: TransitionFinder {
    package var framesAhead: Int { Self.lookAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { FrameSignature(buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        guard let signature else { return [] }
        return append(signature)
    }
}

/// Cuts told as soon as a frame is there, for effects that wait for none to come; duplicates are not looked for.
package struct CausalTransitions: TransitionFinder {
    private var detector = CausalSceneCutDetector()
    private var last: FrameSignature?
    private var index = 0

    package init() {}
    package var framesAhead: Int { 0 }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { FrameSignature(buffer) }

    package mutating func append(_ signature: FrameSignature?) -> [Transition] {
        defer { last = signature }
        guard let last, let signature else { return [] }
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
}
