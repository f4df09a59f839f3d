public import FrameCore
package import FrameEffects
public import Motion

/// Optical flow over a clip: estimates the motion between all neighbouring frames and makes an output frame from it for
/// each source frame.
///
/// There is no motion across a cut. At flashes and reset points, nothing is carried over from the previous pair.
public struct OpticalFlowPass: ClipEffect {
    /// A frame and the motion between it and one of its neighbours.
    public struct Step: Sendable {
        /// The frame whose motion it is.
        public var frame: Frame
        /// The motion between the frame and its neighbour, forward being from the earlier to the later one; nil across a
        /// cut and for a frame without that neighbour.
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

    /// Quality, threads and kernels.
    let options: ConversionOptions
    /// The neighbour to which a frame's motion leads.
    let neighbour: Neighbour
    private let output: @Sendable (VideoStreamDescription) throws -> VideoStreamDescription
    private let notes: @Sendable (VideoStreamDescription) -> [String]
    /// Returns what makes the frames of a run.
    fileprivate let makeDrawing: @Sendable () -> Drawing

    /// What makes the frames of a run.
    fileprivate struct Drawing {
        var makeFrame: (Step) throws -> Frame
        /// Returns the largest motion drawn at full scale so far, in pixels; nil if none is drawn.
        var maximum: () -> Float? = { nil }
    }

    /// - Parameters:
    ///   - options: quality, threads and kernels. The result does not depend on the latter two.
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
        notes = { _ in [] }
        makeDrawing = { Drawing(makeFrame: makeFrame) }
    }

    /// - Parameters:
    ///   - options: quality, threads and kernels.
    ///   - neighbour: whether each frame comes with its motion to the next frame or to the previous one.
    ///   - painter: returns what draws the motion of a run.
    package init(
        options: ConversionOptions, neighbour: Neighbour, painter: @escaping @Sendable () -> FlowPainter
    ) {
        self.options = options
        self.neighbour = neighbour
        output = {
            try WorkingSize.check($0.width, $0.height, of: "pictures")
            return try painter().stream(over: $0)
        }
        notes = { painter().notes(over: $0.format) }
        makeDrawing = {
            let painter = painter()
            return Drawing(
                makeFrame: { try painter.frame($0.frame, $0.flow, resets: $0.resets) },
                maximum: { painter.maximum })
        }
    }

    /// `flow`.
    public var name: String { "flow" }
    /// The name, the neighbour and the quality, but not what is made from the motion.
    public var summary: String { "\(name) to the \(neighbour.rawValue) frame \(options.summary)" }
    /// The frame that follows, which shows whether a scene ends; for motion to the previous frame, also that one.
    public var window: TemporalWindow { TemporalWindow(previous: neighbour == .previous ? 1 : 0, seesFollowing: true) }
    /// Returns the description that the caller supplies.
    public func outputStream(for source: VideoStreamDescription) throws -> VideoStreamDescription { try output(source) }
    /// Returns what drawing over the source loses of it.
    public func notes(over source: VideoStreamDescription) -> [String] { notes(source) }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { OpticalFlowRun(pass: self) }
}

private struct OpticalFlowRun: EffectRun {
    private let settings: OpticalFlowPass
    private let drawing: OpticalFlowPass.Drawing
    private let clock = ContinuousClock()
    private var engine: OpticalFlowEngine?
    private var tracker = PairContinuity()
    /// The frame before the current one, in both kinds of light: the window leaves out frames of another light.
    private var previous: (frame: Frame, cutFollows: Bool, flashFollows: Bool)?
    private var pairs = 0
    /// Times per pair, in microseconds.
    private var times = StepHistogram()

    init(pass: OpticalFlowPass) { (settings, drawing) = (pass, pass.makeDrawing()) }

    var report: EffectReport {
        var report = EffectReport()
        report.flow = FlowStatistics(
            pairs: pairs, medianMilliseconds: times.value(at: Rational(1, 2)).map { Double($0) / 1000 },
            slowMilliseconds: times.value(at: Rational(19, 20)).map { Double($0) / 1000 },
            maximum: drawing.maximum())
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let flow = try settings.neighbour == .next ? flowToNext(neighbourhood) : flowToPrevious(neighbourhood)
        remember(neighbourhood)
        try output.write(
            drawing.makeFrame(.init(frame: neighbourhood.current, flow: flow, resets: neighbourhood.resets)))
    }

    mutating func pass(_ neighbourhood: Neighbourhood) { remember(neighbourhood) }

    private mutating func remember(_ neighbourhood: Neighbourhood) {
        guard settings.neighbour == .previous else { return }
        previous = (neighbourhood.current, neighbourhood.cutFollows, neighbourhood.flashFollows)
    }

    /// Returns nil for the last frame of the clip or of a scene.
    private mutating func flowToNext(_ neighbourhood: Neighbourhood) throws -> OpticalFlow? {
        guard let following = neighbourhood.following, !neighbourhood.cutFollows else { return nil }
        let relation = tracker.advance(
            toPair: neighbourhood.index, isFlash: neighbourhood.flashFollows, resets: neighbourhood.resets)
        return try flow(from: neighbourhood.current.buffer, to: following.buffer, relation)
    }

    /// Returns nil for the first frame of the clip or of a scene.
    ///
    /// The pair that ends at a reset point uses nothing from before, so a run that begins there finds the same motion.
    private mutating func flowToPrevious(_ neighbourhood: Neighbourhood) throws -> OpticalFlow? {
        guard let previous, !previous.cutFollows else { return nil }
        let relation = tracker.advance(
            toPair: neighbourhood.index - 1, isFlash: previous.flashFollows, resets: neighbourhood.resets)
        return try flow(from: previous.frame.buffer, to: neighbourhood.current.buffer, relation)
    }

    private mutating func flow(
        from first: PixelBuffer, to second: PixelBuffer, _ relation: PairRelation
    ) throws -> OpticalFlow {
        let engine =
            self.engine
            ?? OpticalFlowConfiguration(
                unchecked: FrameDimensions(width: first.width, height: first.height),
                qualityPrioritization: settings.options.quality
            ).makeEffect(format: first.format, context: settings.options.context)
        self.engine = engine
        let start = clock.now
        let flow = try engine.flow(from: first, to: second, relation: relation)
        pairs += 1
        times.add(Int64((clock.now - start) / .microseconds(1)))
        return flow
    }
}
