public import FrameCore
internal import FrameEffects
package import Imaging

/// Makes progressive frames from interlaced ones; progressive frames stay as they are.
///
/// What belongs to a source frame only, such as captions, goes to the first of its frames.
public struct DeinterlacePass: ClipEffect {
    /// Which frames are taken for interlaced, and which of their fields is shown first.
    public enum Fields: String, Sendable, Hashable, Codable, CaseIterable {
        /// The frames that say so, as they say.
        case auto
        /// All of them, top field first.
        case topFirst = "tff"
        /// All of them, bottom field first.
        case bottomFirst = "bff"
    }

    /// Which frames are taken for interlaced.
    package let fields: Fields
    fileprivate let options: ConversionOptions
    /// How many frames are made of each.
    package private(set) var rate: FieldRate
    private var search = CutSearch.lookingAhead
    /// What is known of the clip; nil if nothing is.
    private var found: FieldStructure?

    /// - Parameters:
    ///   - fields: which frames are taken for interlaced.
    ///   - rate: how many frames are made of each. At the rate of fields, progressive frames are shown twice.
    ///   - options: quality, threads and kernels, and what is shown in long holds.
    public init(fields: Fields = .auto, rate: FieldRate = .field, options: ConversionOptions) {
        self.fields = fields
        self.rate = rate
        self.options = options
    }

    /// Returns the effect for a clip whose fields are known, in a chain whose other effects find cuts with a search. A
    /// progressive clip keeps its frame rate.
    package func knowing(_ structure: FieldStructure, cuts: CutSearch? = nil) -> DeinterlacePass {
        var pass = self
        pass.found = structure
        if fields == .auto, structure.order == nil { pass.rate = .frame }
        if let cuts { pass.search = cuts.looksAhead ? .lookingAhead : .live }
        return pass
    }

    /// `deinterlace`.
    public var name: String { "deinterlace" }
    /// The name, the fields, the rate and the quality.
    public var summary: String {
        "\(name) \(fields.rawValue) to the \(rate.rawValue) rate \(options.summary), \(options.longHolds.rawValue) in long holds"
    }
    /// One frame on each side.
    public var window: TemporalWindow { TemporalWindow(previous: 1, next: 1, seesFollowing: rate == .field) }
    /// Each frame and a second one halfway to the next, or none.
    public var timing: (any TimingPlan)? { rate == .field ? FieldRatePlan() : nil }
    /// With the help of later frames; from past frames only if no other effect of the job looks ahead.
    public var cuts: CutSearch? { search }
    /// True unless the clip is progressive: compression is measured in rows that are no longer neighbours.
    public var hidesCompression: Bool { fields != .auto || found == nil || found?.order != nil }
    /// Two.
    public var picturesAtOnce: Int { 2 }

    /// Returns the source's description, with twice the frame rate where frames are made of each field.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        timing?.outputStream(for: source) ?? source
    }

    /// A note on what is known of the clip's fields, and what becomes of them.
    public func notes(over source: VideoStreamDescription) -> [String] {
        switch (fields, found?.order) {
        case (.topFirst, _): ["the video is taken for interlaced (top field first); \(result(for: source))"]
        case (.bottomFirst, _): ["the video is taken for interlaced (bottom field first); \(result(for: source))"]
        case (.auto, .topFirst?): ["the video is interlaced (top field first); \(result(for: source))"]
        case (.auto, .bottomFirst?): ["the video is interlaced (bottom field first); \(result(for: source))"]
        case (.auto, nil): found == nil ? [] : ["the video is progressive, so its frames stay as they are"]
        }
    }

    private func result(for source: VideoStreamDescription) -> String {
        guard rate == .field else { return "each frame becomes a progressive one" }
        guard let rate = outputStream(for: source).nominalFrameRate else { return "its fields become frames" }
        return "its fields become \(rate) frames/s"
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { DeinterlaceRun(self) }

    /// Which field of a frame is shown first; nil if it is progressive. What the pictures of the clip show counts for more
    /// than the flag of a frame.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - previous: the frame before it, of the same scene, if there is one.
    fileprivate func order(of frame: Frame, after previous: Frame?) -> FieldOrder? {
        switch fields {
        case .topFirst: return .topFirst
        case .bottomFirst: return .bottomFirst
        case .auto: break
        }
        guard let found, found.isDecided else { return frame.fieldOrder }
        if case .mixed = found.kind, let previous {
            let shown = FieldMeasurement(of: frame.buffer, after: previous.buffer, context: options.context)
            if shown.isProgressive { return nil }
        }
        return found.order(ofFrameWith: frame.fieldOrder)
    }
}

/// The engine keeps nothing across frames that reset, or that are not neighbours of the same kind.
private struct DeinterlaceRun: EffectRun {
    private let pass: DeinterlacePass
    private var plan = FieldRatePlan()
    private var engine: DeinterlacerEngine?
    private var interlacedFrames = 0

    init(_ pass: DeinterlacePass) { self.pass = pass }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = [EffectMeasurement(name: "interlaced frames", value: Double(interlacedFrames))]
        return report
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let current = neighbourhood.current, planned = planned(neighbourhood)
        let pictures = try pictures(of: neighbourhood, count: planned?.count ?? 1)
        var made = current
        made.fieldOrder = nil
        guard let planned else {
            made.buffer = pictures.first ?? current.buffer
            return try output.write(made)
        }
        for (index, frame) in planned.enumerated() {
            let picture = index < pictures.count ? pictures[index] : current.buffer
            let shown = made.replacing(buffer: picture, presentationTime: frame.time, duration: frame.duration)
            guard index > 0 else {
                try output.write(shown)
                made.sideData = made.sideData.forMadeFrames
                continue
            }
            try output.write(shown, motion: nil, hold: .until(nil))
        }
    }

    /// Returns the times of the frames that are made; nil if there is one, at its own time.
    private mutating func planned(_ neighbourhood: Neighbourhood) -> PlannedFrames? {
        guard pass.rate == .field else { return nil }
        let time = neighbourhood.current.presentationTime
        guard let following = neighbourhood.following else {
            return plan.closingFrames(last: time, end: neighbourhood.end)
        }
        let hold = pass.options.longHolds == .hold ? neighbourhood.heldUntil : nil
        return plan.frames(
            from: time, heldUntil: hold, to: following.presentationTime, end: neighbourhood.end)
    }

    /// Returns the pictures of the fields; none for a progressive frame.
    private mutating func pictures(of neighbourhood: Neighbourhood, count: Int) throws -> [PixelBuffer] {
        let current = neighbourhood.current
        let before = neighbourhood.previous.last, after = neighbourhood.next.first
        // The fields of a frame of another kind are at other times. The frame before is told by its mark: what the one before
        // it shows is not known where a run begins.
        guard let order = pass.order(of: current, after: before) else { return [] }
        let previous = before.flatMap { $0.fieldOrder == current.fieldOrder ? $0.buffer : nil }
        let next = after.flatMap { pass.order(of: $0, after: current) == order ? $0.buffer : nil }
        let engine =
            try self.engine
            ?? DeinterlacerEngine(
                format: current.buffer.format, width: current.buffer.width, height: current.buffer.height,
                quality: pass.options.quality, context: pass.options.context)
        if neighbourhood.resets || previous == nil { engine.forget() }
        let pictures = try engine.pictures(
            of: current.buffer, previous: previous, next: next, order: order, count: count)
        self.engine = engine
        interlacedFrames += 1
        return pictures
    }
}
