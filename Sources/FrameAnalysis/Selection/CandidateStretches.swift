import FrameCore

/// One candidate for each stretch of time; stretches get longer, so that there are never more than twice as many as wanted.
struct CandidateStretches: Sendable {
    private static let microsecond = Rational(1, 1_000_000)
    /// The longest stretch, in microseconds: a quarter more than its double must not overflow.
    private static let longestStretch = Int64.max / 4

    private let start: MediaTime
    private let capacity: Int
    /// Microseconds of time for which there is one candidate.
    private var stretch: Int64
    private var byStretch: [Int64: Candidate] = [:]

    init(_ options: ThumbnailSelector.Options) {
        (start, capacity) = (options.start, options.capacity)
        if let duration = options.duration, duration > .zero {
            let share = duration.ticks(of: Self.microsecond) / Int64(options.capacity)
            stretch = max(10_000, min(share, 3_600_000_000))
        } else {
            stretch = 125_000
        }
    }

    /// In any order.
    var candidates: [Candidate] { Array(byStretch.values) }

    /// The stretch of a time, counted from a quarter of a stretch before the start, so that the first frame is not at the
    /// edge of one.
    func index(of time: MediaTime) -> Int64 {
        let ticks = (time - start).ticks(of: Self.microsecond)
        let (sum, isTooLarge) = ticks.addingReportingOverflow(stretch / 4)
        let shifted = isTooLarge ? .max : sum
        let index = shifted / stretch
        return shifted < index * stretch ? index - 1 : index
    }

    /// Keeps a candidate unless its stretch has a better one.
    mutating func keep(_ candidate: Candidate, at position: Int64) {
        if let present = byStretch[position], Candidate.isBetter(present, candidate) { return }
        byStretch[position] = candidate
    }

    /// - Returns: whether there were too many candidates, so that stretches are longer now.
    mutating func widenToCapacity() -> Bool {
        var isWider = false
        while byStretch.count > 2 * capacity, stretch < Self.longestStretch {
            widen()
            isWider = true
        }
        return isWider
    }

    /// Doubles the stretches; of two neighbours the better candidate stays.
    private mutating func widen() {
        stretch = min(2 * stretch, Self.longestStretch)
        let old = byStretch
        byStretch = [:]
        for position in old.keys.sorted() {
            if let candidate = old[position] { keep(candidate, at: index(of: candidate.time)) }
        }
    }
}
