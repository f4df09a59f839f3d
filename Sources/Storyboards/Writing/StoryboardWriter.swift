public import FrameCore

/// Writes a storyboard and all its track formats in one pass over a video.
///
/// Tile i shows the frame that a player shows i intervals after the beginning of the video; before the first frame, that
/// is the first one, and after the last frame, the last one. ``StoryboardRecorder`` does the same for frames that arrive
/// one at a time.
public struct StoryboardWriter: Sendable {
    /// Receives a finished file: its name, which may start with a folder, and its bytes.
    public typealias Output = (_ name: String, _ bytes: [UInt8]) throws -> Void

    private let configuration: StoryboardConfiguration
    private let encoder: any StillEncoder

    /// Creates a writer.
    ///
    /// - Throws: `FrameError` for an invalid configuration.
    public init(configuration: StoryboardConfiguration, encoder: any StillEncoder) throws(FrameError) {
        try configuration.check()
        self.configuration = configuration
        self.encoder = encoder
    }

    /// Reads the source to its end and writes every file.
    ///
    /// - Parameters:
    ///   - source: delivers all frames, or only keyframes for speed.
    ///   - delay: the time from the beginning of the video, where a player's clock starts, to the first frame; 0 or more.
    ///   - length: called after the last frame; returns the duration of the video from its beginning to the end of its
    ///     longest stream, or nil if it ends with the last frame.
    ///   - onTile: called with the number of tiles so far; throw an error to stop.
    ///   - output: receives each file as it is made.
    /// - Returns: the description of the storyboard.
    /// - Throws: `FrameError` when the source has no frames; errors from the encoder and from `output`.
    public func write(
        _ source: any FrameSource, delay: MediaTime = .zero, length: () -> MediaTime? = { nil },
        onTile: (Int) throws -> Void = { _ in }, to output: Output
    ) throws -> StoryboardDescription {
        var recorder = try StoryboardRecorder(
            configuration: configuration, encoder: encoder, stream: source.stream, delay: delay)
        while let frame = try source.nextFrame() { try recorder.append(frame, onTile: onTile, to: output) }
        return try recorder.finish(length: length(), onTile: onTile, to: output)
    }
}

/// Writes a storyboard from frames that arrive one at a time, such as the output of a pipeline.
///
/// It keeps in memory one frame, one sheet, its tiles, and the small JPEG files for players that need single images: at
/// most 100 000 of them and 2 GiB.
public struct StoryboardRecorder: Sendable {
    /// The maximum number of tiles.
    private static let mostTiles = 100_000

    private let configuration: StoryboardConfiguration
    private let encoder: any StillEncoder
    private let stream: VideoStreamDescription
    private let delay: MediaTime
    private var run: StoryboardRun?
    /// The time at which the video begins, on the frames' clock.
    private var first = MediaTime.zero
    /// The last frame received, which is shown until the next one arrives.
    private var held: Frame?

    /// Creates a storyboard without tiles.
    ///
    /// - Parameters:
    ///   - configuration: the appearance of the storyboard.
    ///   - encoder: encodes its images.
    ///   - stream: describes the frames; its display matrix determines their orientation.
    ///   - delay: the time from the beginning of the video, where a player's clock starts, to the first frame; 0 or more.
    /// - Throws: `FrameError` for an invalid configuration.
    public init(
        configuration: StoryboardConfiguration, encoder: any StillEncoder, stream: VideoStreamDescription,
        delay: MediaTime = .zero
    ) throws(FrameError) {
        try configuration.check()
        self.configuration = configuration
        self.encoder = encoder
        self.stream = stream
        self.delay = max(.zero, delay)
    }

    /// The number of tiles so far.
    public var tileCount: Int { run?.tileCount ?? 0 }

    /// Appends the next frame and writes the sheets that are full.
    ///
    /// - Parameters:
    ///   - frame: the next frame in presentation order; its time is later than that of the previous frame.
    ///   - onTile: called with the number of tiles so far; throw an error to stop.
    ///   - output: receives each file as it is made.
    /// - Throws: `FrameError` when there are too many tiles; errors from the encoder and from `output`.
    public mutating func append(
        _ frame: Frame, onTile: (Int) throws -> Void = { _ in }, to output: StoryboardWriter.Output
    ) throws {
        if let held {
            try show(held, until: frame.presentationTime, onTile, output)
        } else {
            first = frame.presentationTime - delay
            run = try StoryboardRun(configuration, encoder, stream, first: frame)
        }
        held = frame
    }

    /// Ends the storyboard and writes the remaining files.
    ///
    /// - Parameters:
    ///   - length: the duration of the video from its beginning to the end of its longest stream; nil if it ends with the
    ///     last frame.
    ///   - onTile: as for ``append(_:onTile:to:)``.
    ///   - output: receives each file as it is made.
    /// - Returns: the description of the storyboard.
    /// - Throws: `FrameError` when there was no frame; otherwise as ``append(_:onTile:to:)``.
    public mutating func finish(
        length: MediaTime? = nil, onTile: (Int) throws -> Void = { _ in }, to output: StoryboardWriter.Output
    ) throws -> StoryboardDescription {
        if let last = held {
            let own = last.duration.map { last.presentationTime + $0 }
            // A length that the container states wrongly must not make too many tiles.
            let limit = MediaTime(value: configuration.intervalMilliseconds, timescale: 1000)
                .multiplied(by: Rational(Int32(Self.mostTiles), 1))
            let stated = length.flatMap { $0 < limit ? first + $0 : nil }
            let end = own.map { max($0, stated ?? $0) } ?? stated.flatMap { $0 > last.presentationTime ? $0 : nil }
            try show(last, until: end ?? last.presentationTime + MediaTime(value: 1, timescale: 1000), onTile, output)
            if var ready = run {
                (run, held) = (nil, nil)
                return try ready.finish(length: (end ?? last.presentationTime) - first, output)
            }
        }
        throw FrameError(.input, "the video has no frames, so there are no tiles")
    }

    private mutating func show(
        _ frame: Frame, until stop: MediaTime, _ onTile: (Int) throws -> Void, _ output: StoryboardWriter.Output
    ) throws {
        // A damaged file may contain arbitrary times.
        let length = (stop - first).ticksDown(1000)
        guard length / configuration.intervalMilliseconds < Int64(Self.mostTiles) else {
            throw FrameError(
                .invalidArgument,
                "one tile every \(configuration.interval) s of \(stop - first) s gives more than \(Self.mostTiles) tiles; use a longer interval"
            )
        }
        try StoryboardDescription.checkLength(max(0, length))
        while let due = run?.nextTime, first + due < stop {
            try run?.add(frame, output)
            try onTile(tileCount)
        }
    }
}
