internal import FrameCore
internal import Imaging

/// The pictures of film, freed from their pulldown: of telecined video, each film frame comes once, evenly spaced; whatever
/// else the clip consists of keeps its times.
///
/// Which source frames show which pictures is known only to the run, so the plan gives nothing but estimates.
struct FilmPlan: TimingPlan {
    /// The cadence of the clip; nil if only parts of it are telecined.
    let cadence: FieldStructure.Cadence?
    /// How many frames are made of each interlaced one.
    let fieldRate: FieldRate

    /// The cadence.
    var summary: String { cadence?.rawValue ?? "mixed" }
    /// Even, if all of the clip is telecined without a break.
    var spacing: FrameSpacing { cadence == nil ? .uneven : .kept }
    /// Nothing: what the frames show is known from the pictures.
    var history: TimingHistory { .nothing }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) -> Int { frames }

    /// Returns a description with a quarter of the tick, and with the rate of the film frames.
    func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        var output = RateMultiplicationPlan(framesPerFrame: 4).outputStream(for: source)
        let factor = cadence?.picturesPerFrame ?? (fieldRate == .field ? Rational(2, 1) : Rational(1, 1))
        output.nominalFrameRate = source.nominalFrameRate.flatMap { (ExactTime($0) * ExactTime(factor)).rational }
        output.frameCount = expectedFrameCount(sourceFrames: source.likelyFrameCount, duration: source.duration)
        return output
    }

    func expectedFrameCount(sourceFrames: Int?, duration: MediaTime?) -> Int? {
        guard let cadence else { return nil }
        return sourceFrames.map { max(1, (ExactTime($0) * ExactTime(cadence.picturesPerFrame)).rounded) }
    }
}
