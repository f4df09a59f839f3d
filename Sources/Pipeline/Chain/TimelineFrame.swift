package import FrameCore
package import Motion

/// A frame on its way from the source through a chain to the sink.
package struct TimelineFrame: Sendable {
    /// What lies between a frame and the one before it, found once on the source and handed on from effect to effect.
    package struct Boundary: Sendable, Hashable {
        /// Whether a scene begins with the frame.
        package var isCut = false
        /// Whether exactly one of the frame and the one before is lit by a flash.
        package var isFlash = false
        /// Number of the source's reset point that lies here, where all that is remembered from frame to frame is dropped;
        /// the latest where frames were left out.
        package var resetPoint: Int?
        /// Whether the frame was made between one that a flash lights and one that it does not: like neither.
        package var isOfMixedLight = false

        package init(
            isCut: Bool = false, isFlash: Bool = false, resetPoint: Int? = nil, isOfMixedLight: Bool = false
        ) {
            self.isCut = isCut
            self.isFlash = isFlash
            self.resetPoint = resetPoint
            self.isOfMixedLight = isOfMixedLight
        }

        /// Adds what lay before frames that were left out.
        mutating func join(_ other: Boundary) {
            isCut = isCut || other.isCut
            resetPoint = other.resetPoint ?? resetPoint
            // Two edges of a flash, and the light is as it was.
            isFlash = isFlash != other.isFlash
        }
    }

    package var frame: Frame
    package var before: Boundary
    /// Whether no frame follows; nil as long as that is not known.
    package var isLast: Bool?
    /// What cuts are found by, until the frame enters the ``SourceTimeline``.
    var signature: FrameSignature?
    /// Whether its samples are the source's.
    var isUntouched: Bool
    /// When it came to the first effect, or was handed on by the one before.
    var arrival: ContinuousClock.Instant
    /// From the frame before to this one, where an effect has found it.
    var motion: OpticalFlow?
    /// Counts the frame as alive.
    var token: LiveFrameCounter.Token?

    package init(
        frame: Frame, before: Boundary = Boundary(), isLast: Bool? = nil, signature: FrameSignature? = nil,
        isUntouched: Bool = true, arrival: ContinuousClock.Instant = .now
    ) {
        self.frame = frame
        self.before = before
        self.isLast = isLast
        self.signature = signature
        self.isUntouched = isUntouched
        self.arrival = arrival
    }
}
