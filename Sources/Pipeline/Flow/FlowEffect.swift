internal import FrameCore
internal import FrameEffects
internal import Motion

/// The middle of a run of ``FlowPipeline``: source frames in, a frame made of each and its motion out.
struct FlowEffect: FreeFormEffect {
    /// What is told of the pairs.
    final class Tally: Sendable {
        private let counts = Lock((pairs: 0, times: StepHistogram()))

        func add(_ duration: Duration) {
            counts.withLock {
                $0.pairs += 1
                $0.times.add(Int64(duration / .microseconds(1)))
            }
        }

        func fill(_ report: inout FlowReport) {
            let (pairs, times) = counts.withLock { $0 }
            report.pairs = pairs
            report.medianMilliseconds = times.value(at: Rational(1, 2)).map { Double($0) / 1000 }
            report.slowMilliseconds = times.value(at: Rational(19, 20)).map { Double($0) / 1000 }
        }
    }

    let quality: QualityPrioritization
    let threads: Int
    let neighbour: FlowPipeline.Neighbour
    let make: @Sendable (FlowPipeline.Step) throws -> Frame
    let tally = Tally()

    var name: String { "flow" }
    var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
    func makeRun(for source: VideoStreamDescription) -> any EffectRun { FlowRun(effect: self) }
}

private struct FlowRun: EffectRun {
    let effect: FlowEffect
    private let clock = ContinuousClock()
    private var engine: OpticalFlowEngine?
    private var chain = MotionChain()

    init(effect: FlowEffect) { self.effect = effect }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current, isFirst = neighbourhood.index == 0
        func emit(_ frame: Frame, _ flow: OpticalFlow?) throws {
            try output.write(effect.make(.init(frame: frame, flow: flow, restarts: neighbourhood.restarts)))
        }
        // The frame without a neighbour on its side: the first or the last one, or the only one.
        if effect.neighbour == .previous, isFirst { try emit(current, nil) }
        guard let following = neighbourhood.following else {
            if effect.neighbour == .next { try emit(current, nil) }
            return
        }
        let flow = try following.isCut ? nil : flow(neighbourhood, following)
        try emit(effect.neighbour == .next ? current : following.frame, flow)
    }

    private mutating func flow(
        _ neighbourhood: Neighbourhood, _ following: Neighbourhood.Following
    ) throws -> OpticalFlow {
        let buffer = neighbourhood.current.buffer
        let engine =
            self.engine
            ?? OpticalFlowEngine(
                width: buffer.width, height: buffer.height, quality: effect.quality, threads: effect.threads)
        self.engine = engine
        let relation = chain.advance(
            toPair: neighbourhood.index, isFlash: following.isFlash, restarts: neighbourhood.restarts)
        let start = clock.now
        let flow = try engine.flow(from: buffer, to: following.frame.buffer, relation: relation)
        effect.tally.add(clock.now - start)
        return flow
    }
}
