public import FrameCore

/// How often a clip shows a new picture, which may be less often than it has frames.
public struct PictureRate: Sendable, Hashable, Codable {
    /// The number of new pictures per frame, if most of the clip has one regular cadence; nil otherwise.
    public let perFrame: Rational?

    /// Creates a rate.
    public init(perFrame: Rational?) { self.perFrame = perFrame?.reduced }

    /// Returns new pictures per second in a clip with a frame rate; nil if they are not regular.
    public func perSecond(at frameRate: Rational?) -> Rational? {
        guard let perFrame, let frameRate else { return nil }
        return Rational(
            reducing: Int64(perFrame.numerator) * Int64(frameRate.numerator),
            Int64(perFrame.denominator) * Int64(frameRate.denominator))
    }
}

/// Finds the rate of new pictures in successive frames, or in groups of them; a pure value.
package struct PictureRateSurvey {
    /// The number of places at which a clip is looked at.
    package static let places = 8
    /// The number of successive frames that are looked at there: enough for all cadences.
    package static let groupLength = 90
    /// The share of the frames that the cadence must have.
    private static let leastShare = 0.5

    /// The latest two frames.
    private var latest: [PixelBuffer] = []
    private var measurement = FrameStepMeasurement()
    private var search = RepeatSearch(.lowRates)
    /// The number of steps that have not led to a decision yet.
    private var waiting = 0
    /// The number of frames by the pace of their cadence.
    private var frames: [Rational: Double] = [:]
    private var isEmpty = true
    /// The number of frames that are left out.
    package private(set) var repeats = 0

    package init() {}

    /// Adds the next frame.
    package mutating func append(_ picture: PixelBuffer) {
        isEmpty = false
        if let last = latest.last,
            let step = measurement.append(
                picture, after: last, latest.count > 1 ? latest[0] : nil, isCut: false, isMark: false)
        {
            add(step)
        }
        latest = latest.suffix(1) + [picture]
    }

    /// Ends a group of successive frames.
    package mutating func interrupt() {
        guard !isEmpty else { return }
        if let step = measurement.finish() { add(step) }
        for _ in 0...waiting { decide() }
        let (found, repeats) = (frames, repeats)
        self = PictureRateSurvey()
        (frames, self.repeats) = (found, repeats)
    }

    /// Ends the survey.
    package mutating func finish() -> PictureRate {
        interrupt()
        let all = frames.values.reduce(0, +)
        let most = frames.max { ($0.value, $1.key.doubleValue) < ($1.value, $0.key.doubleValue) }
        guard let most, most.value > all * Self.leastShare else { return PictureRate(perFrame: nil) }
        return PictureRate(perFrame: most.key)
    }

    private mutating func add(_ step: FrameStep) {
        search.append(step)
        waiting += 1
        guard waiting > RepeatSearch.framesAhead else { return }
        decide()
        waiting -= 1
    }

    private mutating func decide() {
        let decision = search.decideNext().frame
        if decision.isLeftOut { repeats += 1 }
        // A picture that stays for several frames counts as these.
        guard !decision.isLeftOut else { return }
        let pace = decision.pace ?? Rational(1, 1)
        frames[pace, default: 0] += 1 / pace.doubleValue
    }
}

extension PictureRate {
    /// Looks at groups of successive frames that are spread over a clip, or at all frames of a short one.
    ///
    /// - Parameter source: the clip, about to return its first frame. Its position changes.
    /// - Returns: nil if the source is not seekable: what can be read only once cannot be looked at beforehand.
    /// - Throws: `FrameError` if memory cannot be allocated, or if the first frame cannot be read.
    package init?(of source: some SeekableFrameSource) throws {
        guard source.isSeekable, var groups = try FrameGroups(source) else { return nil }
        let (places, length) = (PictureRateSurvey.places, PictureRateSurvey.groupLength)
        var survey = PictureRateSurvey()
        let stream = source.stream
        if let duration = stream.duration, let rate = stream.nominalFrameRate,
            duration.seconds * rate.doubleValue > Double(2 * places * length)
        {
            for place in 0..<places {
                let share = Rational(Int32(2 * place + 1), Int32(2 * places))
                try groups.read(groups.start + duration.multiplied(by: share), length) { survey.append($0.buffer) }
                survey.interrupt()
            }
        } else {
            try groups.read(nil, 2 * places * length) { survey.append($0.buffer) }
        }
        self = survey.finish()
    }
}
