public import FrameCore
internal import FrameEffects
public import Motion

/// Optical flow over a clip: the motion of all neighbouring frames, and a frame made of it for each source frame.
///
/// Across a cut there is no motion. Beside a flash, and at reset points, nothing is taken over from the pair before.
public struct OpticalFlowPass: ClipEffect {
    /// A frame and the motion between it and a neighbour.
    public struct Step: Sendable {
        /// The frame that the motion begins at.
        public var frame: Frame
        /// From the frame to its neighbour and back; nil across a cut and where the clip ends.
        public var flow: OpticalFlow?
        /// Whether what was remembered of earlier frames must be forgotten, as at every reset point.
        public var resets: Bool
    }

    /// Which neighbour a frame's motion leads to.
    public enum Neighbour: String, Sendable, Hashable, Codable {
        /// The frame after it.
        case next
        /// The frame before it.
        case previous
    }

    /// Quality and threads.
    let options: ConversionOptions
    /// Which neighbour a frame's motion leads to.
    let neighbour: Neighbour
    private let output: @Sendable (VideoStreamDescription) throws -> VideoStreamDescription
    fileprivate let makeFrame: @Sendable (Step) throws -> Frame

    /// - Parameters:
    ///   - options: quality and threads. The result does not depend on the threads.
    ///   - neighbour: whether a frame is given with the motion between it and the next frame, or the previous one.
    ///   - output: what the frames made will be, for a source so described.
    ///   - makeFrame: makes the frame to be written, in order and on one thread.
    public init(
        options: ConversionOptions, neighbour: Neighbour = .next,
        output: @escaping @Sendable (VideoStreamDescription) throws -> VideoStreamDescription = { $0 },
        makeFrame: @escaping @Sendable (Step) throws -> Frame
    ) {
        self.options = options
        self.neighbour = neighbour
        self.output = output
        self.makeFrame = makeFrame
    }

    /// `flow`.
    public var name: String { "flow" }
    /// Name, neighbour and quality, and not what is made of the motion.
    public var summary: String { "\(name) to the \(neighbour.rawValue) frame \(options.summary)" }
    /// The frame that follows.
    public var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
    /// As the caller has said.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { try output(source) }
    /// Begins a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { OpticalFlowRun(pass: self) }
}

private struct OpticalFlowRun: EffectRun {
    private let pass: OpticalFlowPass
    private let clock = ContinuousClock()
    private var engine: OpticalFlowEngine?
    private var tracker = PairContinuity()
    private var pairs = 0
    /// Microseconds.
    private var times = StepHistogram()

    init(pass: OpticalFlowPass) { self.pass = pass }

    var report: EffectReport {
        var report = EffectReport()
        report.flow = FlowStatistics(
            pairs: pairs, medianMilliseconds: times.value(at: Rational(1, 2)).map { Double($0) / 1000 },
            slowMilliseconds: times.value(at: Rational(19, 20)).map { Double($0) / 1000 })
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current
        func emit(_ frame: Frame, _ flow: OpticalFlow?) throws {
            try output.write(pass.makeFrame(.init(frame: frame, flow: flow, resets: neighbourhood.resets)))
        }
        // The frame without a neighbour on its side: the first or the last one, or the only one.
        if pass.neighbour == .previous, neighbourhood.index == 0 { try emit(current, nil) }
        guard let following = neighbourhood.following else {
            if pass.neighbour == .next { try emit(current, nil) }
            return
        }
        let flow = try neighbourhood.cutFollows ? nil : flow(neighbourhood, to: following.buffer)
        try emit(pass.neighbour == .next ? current : following, flow)
    }

    private mutating func flow(_ neighbourhood: Neighbourhood, to next: PixelBuffer) throws -> OpticalFlow {
        let buffer = neighbourhood.current.buffer
        let engine =
            self.engine
            ?? OpticalFlowEngine(
                width: buffer.width, height: buffer.height, quality: pass.options.quality,
                threads: pass.options.threads)
        self.engine = engine
        let relation = tracker.advance(
            toPair: neighbourhood.index, isFlash: neighbourhood.flashFollows, resets: neighbourhood.resets)
        let start = clock.now
        let flow = try engine.flow(from: buffer, to: next, relation: relation)
        pairs += 1
        times.add(Int64((clock.now - start) / .microseconds(1)))
        return flow
    }
}
