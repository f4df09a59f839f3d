package import FrameCore
internal import Motion

/// What lies before a frame, found once on the source and handed on from effect to effect.
package struct Junction: Sendable, Hashable {
    /// Whether a scene begins with the frame.
    package var isCut = false
    /// Whether exactly one of the frame and the one before is lit by a flash.
    package var isFlash = false
    /// Which restart point of the source's timeline lies here, counted from 0; the latest where frames were left out.
    package var restartPoint: Int?
    /// Whether the frame was made between one that a flash lights and one that it does not: like neither.
    package var isOfMixedLight = false

    package init(
        isCut: Bool = false, isFlash: Bool = false, restartPoint: Int? = nil, isOfMixedLight: Bool = false
    ) {
        self.isCut = isCut
        self.isFlash = isFlash
        self.restartPoint = restartPoint
        self.isOfMixedLight = isOfMixedLight
    }

    /// Whether all that runs from frame to frame begins anew.
    package var isRestart: Bool { restartPoint != nil }

    /// Adds what lay before frames that were left out.
    mutating func join(_ other: Junction) {
        isCut = isCut || other.isCut
        restartPoint = other.restartPoint ?? restartPoint
        // Two edges of a flash, and the light is as it was.
        isFlash = isFlash != other.isFlash
    }
}

/// A frame on its way through a chain.
package struct TimelineFrame: Sendable {
    package var frame: Frame
    package var before: Junction
    /// Whether no frame follows; nil as long as nobody knows.
    package var isLast: Bool?
    /// Whether its samples are the source's.
    var isUntouched: Bool
    /// When it came to the first effect, or was handed on by the one before.
    var arrival: ContinuousClock.Instant
    /// From the frame before to this one, where an effect has found it.
    var motion: OpticalFlow?
    /// Counts the frame as alive.
    var token: FrameGauge.Token?

    package init(
        frame: Frame, before: Junction = Junction(), isLast: Bool? = nil, isUntouched: Bool = true,
        arrival: ContinuousClock.Instant = .now
    ) {
        self.frame = frame
        self.before = before
        self.isLast = isLast
        self.isUntouched = isUntouched
        self.arrival = arrival
    }
}
