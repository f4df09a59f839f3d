import FrameCore

/// The active picture inside the black bars of consecutive frames, for engines that work on it as if there were no bars.
struct ActivePicture {
    /// The part of the frames that is worked on; nil for all of them.
    private(set) var crop: PictureCrop?
    /// The parts of the latest frames, oldest first: what belongs to a frame is recognized by its memory.
    private var parts: [(frame: PixelBuffer, part: PixelBuffer)] = []
    /// The latest pair, the part of it inside bars, and the one that was last found in it or in those that it follows.
    private var latest: (source: PixelBuffer, next: PixelBuffer, crop: PictureCrop?, bars: PictureCrop?)?

    /// The number of frames whose parts are kept.
    private let keptParts: Int

    /// - Parameter keptParts: the number of frames that an engine works on at once.
    init(keptParts: Int) { self.keptParts = keptParts }

    /// Returns the part of a pair inside bars; nil if there are none. The pair becomes the latest one.
    mutating func find(in source: PixelBuffer, _ next: PixelBuffer, _ relation: PairRelation) -> PictureCrop? {
        var former: PictureCrop?
        if let latest, relation != .none {
            if relation == .samePair, latest.source.hasSameSamples(as: source), latest.next.hasSameSamples(as: next) {
                return latest.crop
            }
            if relation == .follows, latest.next.hasSameSamples(as: source) { former = latest.bars }
        }
        let found = PictureCrop.find(source, next, former: former)
        latest = (source, next, found, found ?? former)
        return found
    }

    /// Chooses the part of the frames to work on.
    mutating func use(_ crop: PictureCrop?) {
        if self.crop != crop { parts = [] }
        self.crop = crop
    }

    /// Returns the part of a frame inside the bars, the same for the same frame.
    mutating func part(of frame: PixelBuffer) throws(FrameError) -> PixelBuffer {
        guard let crop else { return frame }
        if let known = parts.first(where: { $0.frame.storage === frame.storage }) { return known.part }
        let part = try crop.part(of: frame)
        parts = parts.suffix(keptParts - 1) + [(frame, part)]
        return part
    }
}
