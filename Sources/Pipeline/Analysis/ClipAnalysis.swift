public import FrameCore
internal import Motion

/// What a clip turns out to hold once every frame has been looked at.
///
/// Memory does not depend on the clip's length: one frame, the signatures in which cuts are looked for, and lists that
/// end at ``listLimit`` entries are held.
public struct ClipAnalysis: Sendable {
    /// Entries of each list at most; what lies beyond is counted only.
    public static let listLimit = 10_000

    /// A frame of the clip.
    public struct Place: Sendable, Hashable {
        /// Position counted from 0.
        public var frame: Int
        /// Presentation time.
        public var time: MediaTime

        /// - Parameters:
        ///   - frame: position counted from 0.
        ///   - time: presentation time.
        package init(frame: Int, time: MediaTime) {
            self.frame = frame
            self.time = time
        }
    }

    /// Frames of one kind.
    public struct Occurrences: Sendable, Hashable {
        /// How many there are.
        public private(set) var count = 0
        /// The first of them, ``ClipAnalysis/listLimit`` at most.
        public private(set) var places: [Place] = []

        /// None.
        init() {}

        mutating func append(_ place: Place) {
            count += 1
            if places.count < ClipAnalysis.listLimit { places.append(place) }
        }
    }

    /// Frames that were decoded.
    public var frameCount = 0
    /// Frames coded as two fields.
    public var interlacedFrames = 0
    /// How they lie in time.
    public var timing = FrameTiming()
    /// First frames of new scenes.
    public var cuts = Occurrences()
    /// Frames that show again what the frame before shows.
    public var duplicates = Occurrences()
    /// Frames at which a flash of light begins or, where nothing shows its beginning, ends.
    public var flashes = Occurrences()
    /// What was lost or repaired while reading.
    public var damage = DamageReport()

    /// An analysis of nothing, before `run`.
    package init() {}

    /// Reads `source` to its end; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - source: read from its next frame on.
    ///   - onFrame: called with the number of frames read so far.
    /// - Throws: what the source throws.
    public init(of source: any FrameSource, onFrame: (Int) -> Void = { _ in }) throws {
        try self.init(of: source, finder: SceneCutDetector(), onFrame: onFrame)
    }

    package init(
        of source: any FrameSource, finder: any TransitionFinder, onFrame: (Int) -> Void = { _ in }
    ) throws {
        self.init()
        var intervals = FrameIntervals(base: source.stream.timeBase, nominalRate: source.stream.nominalFrameRate)
        var finder = finder
        var flash = FlashPairing()
        // Times of the frames that a transition yet to come may name.
        var recent: [Int: MediaTime] = [:]
        func note(_ transitions: [Transition]) {
            for transition in transitions {
                let place = Place(frame: transition.index, time: recent[transition.index] ?? .zero)
                recent[transition.index] = nil
                switch transition.kind {
                case .cut: cuts.append(place)
                case .duplicate: duplicates.append(place)
                case .continuous: break
                }
                if transition.isFlash, flash.begins(at: transition.index) { flashes.append(place) }
            }
        }
        while let frame = try source.nextFrame() {
            if frameCount > 0 { recent[frameCount] = frame.presentationTime }
            frameCount += 1
            if frame.isInterlaced { interlacedFrames += 1 }
            intervals.append(frame.presentationTime, duration: frame.duration)
            note(finder.append(finder.signature(of: frame.buffer)))
            onFrame(frameCount)
        }
        note(finder.finish())
        timing = intervals.finish()
        damage = source.damage
    }
}

/// Puts the pair of frames that leads into a flash and the one that leads out of it together.
struct FlashPairing {
    private var opened: Int?

    /// Whether the break of light before frame `index` begins a flash and does not end one.
    mutating func begins(at index: Int) -> Bool {
        if let opened, index - opened <= SceneCutDetector.lookAhead {
            self.opened = nil
            return false
        }
        opened = index
        return true
    }
}
