public import Motion

/// The length of motion that is drawn in full, fitted to what there is to draw: a pure value.
///
/// From flow to flow it stays as long as it can, so that colours mean the same from one picture of a clip to the next.
/// It grows when motion outgrows it (by more than a little only when that lasts), and shrinks only after ``patience``
/// flows of much slower motion, or after a cut.
public struct FlowScale: Sendable, Hashable {
    /// Flows of motion less than a third as long after which the scale shrinks.
    package static let patience = 24
    /// Flows in a row of much longer motion after which the scale follows; fewer are taken for a mistake. A scale that
    /// fewer flows than this have borne out is given up as fast.
    package static let conviction = 3
    /// How many times as long motion may be for the scale to follow at once: one step of its figures.
    private static let freeGrowth: Float = 1.34
    /// Vectors looked at in one flow at most.
    private static let sampleCount = 65_536

    /// In pixels; 1 before any flow was seen.
    public private(set) var maximum = FlowScale.initial
    private static let initial: Float = 1
    /// The largest that ``maximum`` has been.
    public private(set) var largest: Float = 0
    private var isFresh = true
    /// Flows whose motion is more than a third of ``maximum``, since that was set.
    private var fittingFlows = 0
    private var slowFlows = 0
    /// What the slow flows would take.
    private var slowMaximum: Float = 0
    private var fastFlows = 0
    /// What all of the fast flows would take at least.
    private var fastMaximum: Float = .infinity

    /// A scale that has seen no flow.
    public init() {}

    /// A length that suits one flow: 49 of 50 vectors reach no more than four fifths of it. It is a figure that reads
    /// well; 1 where no motion is known.
    ///
    /// - Parameters:
    ///   - flow: what is to be drawn.
    ///   - confidence: how much each vector counts, 0 to 255, as `FlowField.denseConfidence()` has it; where their
    ///     number is not that of the vectors, all count alike.
    public static func fitted(to flow: DenseFlow, confidence: [UInt8] = []) -> Float {
        length(of: flow, confidence) ?? 1
    }

    /// nil where nothing counts.
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

    /// Takes the next flow of a clip and returns the scale to draw it with.
    ///
    /// - Parameters:
    ///   - flow: what is to be drawn.
    ///   - confidence: as for ``fitted(to:confidence:)``. A flow in which nothing counts changes nothing.
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

    /// Says that another scene begins, whose scale owes nothing to that before.
    public mutating func cut() { (isFresh, maximum) = (true, Self.initial) }

    private mutating func set(_ length: Float) {
        maximum = length
        largest = max(largest, length)
        isFresh = false
        fittingFlows = 1
        (slowFlows, slowMaximum) = (0, 0)
        (fastFlows, fastMaximum) = (0, .infinity)
    }

    /// The next of 1, 1.5, 2, 3, 4, 5, 6, 8 and their multiples by tens.
    private static func rounded(_ length: Float) -> Float {
        var unit: Float = 1
        while unit < 1e9 {
            for step: Float in [1, 1.5, 2, 3, 4, 5, 6, 8] where length <= step * unit { return step * unit }
            unit *= 10
        }
        return unit
    }
}
