package import FrameCore
internal import FrameEffects

/// What motion blur over a clip is to do.
package struct MotionBlurSettings: Sendable, Hashable {
    /// Strengths that are allowed, in units of 3.6° of shutter angle.
    package static let strengthRange = 1...100

    package let strength: Int
    /// Whether exposure is summed up in linear light.
    package let isLinearLight: Bool
    package let options: ConversionOptions

    /// - Throws: ``FrameError`` when `strength` lies outside ``strengthRange``.
    package init(strength: Int, isLinearLight: Bool = false, options: ConversionOptions) throws(FrameError) {
        guard Self.strengthRange.contains(strength) else {
            throw FrameError(
                .invalidArgument,
                "strength \(strength) is not allowed; it is a whole number from \(Self.strengthRange.lowerBound) to \(Self.strengthRange.upperBound)"
            )
        }
        self.strength = strength
        self.isLinearLight = isLinearLight
        self.options = options
    }
}

/// Motion blur over a clip.
package struct MotionBlurPass: NeighbourhoodEffect {
    private let settings: MotionBlurSettings
    private var engine: MotionBlurEngine?

    package init(_ settings: MotionBlurSettings) { self.settings = settings }

    package var previousCount: Int { 1 }
    package var nextCount: Int { 1 }
    /// Motion means nothing between frames that are not neighbours.
    package var needsUnbrokenNeighbours: Bool { true }

    package mutating func process(_ neighbourhood: Neighbourhood) throws -> PixelBuffer {
        let current = neighbourhood.current.buffer
        let previous = neighbourhood.previous.last?.buffer, next = neighbourhood.next.first?.buffer
        // Nothing tells how a frame that stands alone moves.
        guard previous != nil || next != nil else { return current }
        let engine =
            try self.engine
            ?? MotionBlurEngine(
                format: current.format, width: current.width, height: current.height, quality: settings.options.quality,
                linearLight: settings.isLinearLight, threads: settings.options.threads)
        self.engine = engine
        // Where there is a previous frame, this one was its next.
        let relation: PairRelation = neighbourhood.restarts || previous == nil ? .none : .follows
        return try engine.blur(
            current, previous: previous, next: next, color: neighbourhood.current.color, strength: settings.strength,
            relation: relation)
    }
}
