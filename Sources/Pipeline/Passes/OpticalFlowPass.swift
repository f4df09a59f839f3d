public import FrameCore
internal import FrameEffects
public import Motion

/// Optical flow over a clip: estimates the motion between all neighbouring frames and makes an output frame from it for
/// each source frame.
///
/// There is no motion across a cut. At flashes and reset points, nothing is carried over from the previous pair.
public struct OpticalFlowPass: ClipEffect {
    /// A frame and the motion between it and one of its neighbours.
    public struct Step: Sendable {
        /// The frame at which the motion begins.
        public var frame: Frame
        /// The motion from the frame to its neighbour and back; nil across a cut and where the clip ends.
        public var flow: OpticalFlow?
        /// Whether state from earlier frames must be dropped, as at every reset point.
        public var resets: Bool
    }

    /// The neighbour to which a frame's motion leads.
    public enum Neighbour: String, Sendable, Hashable, Codable {
        /// The following frame.
        case next
        /// The preceding frame.
        case previous
    }

    /// Quality and number of threads.
    let options: ConversionOptions
    /// The neighbour to which a frame's motion leads.
    let neighbour: Neighbour
    private let output: @Sendable (VideoStreamDescription) throws -> VideoStreamDescription
    fileprivate let makeFrame: @Sendable (Step) throws -> Frame

    /// - Parameters:
    ///   - options: quality and number of threads. The result does not depend on the threads.
    ///   - neighbour: whether each frame comes with its motion to the next frame or to the previous one.
    ///   - output: returns the description of the output for a given source.
    ///   - makeFrame: makes the frame to be written; called in order, on one thread.
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
    /// The name, the neighbour and the quality, but not what is made from the motion.
    public var summary: String { "\(name) to the \(neighbour.rawValue) frame \(options.summary)" }
    /// No neighbours except the frame that follows.
    public var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
    /// Returns the description that the caller supplies.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { try output(source) }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { OpticalFlowRun(pass: self) }
}

private struct OpticalFlowRun: EffectRun {
    private let pass: OpticalFlowPass
    private let clock = ContinuousClock()
    private var engine: OpticalFlowEngine?
    private var tracker = PairContinuity()
    private var pairs = 0
    /// Times per pair, in microseconds.
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
        // The first frame has no previous neighbour, and the last frame has no next one.
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
