public import Motion

/// The length of motion that is drawn at full saturation, adapted to the flow. A value type without side effects.
///
/// It changes as rarely as possible from flow to flow, so that colors keep their meaning throughout a clip. It grows
/// when motion exceeds it (immediately if slightly, otherwise only if the motion persists), and shrinks only after
/// `patience` flows of much slower motion, or after a cut.
public struct FlowScale: Sendable, Hashable {
    /// The number of flows with motion below a third of the scale after which it shrinks.
    package static let patience = 24
    /// The number of consecutive flows with much longer motion after which the scale grows; fewer count as outliers. A
    /// scale that has fitted fewer flows than this also shrinks after this many.
    package static let conviction = 3
    /// The ratio of motion to scale up to which the scale grows immediately: one step of its rounded values.
    private static let freeGrowth: Float = 1.34
    /// The maximum number of vectors that are sampled in a flow.
    private static let sampleCount = 65_536

    /// The current scale in pixels; 1 before the first flow.
    public private(set) var maximum = FlowScale.initial
    private static let initial: Float = 1
    /// The largest value that ``maximum`` has had.
    public private(set) var largest: Float = 0
    private var isFresh = true
    /// The number of flows with motion above a third of ``maximum`` since ``maximum`` was set.
    private var fittingFlows = 0
    private var slowFlows = 0
    /// The scale that fits all of the slow flows.
    private var slowMaximum: Float = 0
    private var fastFlows = 0
    /// The smallest scale that any of the fast flows needs.
    private var fastMaximum: Float = .infinity

    /// Creates a scale that has seen no flow.
    public init() {}

    /// Returns a scale that fits a single flow: 98 % of its vectors are no longer than 80 % of it. It is a round
    /// number, and 1 if no motion is known.
    ///
    /// - Parameters:
    ///   - flow: the flow to draw.
    ///   - confidence: the weight of each vector, 0 to 255, as from `FlowField.denseConfidence()`; if the count differs
    ///     from that of the vectors, all have the same weight.
    public static func fitted(to flow: DenseFlow, confidence: [UInt8] = []) -> Float {
        length(of: flow, confidence) ?? 1
    }

    /// Returns nil if no vector has any weight.
    private static func length(of flow: DenseFlow, _ confidence: [UInt8]) -> Float? {
        var side = 1
        while (flow.width / side) * (flow.height / side) > sampleCount { side += 1 }
        let isWeighted = confidence.count == flow.vectors.count
        var samples: [(square: Float, weight: Int)] = []
        var total = 0
        for y in stride(from: side / 2, to: flow.height, by: side) {
            for x in stride(from: side / 2, to: flow.width, by: side) {
                let vector = flow.vectors[y * flow.width + x]
                let weight = isWeighted ? Int(confidence[y * flow.width + x]) : 1
                guard weight > 0, max(abs(vector.x), abs(vector.y)) < DenseFlow.unknownThreshold else { continue }
                samples.append(((vector * vector).sum(), weight))
                total += weight
            }
        }
        samples.sort { $0.square > $1.square }
        var longer = 0
        for sample in samples {
            longer += sample.weight
            if longer * 50 > total { return rounded(sample.square.squareRoot() * 1.25) }
        }
        return nil
    }

    /// Adapts the scale to the next flow of a clip, and returns the scale to draw it with.
    ///
    /// - Parameters:
    ///   - flow: the flow to draw.
    ///   - confidence: as for ``fitted(to:confidence:)``. A flow in which no vector has any weight changes nothing.
    public mutating func fit(_ flow: DenseFlow, confidence: [UInt8] = []) -> Float {
        guard let wanted = Self.length(of: flow, confidence) else { return maximum }
        if isFresh {
            set(wanted)
        } else if wanted > maximum * Self.freeGrowth {
            fastMaximum = min(fastMaximum, wanted)
            fastFlows += 1
            if fastFlows >= Self.conviction { set(fastMaximum) }
            return maximum
        } else if wanted > maximum {
            let fitting = fittingFlows
            set(wanted)
            fittingFlows += fitting
        } else if wanted * 3 < maximum {
            slowMaximum = max(slowMaximum, wanted)
            slowFlows += 1
            if slowFlows >= (fittingFlows < Self.conviction ? Self.conviction : Self.patience) { set(slowMaximum) }
        } else {
            fittingFlows += 1
            (slowFlows, slowMaximum) = (0, 0)
        }
        (fastFlows, fastMaximum) = (0, .infinity)
        return maximum
    }

    /// Announces a cut: the scale of the next scene does not depend on the previous one.
    public mutating func cut() { (isFresh, maximum) = (true, Self.initial) }

    private mutating func set(_ length: Float) {
        maximum = length
        largest = max(largest, length)
        isFresh = false
        fittingFlows = 1
        (slowFlows, slowMaximum) = (0, 0)
        (fastFlows, fastMaximum) = (0, .infinity)
    }

    /// Returns the next larger of 1, 1.5, 2, 3, 4, 5, 6, 8 and their multiples by powers of ten.
    private static func rounded(_ length: Float) -> Float {
        var unit: Float = 1
        while unit < 1e9 {
            for step: Float in [1, 1.5, 2, 3, 4, 5, 6, 8] where length <= step * unit { return step * unit }
            unit *= 10
        }
        return unit
    }
}
