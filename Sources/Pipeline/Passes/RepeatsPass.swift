public import FrameCore

/// Leaves out frames that repeat the picture before them, and shows the others when their pictures were due.
///
/// What belongs to a single frame only, such as captions, goes to the next one that is shown.
public struct RepeatsPass: ClipEffect {
    /// Which repeats are left out.
    private let extent: RepeatSearch.Extent

    /// - Parameter all: whether repeats are left out in pictures that stand still, too.
    public init(all: Bool = false) { extent = all ? .all : .lowRates }

    /// `repeats`.
    public var name: String { "repeats" }
    /// The name, and which repeats are left out.
    public var summary: String { extent == .all ? "repeats left out" : "repeats of low frame rates left out" }
    /// As many of the following frames as a decision needs.
    public var window: TemporalWindow { TemporalWindow().seeingUpcoming(pairs: RepeatSearch.framesAhead) }
    /// At most one frame for each.
    public var timing: (any TimingPlan)? { RepeatsPlan() }
    /// Cuts do not matter, except as large steps.
    public var cuts: CutSearch? { nil }
    /// True: frames only leave.
    public var keepsMotion: Bool { true }

    /// Returns the source's description without a number of frames.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        RepeatsPlan().outputStream(for: source)
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { RepeatsRun(extent) }
}

/// What is known of the result before the clip has been seen: no frame is later than its source frame, and the first keeps
/// its time.
struct RepeatsPlan: TimingPlan {
    /// Nothing more than the name.
    var summary: String { "repeats" }
    /// Decisions look back at a fixed number of frames.
    var history: TimingHistory { .nothing }

    mutating func frames(
        from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime, end: MediaTime?
    ) -> PlannedFrames {
        PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: source, duration: next - source) }
    }

    mutating func closingFrames(last: MediaTime, end: MediaTime?) -> PlannedFrames {
        PlannedFrames(count: 1) { _ in PlannedFrame(content: .source, time: last, duration: end.map { $0 - last }) }
    }

    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = source
        output.frameCount = nil
        return output
    }

    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? { nil }
}

/// Each decision depends on a fixed number of frames, so it is the same wherever a run begins before them.
private struct RepeatsRun: EffectRun {
    private let extent: RepeatSearch.Extent
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

    init(_ extent: RepeatSearch.Extent) { self.extent = extent }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = [
            EffectMeasurement(name: "repeats left out", value: Double(leftOut)),
            EffectMeasurement(name: "frames moved in time", value: Double(moved)),
        ]
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let places = places(neighbourhood), (decision, later) = decide(neighbourhood, places)
        singleData.append(neighbourhood.current)
        guard !decision.isLeftOut else {
            leftOut += 1
            return
        }
        var shown = neighbourhood.current
        let time = places[0].due(decision)
        if time != shown.presentationTime { moved += 1 }
        // A frame between others that stay where they are keeps its duration.
        if shown.duration != nil, decision.lead.numerator > 0 || later.first.map({ $0 != .init() }) ?? false {
            shown.duration = zip(later, places.dropFirst()).first { !$0.0.isLeftOut }.map { $1.due($0) - time }
        }
        shown.presentationTime = time
        if singleData.holdsMore(than: shown) { singleData.move(to: &shown) }
        singleData.removeAll()
        try output.write(shown)
    }

    mutating func pass(_ neighbourhood: Neighbourhood) {
        singleData.append(neighbourhood.current)
        if !decide(neighbourhood, places(neighbourhood)).frame.isLeftOut { singleData.removeAll() }
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
