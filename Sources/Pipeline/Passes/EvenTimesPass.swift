public import FrameCore

/// Shows frames at a constant rate, each at the nearest time of that rate, for outputs without timestamps. No frames are
/// interpolated: where none comes, the one before is shown again.
///
/// What belongs to a single frame only, such as captions, goes to the next one that is shown.
public struct EvenTimesPass: ClipEffect {
    private var plan = PictureTimesPlan()
    private let rate: Rational

    /// - Parameter rate: frames per second, above 0.
    public init(rate: Rational) {
        self.rate = rate
        plan.rate = rate
    }

    /// Returns the effect for a part that is shown from its first frame on.
    public func starting(at time: MediaTime, frame: Int?) -> EvenTimesPass {
        var pass = self
        pass.plan = plan.starting(at: time, frame: frame)
        return pass
    }

    /// `even times`.
    public var name: String { "even times" }
    /// The name and the rate.
    public var summary: String { "\(name) at \(rate)" }
    /// The frame, and whether another one follows.
    public var window: TemporalWindow { TemporalWindow(seesFollowing: true) }
    /// A constant rate.
    public var timing: (any TimingPlan)? { plan }
    /// Cuts do not matter.
    public var cuts: CutSearch? { nil }
    /// True: frames only leave or come again.
    public var keepsMotion: Bool { true }
    /// The frame, and the one that is shown again.
    public var picturesAtOnce: Int { 2 }

    /// Returns the source's description with the constant rate.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        plan.outputStream(for: source)
    }

    /// A note on the rate.
    public func notes(over source: VideoStreamDescription) -> [String] {
        ["y4m has no timestamps, so each frame is shown at the nearest time of \(rate) frames/s"]
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun {
        EvenTimesRun(even: EvenFrames(PictureGrid(rate: rate, first: plan.grid?.first)))
    }
}

private struct EvenTimesRun: EffectRun {
    var even: EvenFrames
    private var singleData = SinglePictureData()

    init(even: EvenFrames) { self.even = even }

    var report: EffectReport {
        var report = EffectReport()
        report.framesLeftOut = even.leftOut
        report.measurements = [EffectMeasurement(name: "frames moved in time", value: Double(even.moved))]
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        singleData.append(neighbourhood.current)
        try even.show(neighbourhood, at: neighbourhood.current.presentationTime, &singleData, output)
    }

    mutating func pass(_ neighbourhood: Neighbourhood) {
        singleData.append(neighbourhood.current)
        even.pass(neighbourhood, at: neighbourhood.current.presentationTime, &singleData)
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) {
        if frames > 0 { even.begin(at: first) }
    }
}
