internal import FrameCore

/// The times of frames at a constant rate, at each of which the nearest picture is shown.
struct PictureGrid {
    let rate: Rational
    /// The time of the first frame; nil before it is known.
    var first: MediaTime?

    /// Returns the number of the grid's time nearest to a time.
    func place(of time: MediaTime, from first: MediaTime) -> Int {
        Int((time - first).ticks(of: step))
    }

    /// The time from one to the next, in seconds.
    var step: Rational { Rational(rate.denominator, rate.numerator) }

    /// Returns a time of the grid by its number.
    func time(_ place: Int, from first: MediaTime) -> MediaTime {
        (ExactTime(first) + ExactTime(place) / ExactTime(rate)).mediaTime
    }
}
