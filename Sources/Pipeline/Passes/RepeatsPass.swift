public import FrameCore

/// Leaves out frames that repeat the picture before them, and shows the others when their pictures were due.
///
/// What belongs to a single frame only, such as captions, goes to the next one that is shown.
public struct RepeatsPass: ClipEffect {
    /// Which repeats are left out.
    private var extent: RepeatSearch.Extent
    /// Whether the result has the frame rate of its pictures.
    package let restoresRate: Bool
    private var plan = PictureTimesPlan()
    /// The rate of pictures; nil if it is not known.
    private var found: PictureRate?

    /// - Parameters:
    ///   - all: whether repeats are left out in pictures that stand still, too.
    ///   - restoresRate: whether the result has the frame rate of its pictures, so that what is known of it is the output's.
    public init(all: Bool = false, restoresRate: Bool = false) {
        extent = all ? .all : .lowRates
        self.restoresRate = restoresRate
        plan.isEven = !restoresRate
    }

    /// Returns the effect that leaves out all repeats.
    func leavingOutAll() -> RepeatsPass {
        var pass = self
        pass.extent = .all
        return pass
    }

    /// Returns the effect for a clip whose pictures have a known rate. If it is regular, frames are shown at that rate.
    package func knowing(_ pictures: PictureRate, frameRate: Rational?) -> RepeatsPass {
        var pass = self
        pass.found = pictures
        if restoresRate { pass.plan.rate = pictures.perSecond(at: frameRate) }
        return pass
    }

    /// Returns the effect for a part that is shown from its first frame on.
    public func starting(at time: MediaTime, frame: Int?) -> RepeatsPass {
        var pass = self
        pass.plan = plan.starting(at: time, frame: frame)
        return pass
    }

    /// `repeats`.
    public var name: String { "repeats" }
    /// The name, which repeats are left out, and the rate.
    public var summary: String {
        (extent == .all ? "repeats left out" : "repeats of low frame rates left out")
            + (restoresRate ? " at \(plan.summary)" : "")
    }
    /// As many of the following frames as a decision needs.
    public var window: TemporalWindow { TemporalWindow().seeingUpcoming(pairs: RepeatSearch.framesAhead) }
    /// At most one frame for each.
    public var timing: (any TimingPlan)? { plan }
    /// Cuts do not matter, except as large steps.
    public var cuts: CutSearch? { nil }
    /// True: frames only leave.
    public var keepsMotion: Bool { true }
    /// The frame, and at a constant rate the one that is shown again.
    public var picturesAtOnce: Int { restoresRate ? 2 : 1 }

    /// Returns the source's description, whose number of frames is not known; with the rate of the pictures if that is to be restored.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        plan.outputStream(for: source)
    }

    /// What is known of the rate of the pictures, if that is to be restored.
    public func notes(over source: VideoStreamDescription) -> [String] {
        guard restoresRate else { return [] }
        guard let rate = plan.rate else {
            return ["the pictures have no regular rate that is known beforehand, so each is shown when it was due"]
        }
        let all = source.nominalFrameRate.map { " in \($0.reduced) frames/s" } ?? ""
        return ["the video has \(rate) pictures/s\(all)"]
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { RepeatsRun(extent, plan.grid) }
}

/// Each decision depends on a fixed number of frames, so it is the same wherever a run begins before them.
private struct RepeatsRun: EffectRun {
    private let extent: RepeatSearch.Extent
    /// The frames at a constant rate; nil without one.
    private var even: EvenFrames?
    private var search: RepeatSearch?
    private var measurement = FrameStepMeasurement()
    /// The number of the last frame that was measured.
    private var measured = 0
    private var previousTime: MediaTime?
    private var singleData = SinglePictureData()
    private var leftOut = 0
    private var moved = 0

    /// The number of parts of a second in which a picture that stands still is shown again.
    fileprivate static let marksPerSecond: Int64 = 2

    init(_ extent: RepeatSearch.Extent, _ grid: PictureGrid?) {
        self.extent = extent
        even = grid.map { EvenFrames($0) }
    }

    var report: EffectReport {
        var report = EffectReport()
        report.repeatsLeftOut = leftOut + (even?.leftOut ?? 0)
        let moved = moved + (even?.moved ?? 0)
        report.measurements = [EffectMeasurement(name: "frames moved in time", value: Double(moved))]
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let places = places(neighbourhood), (decision, later) = decide(neighbourhood, places)
        singleData.append(neighbourhood.current)
        // The last frame says when the clip ends.
        guard !decision.isLeftOut || neighbourhood.following == nil else {
            leftOut += 1
            return
        }
        guard even == nil else {
            try even?.show(neighbourhood, at: places[0].due(decision), &singleData, output)
            return
        }
        var shown = neighbourhood.current
        let time = places[0].due(decision)
        if time != shown.presentationTime { moved += 1 }
        // A frame between others that stay where they are keeps its duration.
        if shown.duration != nil, decision.lead.numerator > 0 || later.first.map(\.changesTimes) ?? false {
            let next = zip(later, places.dropFirst()).first { !$0.0.isLeftOut }.map { $1.due($0) }
            shown.duration = (next ?? (places.count == 1 ? neighbourhood.end : nil)).map { $0 - time }
        }
        shown.presentationTime = time
        if singleData.holdsMore(than: shown) { singleData.move(to: &shown) }
        singleData.removeAll()
        try output.write(shown)
    }

    mutating func pass(_ neighbourhood: Neighbourhood) {
        singleData.append(neighbourhood.current)
        let places = places(neighbourhood), decision = decide(neighbourhood, places).frame
        guard !decision.isLeftOut else { return }
        guard even != nil else { return singleData.removeAll() }
        even?.pass(neighbourhood, at: places[0].due(decision), &singleData)
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) {
        if frames > 0 { even?.begin(at: first) }
    }

    /// A frame, and what comes before it.
    private struct Place {
        var picture: PixelBuffer
        var time: MediaTime
        /// The time since the frame before; nil for the first frame and after a long hold.
        var interval: MediaTime?
        var isCut = false

        /// Returns when the frame is shown.
        func due(_ decision: RepeatSearch.Decision) -> MediaTime {
            guard decision.lead.numerator > 0, let interval else { return time }
            return time - interval.multiplied(by: decision.lead)
        }

        /// The time counted in parts of a picture that stands still, each of which is shown again.
        var part: Int64 { time.ticksDown(RepeatsRun.marksPerSecond) }
    }

    /// Returns the frame and those that follow it, as far as they are known.
    private mutating func places(_ neighbourhood: Neighbourhood) -> [Place] {
        let current = neighbourhood.current, time = current.presentationTime
        defer { previousTime = time }
        var places = [Place(picture: current.buffer, time: time)]
        if neighbourhood.previousHeldUntil == nil { places[0].interval = previousTime.map { time - $0 } }
        func add(_ frame: Frame, isHeld: Bool, isCut: Bool) {
            let time = frame.presentationTime
            let interval = places.last.map { time - $0.time }
            places.append(
                Place(picture: frame.buffer, time: time, interval: isHeld ? nil : interval, isCut: isCut))
        }
        if let following = neighbourhood.following {
            add(following, isHeld: neighbourhood.heldUntil != nil, isCut: neighbourhood.cutFollows)
        }
        for pair in neighbourhood.upcoming {
            add(pair.following, isHeld: pair.heldUntil != nil, isCut: pair.cutFollows)
        }
        return places
    }

    /// Returns what becomes of the frame, and of those after it as far as that can be told.
    private mutating func decide(
        _ neighbourhood: Neighbourhood, _ places: [Place]
    ) -> (frame: RepeatSearch.Decision, later: [RepeatSearch.Decision]) {
        let index = neighbourhood.index
        var search = self.search ?? RepeatSearch(extent, from: index)
        if self.search == nil { measured = index }
        for place in places.indices.dropFirst(measured + 1 - index) {
            let step = measurement.append(
                places[place].picture, after: places[place - 1].picture, place > 1 ? places[place - 2].picture : nil,
                isCut: places[place].isCut, isMark: places[place].part != places[place - 1].part)
            if let step { search.append(step) }
            measured = index + place
        }
        if places.count < RepeatSearch.framesAhead + 2, let step = measurement.finish() { search.append(step) }
        defer { self.search = search }
        return search.decideNext()
    }
}
