import FrameCore
import TestSupport
import Testing

@Suite struct SpeedCurveTests {
    /// The curve of a text, computed with floating-point numbers from its definition.
    private struct Formula {
        var points: [(time: Double, speed: Double)]
        var isSmooth: Bool

        /// Returns the time in the source shown at a time of the output.
        func position(at time: Double) -> Double {
            var rest = time
            for (a, b) in zip(points, points.dropFirst()) {
                let length = b.time - a.time, duration = 2 * length / (a.speed + b.speed)
                if rest < duration {
                    let x = rest / duration
                    let shape = isSmooth ? x * x * x - x * x * x * x / 2 : x * x / 2
                    return a.time + duration * (a.speed * x + (b.speed - a.speed) * shape)
                }
                rest -= duration
            }
            return (points.last?.time ?? 0) + rest * (points.last?.speed ?? 1)
        }

        var duration: Double {
            zip(points, points.dropFirst()).reduce(0) { $0 + 2 * ($1.1.time - $1.0.time) / ($1.0.speed + $1.1.speed) }
        }
    }

    private static let points: [(time: Double, speed: Double)] = [
        (0, 1), (2, 0.25), (3.5, 0.25), (4, 1), (6, 3.7), (7, 3.7), (9, 0.0078125), (9.25, 100), (40, 1),
    ]

    private static func curve(_ easing: SpeedCurve.Easing) throws -> SpeedCurve {
        try SpeedCurve(text: points.map { "\($0.time):\($0.speed)" }.joined(separator: ","), easing: easing)
    }

    @Test(arguments: SpeedCurve.Easing.allCases)
    func positionsAreThoseOfTheFormula(easing: SpeedCurve.Easing) throws {
        let curve = try Self.curve(easing), formula = Formula(points: Self.points, isSmooth: easing == .smooth)
        var generator = SystemRandomNumberGenerator(), last = -1.0
        let times = (0..<1000).map { _ in Int64.random(in: 0...Int64(formula.duration * 1.1e6), using: &generator) }
        for microseconds in times.sorted() {
            let time = ExactTime(MediaTime(value: microseconds, timescale: 1_000_000))
            let position = curve.position(at: time)
            #expect(abs(position.doubleValue - formula.position(at: time.doubleValue)) < 1e-8, "at \(microseconds) µs")
            #expect(position.doubleValue >= last)
            last = position.doubleValue
            // The way back ends where it began.
            let back = curve.position(at: curve.time(of: position))
            #expect(abs(back.doubleValue - position.doubleValue) < 2e-7, "at \(microseconds) µs")
        }
    }

    @Test(arguments: SpeedCurve.Easing.allCases)
    func theLengthIsExact(easing: SpeedCurve.Easing) throws {
        let curve = try SpeedCurve(text: "0:1,2:0.25,3.5:0.25@1.5,4:1..2,6:3,7:3", easing: easing)
        // 2·2/1.25 + 1.5/0.25 + 1.5 + 2·0.5/1.25 + 2·2/5 + 1/3, and from there at speed 3.
        #expect(
            curve.time(of: ExactTime(7)) == ExactTime(Rational(12_633_333, 1_000_000))
                - ExactTime(Rational(-1, 3_000_000)))
        #expect(curve.time(of: ExactTime(10)) == curve.time(of: ExactTime(7)) + ExactTime(1))
    }

    @Test func aFreezeBelongsToItsEnd() throws {
        let curve = try SpeedCurve(text: "0:4,8:4@2")
        #expect(curve.time(of: ExactTime(8)) == ExactTime(2) && curve.end(of: ExactTime(8)) == ExactTime(4))
        #expect(Retiming.along(curve).end(of: MediaTime(value: 8, timescale: 1)) == MediaTime(value: 4, timescale: 1))
    }

    @Test func timesBetweenThePoints() throws {
        let curve = try SpeedCurve(text: "2:0.5\n# a comment\n1:00:2@3, 1:01:00:0")
        #expect(curve.points.map(\.time.seconds) == [2, 60, 3660])
        #expect(curve.points[1].freeze == MediaTime(value: 3, timescale: 1))
        #expect(curve.stop == MediaTime(value: 3660, timescale: 1))
        // Before the first point, its speed holds.
        #expect(curve.position(at: ExactTime(2)) == ExactTime(1))
        #expect(curve.time(of: ExactTime(1)) == ExactTime(2))
        // Nothing is shown beyond the last.
        #expect(curve.time(of: ExactTime(4000)) == curve.end)
        #expect(try SpeedCurve(text: curve.text) == curve)
    }

    @Test(arguments: [
        ("", "0 points"), ("a", "'a' has no speed"), ("0:1,2:x", "'2:x' has no speed that can be read"),
        ("x:1", "has no time"), ("0:-1", "run backwards"), ("0:1,0:2", "0 and 0 s overlap"),
        ("1:1,0.5:2", "1 and 0.5 s overlap"),
        ("0:500", "speed 500 at 0 s is not allowed; a speed is 0, or 1/256 to 100"),
        ("0:0.001", "speed 1/1000"), ("0:1,2:0,3:0", "0 from 2 and 3 s"), ("1:0,2:1", "before the first point"),
        ("0:0", "from the beginning"), ("0:1@100000", "a freeze of 100000 s"), ("0:1@x", "for how many seconds"),
        ("0:1..2..3", "has no speed"), ("20000000:1", "10000000 s at most"),
    ])
    func whatIsWrongIsNamed(text: String, part: String) {
        let error = #expect(throws: FrameError.self) { try SpeedCurve(text: text) }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }
}
