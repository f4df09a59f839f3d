package import FrameCore
package import FrameEffects

/// A frame and those round it that an effect may use: never one from the other side of a cut, nor one of other light.
package struct Neighbourhood: Sendable {
    /// Frames before ``current``, in presentation order: the nearest is the last.
    package var previous: [Frame]
    package var current: Frame
    /// Frames after ``current``, in presentation order: the nearest is the first.
    package var next: [Frame]
    /// Position of ``current`` in the clip, counted from 0.
    package var index: Int
    /// Whether what the effect remembers of earlier frames must be forgotten: the clip or a scene begins with
    /// ``current``, or its position is a multiple of ``MotionChain/restartInterval``.
    package var restarts: Bool
    /// Whether the clip has no other frame.
    package var isOnlyFrame: Bool

    package init(
        previous: [Frame], current: Frame, next: [Frame], index: Int, restarts: Bool, isOnlyFrame: Bool = false
    ) {
        self.previous = previous
        self.current = current
        self.next = next
        self.index = index
        self.restarts = restarts
        self.isOnlyFrame = isOnlyFrame
    }
}

/// An effect that makes of each frame one of the same time and format, from the frames round it.
package protocol NeighbourhoodEffect: SendableMetatype {
    /// Frames before a frame that the effect can use; at the clip's ends, at cuts and round flashes there are fewer.
    var previousCount: Int { get }
    /// The same for frames after it.
    var nextCount: Int { get }
    /// Whether a neighbour serves only when all frames between are neighbours too. Else the frames on the other side
    /// of a flash, which are lit alike, are handed in as well.
    var needsUnbrokenNeighbours: Bool { get }
    /// Size of what comes out; nil keeps that of what goes in.
    var outputSize: FrameDimensions? { get }
    /// Width of a pixel over its height in what comes out.
    func sampleAspectRatio(_ source: Rational?) -> Rational?
    /// How the code values are meant in what comes out.
    func color(_ source: ColorDescription) -> ColorDescription
    /// What the effect found out about the clip so far, for reports.
    var findings: [EffectFinding] { get }
    /// Called once for each frame of the clip, in order.
    mutating func process(_ neighbourhood: Neighbourhood) throws -> PixelBuffer
}

extension NeighbourhoodEffect {
    package var needsUnbrokenNeighbours: Bool { false }
    package var outputSize: FrameDimensions? { nil }
    package func sampleAspectRatio(_ source: Rational?) -> Rational? { source }
    package func color(_ source: ColorDescription) -> ColorDescription { source }
    package var findings: [EffectFinding] { [] }
}
