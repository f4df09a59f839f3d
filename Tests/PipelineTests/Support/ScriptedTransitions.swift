import FrameCore
import Motion
import Pipeline

/// A finder that returns transitions given in advance, as late as a finder is allowed to.
struct ScriptedTransitions: TransitionFinder {
    var lookAhead: Int
    /// Maps the position of a pair's second frame to its transition; all others are continuous.
    var kinds: [Int: Transition.Kind]
    var flashes: Set<Int>
    private var count = 0
    private var delivered = 0

    init(lookAhead: Int = 5, _ kinds: [Int: Transition.Kind] = [:], flashes: Set<Int> = []) {
        self.lookAhead = lookAhead
        self.kinds = kinds
        self.flashes = flashes
    }

    var framesAhead: Int { lookAhead }

    func signature(of buffer: PixelBuffer) -> FrameSignature? { nil }

    mutating func append(_ signature: FrameSignature?) -> [Transition] {
        count += 1
        return deliver(upTo: count - 1 - lookAhead)
    }

    mutating func finish() -> [Transition] { deliver(upTo: count - 1) }

    private mutating func deliver(upTo last: Int) -> [Transition] {
        guard last > delivered else { return [] }
        defer { delivered = last }
        return (delivered + 1...last).map {
            Transition(index: $0, kind: kinds[$0] ?? .continuous, isFlash: flashes.contains($0))
        }
    }
}

extension ConversionPipeline {
    /// Creates a conversion by a plan, with cuts from `finder`.
    convenience init(
        source: any FrameSource, sink: any FrameSink, plan: any TimingPlan, options: ConversionOptions,
        finder: ScriptedTransitions, onEvent: @escaping @Sendable (PipelineEvent) -> Void = { _ in }
    ) {
        self.init(
            source: source, sink: sink, finder: finder,
            chain: EffectChain(FrameRateConversionPass(plan: plan, options: options)), onEvent: onEvent)
    }
}
