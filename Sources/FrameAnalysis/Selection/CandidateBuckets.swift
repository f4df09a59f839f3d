internal import FrameCore

/// The best candidate of each time bucket. Buckets grow longer as needed, so that there are never more than twice as
/// many candidates as `capacity`.
struct CandidateBuckets: Sendable {
    private static let microsecond = Rational(1, 1_000_000)
    /// The longest bucket, in microseconds: twice its length plus a quarter must not overflow.
    private static let longestBucket = Int64.max / 4

    private let start: MediaTime
    private let capacity: Int
    /// The length of a bucket in microseconds.
    private var length: Int64
    private var byIndex: [Int64: Candidate] = [:]

    init(_ options: ThumbnailSelector.Options) {
        (start, capacity) = (options.start, options.capacity)
        if let duration = options.duration, duration > .zero {
            let share = duration.ticks(of: Self.microsecond) / Int64(options.capacity)
            length = max(10_000, min(share, 3_600_000_000))
        } else {
            length = 125_000
        }
    }

    /// The best candidate of each bucket, in any order.
    var candidates: [Candidate] { Array(byIndex.values) }

    /// The bucket of a time. The first bucket begins a quarter of its length before the start, so that the first frame
    /// is not at the edge of a bucket.
    func index(of time: MediaTime) -> Int64 {
        let ticks = (time - start).ticks(of: Self.microsecond)
        let (sum, isTooLarge) = ticks.addingReportingOverflow(length / 4)
        let shifted = isTooLarge ? .max : sum
        let index = shifted / length
        return shifted < index * length ? index - 1 : index
    }

    /// Whether a frame at `time` that follows one at `last` can be the first of its bucket, at the present length of the
    /// buckets or any longer one.
    func mayBegin(at time: MediaTime, after last: MediaTime) -> Bool {
        var wider = self
        while wider.index(of: time) == wider.index(of: last) {
            guard wider.length < Self.longestBucket else { return false }
            wider.length = min(2 * wider.length, Self.longestBucket)
        }
        return true
    }

    /// Keeps a candidate unless its bucket already has a better one.
    mutating func keep(_ candidate: Candidate, at position: Int64) {
        if let present = byIndex[position], Candidate.isBetter(present, candidate) { return }
        byIndex[position] = candidate
    }

    /// Lengthens the buckets until there are at most twice `capacity`.
    ///
    /// - Returns: whether the buckets became longer.
    mutating func widenToCapacity() -> Bool {
        var isWider = false
        while byIndex.count > 2 * capacity, length < Self.longestBucket {
            widen()
            isWider = true
        }
        return isWider
    }

    /// Doubles the length of the buckets; when two merge, the better candidate stays.
    private mutating func widen() {
        length = min(2 * length, Self.longestBucket)
        let old = byIndex
        byIndex = [:]
        for position in old.keys.sorted() {
            if let candidate = old[position] { keep(candidate, at: index(of: candidate.time)) }
        }
    }
}
