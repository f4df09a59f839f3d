public import FrameCore
internal import FrameEffects
package import Imaging

/// Makes progressive frames from interlaced ones; progressive frames stay as they are.
///
/// What belongs to a source frame only, such as captions, goes to the first of its frames.
public struct DeinterlacePass: ClipEffect {
    /// Which frames are taken for interlaced, and which of their fields is shown first.
    public enum Fields: String, Sendable, Hashable, Codable, CaseIterable {
        /// Those whose pictures show it, or that say so where the pictures show nothing.
        case auto
        /// All of them, top field first.
        case topFirst = "tff"
        /// All of them, bottom field first.
        case bottomFirst = "bff"
    }

    /// What becomes of film whose frames were spread over fields.
    public enum CadenceHandling: String, Sendable, Hashable, Codable, CaseIterable {
        /// Its frames are put together again, and each is shown once.
        case auto
        /// It is deinterlaced like other video.
        case off
    }

    /// Which frames are taken for interlaced.
    package let fields: Fields
    /// What becomes of telecined film.
    private let cadence: CadenceHandling
    let options: ConversionOptions
    /// How many frames are made of each.
    package private(set) var rate: FieldRate
    private var search = CutSearch.lookingAhead
    /// What is known of the clip; nil if nothing is.
    private var found: FieldStructure?

    /// - Parameters:
    ///   - fields: which frames are taken for interlaced.
    ///   - rate: how many frames are made of each. At the rate of fields, progressive frames are shown twice.
    ///   - cadence: what becomes of telecined film. It is found only in clips that can be looked at beforehand.
    ///   - options: quality, threads and kernels, and what is shown in long holds.
    public init(
        fields: Fields = .auto, rate: FieldRate = .field, cadence: CadenceHandling = .auto, options: ConversionOptions
    ) {
        self.fields = fields
        self.cadence = cadence
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

    /// The cadence of the film in the clip, if it is to be undone.
    var film: FieldStructure.Cadence? { cadence == .auto && found?.order != nil ? found?.cadence : nil }

    /// Whether the clip as a whole is telecined film, so that the frames that are made are its pictures.
    package var makesFilm: Bool { filmPlan?.cadence != nil }

    /// The timing of a clip with film in it.
    private var filmPlan: FilmPlan? {
        film.map { cadence in
            if case .telecined = found?.kind { return FilmPlan(cadence: cadence, fieldRate: rate) }
            return FilmPlan(cadence: nil, fieldRate: rate)
        }
    }

    /// `deinterlace`.
    public var name: String { "deinterlace" }
    /// The name, the fields, the rate and the quality.
    public var summary: String {
        [
            "\(name) \(fields.rawValue) to the \(rate.rawValue) rate \(options.summary),",
            "\(options.longHolds.rawValue) in long holds" + (film.map { ", \($0.rawValue) undone" } ?? ""),
        ].joined(separator: " ")
    }
    /// One frame on each side, and those that show the cadence of film. The rows of a field are between those of the fields
    /// next to it, so no frame may be left out.
    public var window: TemporalWindow {
        TemporalWindow(
            previous: 1, next: film == nil ? 1 : CadenceTracker.lookAhead, needsUnbroken: true,
            seesFollowing: rate == .field || film != nil)
    }
    /// The pictures of film; or each frame and a second one halfway to the next; or none.
    public var timing: (any TimingPlan)? { filmPlan ?? (rate == .field ? FieldRatePlan() : nil) }
    /// With the help of later frames; from past frames only if no other effect of the job looks ahead.
    public var cuts: CutSearch? { search }
    /// True unless the clip is progressive: compression is measured in rows that are no longer neighbours.
    public var hidesCompression: Bool { fields != .auto || found == nil || found?.order != nil }
    /// Two.
    public var picturesAtOnce: Int { 2 }

    /// Returns the source's description, with the rate of film, or twice the frame rate where frames are made of each field.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        timing?.outputStream(for: source) ?? source
    }

    /// A note on what is known of the clip's fields, and what becomes of them.
    public func notes(over source: VideoStreamDescription) -> [String] {
        let taken = "the video is taken for interlaced", shown = "the video is interlaced"
        return switch (fields, found?.order) {
        case (.topFirst, _): [note(taken, .topFirst, source)]
        case (.bottomFirst, _): [note(taken, .bottomFirst, source)]
        case (.auto, let order?): [note(shown, order, source)]
        case (.auto, nil): found == nil ? [] : ["the video is progressive, so its frames stay as they are"]
        }
    }

    private func note(_ kind: String, _ order: FieldOrder, _ source: VideoStreamDescription) -> String {
        let rate = outputStream(for: source).nominalFrameRate.map { "\($0) frames/s" }
        if let film, case .telecined = found?.kind {
            return
                "the video is telecined film (\(film.rawValue) pulldown, \(order.words)); its frames are put together again\(rate.map { ", \($0)" } ?? "")"
        }
        let result =
            switch (self.rate, rate) {
            case (.frame, _): "each frame becomes a progressive one"
            case (.field, let rate?): "its fields become \(rate)"
            case (.field, nil): "its fields become frames"
            }
        let parts = film.map {
            ", and the frames of telecined film in it (\($0.rawValue) pulldown) are put together again"
        }
        return "\(kind) (\(order.words)); \(result)\(parts ?? "")"
    }

    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun { DeinterlaceRun(self) }

    /// Which field of a frame is shown first; nil if it is progressive. What the pictures of the clip show counts for more
    /// than the flag of a frame.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - previous: the frame before it, of the same scene, if there is one.
    func order(of frame: Frame, after previous: Frame?) -> FieldOrder? {
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
