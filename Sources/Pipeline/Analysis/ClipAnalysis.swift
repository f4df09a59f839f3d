public import FrameCore
internal import Motion

/// The result of examining every frame of a clip: timing, cuts, duplicates, flashes and damage.
///
/// Memory does not depend on the clip's length. The analysis holds one frame, the signatures needed for cut detection,
/// and lists of at most ``listLimit`` entries.
public struct ClipAnalysis: Sendable {
    /// The maximum number of entries in each list; further occurrences are only counted.
    public static let listLimit = 10_000

    /// The evidence from which a transition may be a cut, unless stated otherwise.
    package static let defaultCutThreshold = SceneCutDetector.defaultThreshold

    /// A frame of the clip.
    public struct Place: Sendable, Hashable {
        /// The frame's position in the clip, counted from 0.
        public var frame: Int
        /// The frame's presentation time.
        public var time: MediaTime

        /// - Parameters:
        ///   - frame: position counted from 0.
        ///   - time: presentation time.
        package init(frame: Int, time: MediaTime) {
            self.frame = frame
            self.time = time
        }
    }

    /// The frames of one kind: how many there are, and where.
    public struct Occurrences: Sendable, Hashable {
        /// The number of frames.
        public private(set) var count = 0
        /// The first ``ClipAnalysis/listLimit`` of these frames.
        public private(set) var places: [Place] = []

        /// No frames.
        package init() {}

        fileprivate mutating func number(from first: Int) {
            for index in places.indices { places[index].frame += first }
        }

        mutating func append(_ place: Place) {
            count += 1
            if places.count < ClipAnalysis.listLimit { places.append(place) }
        }
    }

    /// The number of decoded frames.
    public var frameCount = 0
    /// The number of frames coded as two fields.
    public var interlacedFrames = 0
    /// The spacing of the frames in time.
    public var timing = FrameTiming()
    /// The first frame of each new scene.
    public var cuts = Occurrences()
    /// Frames that repeat the frame before them.
    public var duplicates = Occurrences()
    /// Frames at which a flash of light begins or, if its beginning was not detected, ends.
    public var flashes = Occurrences()
    /// What was lost or repaired while reading.
    public var damage = DamageReport()

    /// An analysis of no frames.
    package init() {}

    /// Changes the numbers of all frames so that the first one is `first`; for a part of a clip.
    package mutating func number(from first: Int) {
        cuts.number(from: first)
        duplicates.number(from: first)
        flashes.number(from: first)
    }

    /// Reads `source` to its end and analyses it; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - source: read from its next frame to its end.
    ///   - onFrame: called after each frame with the number of frames read so far.
    /// - Throws: any error that the source throws.
    public init(of source: any FrameSource, onFrame: (Int) -> Void = { _ in }) throws {
        try self.init(of: source, finder: CutSearch.lookingAhead.finder, onFrame: onFrame)
    }

    /// - Parameters:
    ///   - cutThreshold: the evidence from which a transition may be a cut, 0…1.
    ///   - onPicture: called with each frame, after `onFrame`.
    package init(
        of source: any FrameSource, cutThreshold: Float, onFrame: (Int) -> Void, onPicture: (Frame) throws -> Void
    ) throws {
        try self.init(
            of: source, finder: RestartingTransitions(SceneCutDetector(threshold: cutThreshold)), onFrame: onFrame,
            onPicture: onPicture)
    }

    package init(
        of source: any FrameSource, finder: any TransitionFinder, onFrame: (Int) -> Void = { _ in },
        onPicture: (Frame) throws -> Void = { _ in }
    ) throws {
        self.init()
        var intervals = FrameIntervals(base: source.stream.timeBase, nominalRate: source.stream.nominalFrameRate)
        var finder = finder
        var flash = FlashPairing()
        // Times of the frames that a later transition may still refer to.
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
            try onPicture(frame)
        }
        note(finder.finish())
        timing = intervals.finish()
        damage = source.damage
    }
}

/// Matches the frame pair at which a flash begins with the pair at which it ends.
struct FlashPairing {
    private var opened: Int?

    /// Whether the change of light before frame `index` begins a flash rather than ends one.
    mutating func begins(at index: Int) -> Bool {
        if let opened, index - opened <= SceneCutDetector.lookAhead {
            self.opened = nil
            return false
        }
        opened = index
        return true
    }
}
