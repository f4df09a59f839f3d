internal import FrameCore

/// How long pictures stay in a stretch of frames; a pure value.
struct PictureRuns {
    /// Whether each frame shows a new picture.
    let isNew: [Bool]
    /// Whether the first of the frames is the first one that is known, so that the frame before may show the same picture.
    let beginsWithFirst: Bool
    /// The usual number of frames that a picture stays.
    let usualLength: Int

    /// The longest cadence, in frames: that of 24 in 25 and of 24 in 50.
    private static let longestCadence = 25
    /// The smallest number of frames that must be as one period earlier.
    private static let fewestReturns = 5
    /// The share of pictures that must stay for about the usual time, as a fraction.
    private static let regularShare = (2, 3)

    init(isNew: [Bool], beginsWithFirst: Bool) {
        (self.isNew, self.beginsWithFirst) = (isNew, beginsWithFirst)
        let places = isNew.indices.filter { isNew[$0] }
        let lengths = zip(places, places.dropFirst()).map { $1 - $0 }.sorted()
        guard !lengths.isEmpty else {
            usualLength = 1
            return
        }
        let median = lengths[(lengths.count - 1) / 2]
        let regular = lengths.count { abs($0 - median) <= 1 }
        // Where pictures stay for any time, as in screen recordings, they change about as fast as those that stay shortest.
        usualLength =
            regular * Self.regularShare.1 >= lengths.count * Self.regularShare.0 ? median : lengths[lengths.count / 4]
    }

    /// Returns how long the picture at a place stays, and how many frames after that place the next one comes; nil for what is
    /// not known.
    func run(around place: Int) -> (length: Int?, rest: Int?) {
        let next = isNew[(place + 1)...].firstIndex(of: true), start = isNew[...place].lastIndex(of: true)
        return (next.flatMap { next in start.map { next - $0 } }, next.map { $0 - place })
    }

    /// The regular cadence to which a picture belongs.
    struct Cadence {
        /// How much earlier than its frame the picture is due, as a share of the time since the frame before.
        var lead: Rational
        /// The number of new pictures per frame.
        var pace: Rational
    }

    /// Returns the cadence to which a new picture belongs; nil if there is none.
    ///
    /// Where new pictures come in a regular cadence of D in P frames, they are evenly spaced from the one that stays longest:
    /// number j of them is due j·P/D frames after it, and comes with the next frame.
    func cadence(at place: Int) -> Cadence? {
        // Parts of a long cadence look like a short one, but not for as long.
        var longest: (length: Int, cadence: Cadence?) = (0, nil)
        for period in 2...Self.longestCadence {
            guard let frames = steadyFrames(around: place, period), frames.count > longest.length,
                let cadence = cadence(at: place, max(frames.lowerBound, place - period + 1)..<frames.upperBound, period)
            else { continue }
            longest = (frames.count, cadence)
        }
        return longest.cadence
    }

    /// Returns the same for frames with a known period; nil if none of them are repeats, or if the cadence is not regular.
    private func cadence(at place: Int, _ frames: Range<Int>, _ period: Int) -> Cadence? {
        let start = frames.lowerBound
        let new = (0..<period).filter { isNew[start + $0] }, count = new.count
        guard count < period else { return nil }
        let due = (0..<count).map { ($0 * period + count - 1) / count }
        for (first, anchor) in new.enumerated() {
            let places = (new[first...] + new[..<first]).map { ($0 - anchor + period) % period }
            guard places == due, let number = due.firstIndex(of: (place - start - anchor + period) % period)
            else { continue }
            return Cadence(
                lead: Rational(Int32(due[number] * count - number * period), Int32(count)).reduced,
                pace: Rational(Int32(count), Int32(period)).reduced)
        }
        return nil
    }

    /// Returns the frames round a place in which new pictures come again after each period, as many as there are; nil if
    /// these are too few.
    private func steadyFrames(around place: Int, _ period: Int) -> Range<Int>? {
        // What the first frame shows may have come before it.
        let first = period + (beginsWithFirst ? 1 : 0)
        func returns(_ frame: Int) -> Bool { isNew[frame] == isNew[frame - period] }
        // Two pairs of repeats as far apart are no cadence yet, except where three periods would be too long.
        let needed = max(Self.fewestReturns, min(2 * period, 2 * Self.longestCadence - period))
        var longest: Range<Int>?
        // A frame is compared with the one a period before it, and with the one after it.
        var upper = max(place, first)
        while upper < min(place + period + 1, isNew.count) {
            var lower = upper
            while upper < isNew.count, returns(upper) { upper += 1 }
            while lower > first, returns(lower - 1) { lower -= 1 }
            if upper - lower >= needed, upper - lower > longest?.count ?? 0, place < upper {
                longest = lower..<upper
            }
            upper += 1
        }
        return longest.map { $0.lowerBound - period..<$0.upperBound }
    }
}
