public import Motion

/// The length of motion that is drawn in full, fitted to what there is to draw: a pure value.
///
/// From flow to flow it stays as long as it can, so that colours mean the same from one picture of a clip to the next: it
/// grows when motion outgrows it (by far only when it lasts), and shrinks only after ``patience`` flows of much slower motion, or after a cut.
public struct FlowScale: Sendable, Hashable {
    /// Flows of motion less than a third as long after which the scale shrinks.
    public static let patience = 48
    /// Flows in a row of more than twice the motion after which the scale follows; fewer are taken for a mistake.
    public static let conviction = 3
    /// Vectors looked at in one flow at most.
    private static let sampleCount = 65_536

    /// In pixels; 1 before any flow was seen.
    public private(set) var maximum: Float = 1
    /// The largest that ``maximum`` has been.
    public private(set) var largest: Float = 0
    private var isFresh = true
    private var slowFlows = 0
    /// What the slow flows would take.
    private var slowMaximum: Float = 0
    private var fastFlows = 0
    /// What all of the fast flows would take at least.
    private var fastMaximum: Float = .infinity

    /// A scale that has seen no flow.
    public init() {}

    /// A length that suits one flow: 199 of 200 vectors reach no more than four fifths of it. It is a figure that reads
    /// well.
    public static func fitted(to flow: DenseFlow) -> Float {
        var side = 1
        while (flow.width / side) * (flow.height / side) > sampleCount { side += 1 }
        var squares: [Float] = []
        for y in stride(from: side / 2, to: flow.height, by: side) {
            for x in stride(from: side / 2, to: flow.width, by: side) {
                let vector = flow.vectors[y * flow.width + x]
                if max(abs(vector.x), abs(vector.y)) < DenseFlow.unknownThreshold {
                    squares.append((vector * vector).sum())
                }
            }
        }
        guard !squares.isEmpty else { return 1 }
        squares.sort()
        return rounded(squares[(squares.count - 1) * 199 / 200].squareRoot() * 1.25)
    }

    /// Takes the next flow of a clip and returns the scale to draw it with.
    public mutating func fit(_ flow: DenseFlow) -> Float {
        let wanted = Self.fitted(to: flow)
        if isFresh || (wanted > maximum && wanted <= 2 * maximum) {
            set(wanted)
        } else if wanted > maximum {
            fastMaximum = min(fastMaximum, wanted)
            fastFlows += 1
            if fastFlows >= Self.conviction { set(fastMaximum) }
            return maximum
        } else if wanted * 3 < maximum {
            slowMaximum = max(slowMaximum, wanted)
            slowFlows += 1
            if slowFlows >= Self.patience { set(slowMaximum) }
        } else {
            (slowFlows, slowMaximum) = (0, 0)
        }
        (fastFlows, fastMaximum) = (0, .infinity)
        return maximum
    }

    /// Says that another scene begins.
    public mutating func cut() { isFresh = true }

    private mutating func set(_ length: Float) {
        maximum = length
        largest = max(largest, length)
        isFresh = false
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
