public import FrameCore
package import Motion

/// Where a frame lies that an effect has made.
public enum FramePlace: Sendable, Hashable {
    /// It shows the frame that is worked on.
    case current
    /// Between that frame and the one that follows.
    case afterCurrent
    /// Between that frame and the one before it.
    case beforeCurrent
    /// Shown over a cut, mixed from both sides or taken from either: effects further along look at it alone.
    case acrossCut
}

/// Takes the frames that an effect makes, in presentation order, while it works on one frame.
public struct EffectOutput {
    private let take: (Frame, FramePlace, OpticalFlow?) throws -> Void
    private let takeCut: () -> Void
    /// Whether an effect further along can use motion.
    package let wantsMotion: Bool

    package init(
        wantsMotion: Bool = false, _ take: @escaping (Frame, FramePlace, OpticalFlow?) throws -> Void,
        cut: @escaping () -> Void = {}
    ) {
        self.wantsMotion = wantsMotion
        self.take = take
        takeCut = cut
    }

    /// Hands a frame on; waits while nobody takes it.
    ///
    /// - Throws: `FrameError` for a picture of another size or format than the effect has announced, and when the run
    ///   has ended; let it through.
    public func write(_ frame: Frame, _ place: FramePlace = .current) throws { try take(frame, place, nil) }

    /// The same with the motion from the frame written before to this one.
    package func write(_ frame: Frame, _ place: FramePlace = .current, motion: OpticalFlow?) throws {
        try take(frame, place, wantsMotion ? motion : nil)
    }

    /// Says that a scene begins with the frame that is worked on; for effects before which nobody looks for cuts.
    package func noteCut() { takeCut() }
}
