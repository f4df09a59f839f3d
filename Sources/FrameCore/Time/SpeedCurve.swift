/// How fast a clip plays at each of its moments: a speed ramp, as a value.
///
/// Points give a speed at a time of the source, on the clip's own clock, which begins at 0. Between two points, speed
/// changes with the time of the *output*: a piece of the source of length D that goes from speed a to speed b lasts `2D/(a+b)`. With the fraction
/// x = 0…1 of that time T, it shows the source at `a·T·x + (b − a)·T·x²/2` (linear), or at
/// `a·T·x + (b − a)·T·(x³ − x⁴/2)` (smooth, so that the speed itself sets in and ends gently). Before the first point and
/// after the last, speed is constant. All times of points and frames are therefore fractions, and the output lasts exactly as
/// long as its pieces. Only the way back, from a time of the source inside a ramp to the output, needs roots; such times are
/// rounded to 1/705600000 s.
public struct SpeedCurve: Sendable, Hashable {
    /// How speed changes from one point to the next.
    public enum Easing: String, Sendable, Hashable, Codable, CaseIterable {
        /// At a constant rate.
        case linear
        /// Slowly at both points and faster in between, as the polynomial 3x² − 2x³.
        case smooth
    }

    /// A moment of the source at which the speed is stated.
    public struct Point: Sendable, Hashable {
        /// The time in the source, on its own clock.
        public var time: MediaTime
        /// The speed with which the source arrives here: 1 is its own.
        public var speed: Rational
        /// The speed with which it goes on, if that is another one.
        public var nextSpeed: Rational
        /// How long the picture stands still here.
        public var freeze: MediaTime

        /// Creates a point.
        ///
        /// - Parameters:
        ///   - time: the time in the source.
        ///   - speed: the speed, 0 or 1/256…100.
        ///   - nextSpeed: the speed with which the source goes on; nil if it does not jump.
        ///   - freeze: how long the picture stands still here.
        public init(time: MediaTime, speed: Rational, nextSpeed: Rational? = nil, freeze: MediaTime = .zero) {
            self.time = time
            self.speed = speed.reduced
            self.nextSpeed = (nextSpeed ?? speed).reduced
            self.freeze = freeze
        }
    }

    /// The points, at ascending times.
    public let points: [Point]
    /// How speed changes between them.
    public let easing: Easing
    /// What the curve consists of, in order.
    package let pieces: [Piece]

    /// The lowest and the highest speed besides 0.
    public static let slowest = Rational(1, 256), fastest = Rational(100, 1)
    /// The largest number of points.
    public static let mostPoints = 1000
    /// The longest freeze, in seconds.
    public static let longestFreeze = 86_400
    /// The latest time of a point, in seconds.
    public static let latestTime = 10_000_000

    /// Creates a curve.
    ///
    /// - Throws: `FrameError` if there are no points or too many, if their times do not ascend, or if a speed or a freeze is
    ///   not allowed.
    public init(_ points: [Point], easing: Easing = .linear) throws(FrameError) {
        try Self.check(points)
        self.points = points
        self.easing = easing
        pieces = Self.pieces(points, easing)
    }

    private static func check(_ points: [Point]) throws(FrameError) {
        func refuse(_ sentence: String) -> FrameError { FrameError(.invalidArgument, sentence) }
        guard (1...mostPoints).contains(points.count) else {
            throw refuse("\(points.count) points were given; a speed curve has 1 to \(mostPoints)")
        }
        for point in points {
            let place = "at \(point.time.shortText) s"
            guard point.time >= .zero else { throw refuse("the point \(place) lies before the clip") }
            guard point.time <= MediaTime(value: Int64(latestTime), timescale: 1) else {
                throw refuse("the point \(place) is too late; a point is at \(latestTime) s at most")
            }
            for speed in [point.speed, point.nextSpeed] {
                guard speed.numerator >= 0, speed.denominator > 0 else {
                    throw refuse("speed \(speed) \(place) would run backwards, which is not supported")
                }
                guard speed.numerator == 0 || (slowest.doubleValue...fastest.doubleValue).contains(speed.doubleValue)
                else {
                    throw refuse(
                        "speed \(speed) \(place) is not allowed; a speed is 0, or \(slowest) to \(fastest)")
                }
            }
            guard point.freeze >= .zero, point.freeze <= MediaTime(value: Int64(longestFreeze), timescale: 1) else {
                throw refuse(
                    "a freeze of \(point.freeze.shortText) s \(place) is not allowed; it lasts at most \(longestFreeze) s"
                )
            }
        }
        for (earlier, later) in zip(points, points.dropFirst()) {
            let places = "\(earlier.time.shortText) and \(later.time.shortText) s"
            guard earlier.time < later.time else {
                throw refuse("the points at \(places) overlap; times must ascend")
            }
            guard earlier.nextSpeed.isPositive || later.speed.isPositive else {
                throw refuse(
                    "speed is 0 from \(places), so the clip would never get there; for a freeze, write 0@seconds at one point"
                )
            }
        }
        if let first = points.first, !first.speed.isPositive, first.time > .zero {
            throw refuse("speed is 0 before the first point, so the clip would never get there")
        }
        if points.count == 1, let only = points.first, !only.nextSpeed.isPositive, only.time == .zero,
            only.freeze == .zero
        {
            throw refuse("speed is 0 from the beginning, so nothing would be shown")
        }
    }

    /// Whether the clip plays as it is.
    public var isIdentity: Bool {
        points.allSatisfy { $0.speed == Rational(1, 1) && $0.nextSpeed == $0.speed && $0.freeze == .zero }
    }

    /// The time in the source at which the output ends, because speed stays 0; nil if it does not.
    public var stop: MediaTime? {
        points.last.flatMap { $0.nextSpeed.isPositive ? nil : $0.time }
    }

    /// The largest factor by which a moment becomes longer, at least 1.
    package var largestFactor: Rational {
        let speeds = points.flatMap { [$0.speed, $0.nextSpeed] }.filter(\.isPositive)
        guard speeds.count == 2 * points.count else { return Rational(256, 1) }
        let least = speeds.min { $0.doubleValue < $1.doubleValue } ?? Rational(1, 1)
        return least.numerator < least.denominator ? Rational(least.denominator, least.numerator) : Rational(1, 1)
    }

    /// The lowest and the highest speed of any moment; 0 for a freeze.
    package var speeds: ClosedRange<Double> {
        let all: [Double] = points.flatMap { point -> [Double] in
            [point.speed.doubleValue, point.nextSpeed.doubleValue] + (point.freeze > .zero ? [0] : [])
        }
        return (all.min() ?? 1)...(all.max() ?? 1)
    }
}

extension SpeedCurve {
    /// A piece of the curve between two points, or a freeze.
    package struct Piece: Sendable, Hashable {
        /// Where it begins in the source and in the output, counted from zero.
        package let source: ExactTime, output: ExactTime
        /// How long it lasts there; nil for the last piece, which has no end.
        package let sourceLength: ExactTime?, outputLength: ExactTime?
        /// The speeds with which it begins and ends.
        let first: ExactTime, last: ExactTime
        let easing: Easing

        var isConstant: Bool { first == last }

        /// Returns the time in the source after a time of the output, both counted from the beginning of the piece.
        func position(after time: ExactTime) -> ExactTime {
            guard let length = outputLength, !isConstant else { return first * time }
            let x = time / length, change = last - first
            switch easing {
            case .linear: return first * time + change * time * x * ExactTime(Rational(1, 2))
            case .smooth:
                let cube = x * x * x
                return first * time + change * length * (cube - cube * x * ExactTime(Rational(1, 2)))
            }
        }

        /// Returns the time of the output after a time in the source, both counted from the beginning of the piece.
        func time(after position: ExactTime) -> ExactTime {
            guard let length = outputLength, !isConstant else {
                return first.isPositive ? position / first : ExactTime(0)
            }
            if position == sourceLength { return length }
            guard position.isPositive else { return ExactTime(0) }
            // The position ascends with x, so halving the interval always finds it.
            let wanted = position.doubleValue, a = first.doubleValue, b = last.doubleValue, t = length.doubleValue
            var (low, high) = (0.0, 1.0)
            for _ in 0..<60 {
                let x = (low + high) / 2
                let shape = easing == .linear ? x * x / 2 : x * x * x * (1 - x / 2)
                if (a * x + (b - a) * shape) * t < wanted { low = x } else { high = x }
            }
            return ExactTime(
                MediaTime(value: Int64(min(low * t * Double(Self.grid), 0x1p62).rounded()), timescale: Self.grid))
        }

        /// Returns the speed after a time of the output, counted from the beginning of the piece.
        func speed(after time: Double) -> Double {
            guard let length = outputLength?.doubleValue, length > 0, !isConstant else { return first.doubleValue }
            let x = min(max(time / length, 0), 1), a = first.doubleValue, b = last.doubleValue
            return a + (b - a) * (easing == .linear ? x : x * x * (3 - 2 * x))
        }

        /// The grid, in ticks per second, of times that are no fractions.
        private static let grid: Int32 = 705_600_000
    }

    private static func pieces(_ points: [Point], _ easing: Easing) -> [Piece] {
        var pieces: [Piece] = [], source = ExactTime(0), output = ExactTime(0)
        func add(_ length: ExactTime, _ duration: ExactTime, _ first: Rational, _ last: Rational) {
            pieces.append(
                Piece(
                    source: source, output: output, sourceLength: length, outputLength: duration,
                    first: ExactTime(first), last: ExactTime(last), easing: easing))
            source = source + length
            output = output + duration
        }
        var speed = points.first?.speed ?? Rational(1, 1)
        for point in points {
            let length = ExactTime(point.time) - source
            if length.isPositive {
                add(length, ExactTime(2) * length / (ExactTime(speed) + ExactTime(point.speed)), speed, point.speed)
            }
            if point.freeze > .zero { add(ExactTime(0), ExactTime(point.freeze), Rational(0, 1), Rational(0, 1)) }
            speed = point.nextSpeed
        }
        pieces.append(
            Piece(
                source: source, output: output, sourceLength: nil, outputLength: nil, first: ExactTime(speed),
                last: ExactTime(speed), easing: easing))
        return pieces
    }

    /// Returns the time in the source that is shown at a time of the output, both counted from zero.
    package func position(at time: ExactTime) -> ExactTime {
        guard time.isPositive else { return time * leadingSpeed }
        let piece = pieces[index(where: { $0.output < time || $0.output == time })]
        return piece.source + piece.position(after: time - piece.output)
    }

    /// Returns the time of the output at which a time in the source is shown first, both counted from zero.
    package func time(of position: ExactTime) -> ExactTime {
        guard position.isPositive else { return position / leadingSpeed }
        let piece = pieces[index(where: { $0.source < position })]
        // Nothing is shown beyond a last point with speed 0.
        return piece.output + piece.time(after: position - piece.source)
    }

    /// Returns the time of the output at which a time in the source stops being shown, both counted from zero: the same as
    /// `time(of:)`, but after a freeze.
    package func end(of position: ExactTime) -> ExactTime {
        guard !(position < ExactTime(0)) else { return time(of: position) }
        let piece = pieces[index(where: { !(position < $0.source) })]
        return piece.output + piece.time(after: position - piece.source)
    }

    /// Returns the speed at a time of the output, counted from zero.
    package func speed(at time: Double) -> Double {
        let piece = pieces[index(where: { $0.output.doubleValue <= time })]
        return piece.speed(after: time - piece.output.doubleValue)
    }

    /// The speed of what comes before zero.
    private var leadingSpeed: ExactTime {
        pieces.first.map(\.first).flatMap { $0.isPositive ? $0 : nil } ?? ExactTime(1)
    }

    /// The time in the output at which it ends, because speed stays 0; nil if it does not.
    package var end: ExactTime? { stop == nil ? nil : pieces.last?.output }

    /// Returns the index of the last piece that satisfies a condition, which holds up to some piece; 0 if there is none.
    private func index(where holds: (Piece) -> Bool) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(pieces[middle]) { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

extension MediaTime {
    /// Seconds without zeros that say nothing, such as `2.5`.
    package var shortText: String {
        var text = description
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
