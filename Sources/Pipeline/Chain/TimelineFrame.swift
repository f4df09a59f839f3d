package import FrameCore
package import Motion

/// A frame on its way from the source through a chain of effects to the sink.
package struct TimelineFrame: Sendable {
    /// What separates a frame from the one before it; found once on the source and passed from effect to effect.
    package struct Boundary: Sendable, Hashable {
        /// Whether a scene begins with the frame.
        package var isCut = false
        /// Whether exactly one of the two frames is lit by a flash.
        package var isFlash = false
        /// The number of the source's reset point at this boundary, where all state kept between frames is dropped; the
        /// latest one if frames were left out.
        package var resetPoint: Int?
        /// Whether the frame was interpolated between a frame lit by a flash and one that is not, so that it matches
        /// neither.
        package var isOfMixedLight = false
        /// The time until which the frame before stands still, if that is a long hold (see ``LongHolds``).
        package var heldUntil: MediaTime?
        /// Whether an effect left out frames before this one.
        var followsGap = false

        package init(
            isCut: Bool = false, isFlash: Bool = false, resetPoint: Int? = nil, isOfMixedLight: Bool = false,
            heldUntil: MediaTime? = nil
        ) {
            self.isCut = isCut
            self.isFlash = isFlash
            self.resetPoint = resetPoint
            self.isOfMixedLight = isOfMixedLight
            self.heldUntil = heldUntil
        }

        /// Merges the boundary of a frame that was left out into this one.
        mutating func join(_ other: Boundary) {
            isCut = isCut || other.isCut
            resetPoint = other.resetPoint ?? resetPoint
            heldUntil = other.heldUntil ?? heldUntil
            followsGap = followsGap || other.followsGap
            // Two edges of a flash cancel out: the light is as it was before.
            isFlash = isFlash != other.isFlash
        }
    }

    package var frame: Frame
    /// The time of the source frame that this frame comes from.
    var sourceTime: MediaTime
    /// The number of that source frame in the clip, from 0.
    var sourceNumber = 0
    /// Whether this is the first source frame, which comes again after the last.
    var isFirstAgain = false
    package var before: Boundary
    /// Whether this is the last frame; nil while that is not known.
    package var isLast: Bool?
    /// The signature used for cut detection; dropped when the frame enters the ``SourceTimeline``.
    var signature: FrameSignature?
    /// The place of the frame in the input, if a checkpoint is to be taken there; dropped together with the signature.
    var position: SourcePosition?
    /// The checksum of the samples, for a frame between a checkpoint and its reset point.
    var checksum: UInt32?
    /// Whether the samples are those of the source.
    var isUntouched: Bool
    /// When the frame reached the first effect, or when the previous effect sent it.
    var arrival: ContinuousClock.Instant
    /// When the source frame was read that the first effect made the frame for.
    var reading: ContinuousClock.Instant
    /// The motion from the previous frame to this one, if an effect has found it.
    var motion: OpticalFlow?
    /// Keeps the frame counted as alive.
    var token: LiveFrameCounter.Token?

    package init(
        frame: Frame, before: Boundary = Boundary(), isLast: Bool? = nil, signature: FrameSignature? = nil,
        isUntouched: Bool = true, arrival: ContinuousClock.Instant = .now
    ) {
        self.frame = frame
        sourceTime = frame.presentationTime
        self.before = before
        self.isLast = isLast
        self.signature = signature
        self.isUntouched = isUntouched
        self.arrival = arrival
        reading = arrival
    }
}
