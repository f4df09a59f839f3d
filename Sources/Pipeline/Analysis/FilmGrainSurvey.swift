public import FrameCore
public import FrameEffects
internal import Motion

/// Models the noise that noise reduction removes from a clip as film grain, scene by scene; long scenes are divided at
/// the reset points of the source, every 240 frames, and where the noise changes.
///
/// A sample of the frames is filtered, and what the filter removes from their flat parts is measured. Memory grows by a
/// few kilobytes per scene.
public struct FilmGrainSurvey {
    /// The number of frames filtered together: three on either side of the measured one.
    private static let window = 7
    /// The number of frames from one measured frame of a scene to the next.
    private static let interval = 32

    /// A scene, or a part of a long one.
    private struct Scene {
        var start: MediaTime
        var end: MediaTime?
        var statistics = GrainStatistics()
    }

    private let noise: NoiseLevel
    private let amount: Double
    private let context: ExecutionContext
    private let finder: any TransitionFinder
    private var engine: TemporalNoiseFilterEngine?
    private var scenes: [Scene] = []
    /// The latest frames of the current scene.
    private var recent: [Frame] = []
    /// The number of frames of the scene since its latest measurement; nil before the first.
    private var sinceMeasurement: Int?
    /// The time of the latest measured frame.
    private var measuredTime: MediaTime?
    private var frameCount = 0

    /// - Parameters:
    ///   - noise: the noise that is removed.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    ///   - cuts: how cuts are detected.
    ///   - cutList: the first frames of new scenes, counted from the first frame that is read, if they are known.
    public init(
        noise: NoiseLevel = .automatic, context: ExecutionContext = .serial, cuts: CutSearch = .lookingAhead,
        cutList: Set<Int>? = nil
    ) {
        finder = cuts.finder(cutList: cutList)
        let removed = Double(min(max(noise.amount, 0), 1))
        // The grain is independent of the noise that stays, so their variances add up.
        amount = (removed * (2 - removed)).squareRoot()
        self.noise =
            switch noise {
            case .automatic, .strength: .automatic
            case .sigma(let sigma, _): .sigma(sigma)
            case .model(let model, _): .model(model)
            }
        self.context = context
    }

    /// Reads a clip to its end and returns its grain; blocks the calling thread.
    ///
    /// - Parameters:
    ///   - source: read from its next frame to its end.
    ///   - onFrame: called after each frame with the number of frames read so far; what it throws ends the survey.
    /// - Returns: a table with an entry for each scene, empty if there is no noise.
    /// - Throws: any error of the source or of `onFrame`.
    public mutating func table(of source: any FrameSource, onFrame: (Int) throws -> Void = { _ in }) throws
        -> FilmGrainTable
    {
        guard amount > 0, !noise.isNothing else { return FilmGrainTable([]) }
        var timeline = SourceTimeline(finder), count = 0
        while let frame = try source.nextFrame() {
            count += 1
            let entering = TimelineFrame(frame: frame, signature: finder.signature(of: frame.buffer))
            for known in timeline.append(entering) { try append(known) }
            try onFrame(count)
        }
        for known in timeline.finish() { try append(known) }
        try endScene()
        return frameCount > 1 ? table(format: source.stream.format) : FilmGrainTable([])
    }

    private mutating func append(_ known: TimelineFrame) throws {
        let frame = known.frame
        frameCount += 1
        if known.before.isCut || known.before.resetPoint != nil {
            let last = recent.last
            try endScene()
            // Half-way between the frames, a rounded time of a frame is on the right side.
            let start = last.map { middle($0.presentationTime, frame.presentationTime) } ?? frame.presentationTime
            begin(at: start)
        }
        recent.append(frame)
        if recent.count > Self.window { recent.removeFirst() }
        if let count = sinceMeasurement { sinceMeasurement = count + 1 }
        if recent.count == Self.window, sinceMeasurement ?? Self.interval >= Self.interval {
            try measure(Self.window / 2)
        }
    }

    private mutating func begin(at start: MediaTime) {
        if !scenes.isEmpty { scenes[scenes.count - 1].end = start }
        scenes.append(Scene(start: start))
    }

    private func middle(_ a: MediaTime, _ b: MediaTime) -> MediaTime {
        a + (b - a).multiplied(by: Rational(1, 2))
    }

    /// Measures a scene that is too short for a whole window.
    private mutating func endScene() throws {
        if sinceMeasurement == nil, recent.count > 1 { try measure(recent.count / 2) }
        recent = []
        sinceMeasurement = nil
    }

    private mutating func measure(_ index: Int) throws {
        sinceMeasurement = 0
        let picture = recent[index].buffer
        guard !recent[index].isInterlaced, WorkingSize.contains(picture.width, picture.height) else { return }
        let engine =
            try self.engine
            ?? TemporalNoiseFilterConfiguration(unchecked: picture, qualityPrioritization: .normal)
            .makeEffect(format: picture.format, context: context)
        self.engine = engine
        let filtered = try engine.filter(
            picture, previous: recent[..<index].map(\.buffer), next: recent[(index + 1)...].map(\.buffer), noise: noise)
        let statistics = GrainSampler(format: picture.format, width: picture.width, height: picture.height)
            .statistics(of: picture, filtered: filtered)
        let time = recent[index].presentationTime
        if let measuredTime, statistics.differs(from: scenes[scenes.count - 1].statistics) {
            // The noise has changed somewhere between the two measurements.
            // Half a frame before the frame in the middle, so that a rounded time of a frame is on the right side.
            let half = middle(.zero, index > 0 ? time - recent[index - 1].presentationTime : .zero)
            begin(at: middle(max(measuredTime, scenes[scenes.count - 1].start), time) - half)
        }
        measuredTime = time
        scenes[scenes.count - 1].statistics.add(statistics)
    }

    private func table(format: PixelFormat) -> FilmGrainTable {
        var clip = GrainStatistics()
        for scene in scenes where !scene.statistics.isEmpty { clip.add(scene.statistics) }
        guard let origin = scenes.first?.start else { return FilmGrainTable([]) }
        var entries: [FilmGrainTable.Entry] = []
        for (index, scene) in scenes.enumerated() {
            guard !scene.statistics.isEmpty else { continue }
            // Neighbouring scenes get different patterns.
            let seed = UInt16(truncatingIfNeeded: 7391 &+ 3571 &* index)
            guard
                let grain = GrainModel(scene.statistics.pulled(toward: clip), format: format, amount: amount)
                    .grain(seed: seed)
            else { continue }
            entries.append(
                FilmGrainTable.Entry(
                    start: FilmGrainTable.ticks(scene.start - origin),
                    end: scene.end.map { FilmGrainTable.ticks($0 - origin) } ?? FilmGrainTable.forever, grain: grain))
        }
        return FilmGrainTable(entries, origin: origin)
    }
}
