/// How the output's clock relates to the source's.
public struct Retiming: Sendable, Hashable {
    private enum Step: Hashable {
        /// Times are multiplied by a factor.
        case scaled(Rational)
        /// Times follow a curve.
        case curve(SpeedCurve)
    }

    private var steps: [Step]

    private init(_ steps: [Step]) { self.steps = steps }

    /// Keeps all times.
    public static let identity = Retiming([])
    /// Multiplies all times by `factor`; factors below 1 are treated as 1.
    public static func stretched(by factor: Int32) -> Retiming { stretched(by: Rational(factor, 1)) }
    /// Multiplies all times by `factor`; factors below 1 are treated as 1.
    public static func stretched(by factor: Rational) -> Retiming {
        factor.isPositive && factor.numerator > factor.denominator ? Retiming([.scaled(factor.reduced)]) : .identity
    }
    /// Multiplies all times by `factor`, which may be below 1.
    package static func scaled(by factor: Rational) -> Retiming {
        factor.isPositive && factor.reduced != Rational(1, 1) ? Retiming([.scaled(factor.reduced)]) : .identity
    }
    /// Moves times along a curve, which counts from time zero.
    public static func along(_ curve: SpeedCurve) -> Retiming {
        curve.isIdentity ? .identity : Retiming([.curve(curve)])
    }

    /// Returns the result of this and then `next`.
    package func then(_ next: Retiming) -> Retiming {
        guard let mine = constantFactor, let other = next.constantFactor,
            let product = (ExactTime(mine) * ExactTime(other)).rational
        else { return Retiming(steps + next.steps) }
        return .scaled(by: product)
    }

    /// Whether all times stay as they are.
    public var isIdentity: Bool { steps.isEmpty }

    /// The factor by which all times are multiplied; nil if it is not the same everywhere.
    public var constantFactor: Rational? {
        guard let first = steps.first else { return Rational(1, 1) }
        if steps.count == 1, case .scaled(let factor) = first { return factor }
        return nil
    }

    /// Returns the time of the output at which a time of the source is shown first.
    public func time(of source: MediaTime) -> MediaTime { mapped(source) { $0.time(of: $1) } }

    /// Returns the time of the output at which a time of the source stops being shown: after a freeze.
    package func end(of source: MediaTime) -> MediaTime { mapped(source) { $0.end(of: $1) } }

    private func mapped(_ source: MediaTime, along: (SpeedCurve, ExactTime) -> ExactTime) -> MediaTime {
        if let factor = constantFactor { return source.multiplied(by: factor) }
        return steps.reduce(ExactTime(source)) { time, step in
            switch step {
            case .scaled(let factor): time * ExactTime(factor)
            case .curve(let curve): along(curve, time)
            }
        }.mediaTime
    }

    /// Whether something that begins at a time of the source is never shown, because speed stays 0 before.
    package func hides(_ source: MediaTime) -> Bool { stop.map { time(of: source) >= $0 } ?? false }

    /// When the output ends because speed stays 0; nil if it does not.
    package var stop: MediaTime? {
        steps.reduce(nil as ExactTime?) { stop, step in
            switch step {
            case .scaled(let factor): return stop.map { $0 * ExactTime(factor) }
            case .curve(let curve): return [curve.end, stop.map { curve.time(of: $0) }].compactMap(\.self).min()
            }
        }?.mediaTime
    }

    /// The lowest and the highest speed of any moment; 0 for a freeze. With several curves, the range may be larger than
    /// what the output has.
    package var speeds: ClosedRange<Double> {
        steps.reduce(1...1) { speeds, step in
            switch step {
            case .scaled(let factor):
                return speeds.lowerBound / factor.doubleValue...speeds.upperBound / factor.doubleValue
            case .curve(let curve):
                let own = curve.speeds
                return speeds.lowerBound * own.lowerBound...speeds.upperBound * own.upperBound
            }
        }
    }

    /// Returns the time of the source that is shown at a time of the output, in seconds, and the speed there.
    package func source(at time: Double) -> (position: Double, speed: Double) {
        steps.reversed().reduce((time, 1)) { result, step in
            switch step {
            case .scaled(let factor): return (result.0 / factor.doubleValue, result.1 / factor.doubleValue)
            case .curve(let curve): return (curve.position(at: result.0), result.1 * curve.speed(at: result.0))
            }
        }
    }
}

extension SpeedCurve {
    /// Returns the time in the source at a time of the output, both in seconds from the first frame.
    package func position(at time: Double) -> Double {
        let time = min(max(time, -1e15), 1e15), whole = time.rounded(.down)
        let rest = MediaTime(value: Int64(((time - whole) * 1e9).rounded()), timescale: 1_000_000_000)
        return position(at: ExactTime(Int(whole)) + ExactTime(rest)).doubleValue
    }
}
