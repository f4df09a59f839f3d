public import FrameCore

/// Makes a storyboard and all its track formats in one pass over a video.
///
/// Tile number i shows the frame that stands at i intervals after the first frame. ``StoryboardRecorder`` does the same
/// for frames that come one by one.
public struct StoryboardWriter: Sendable {
    /// Takes a finished file: its name, which may begin with a folder, and its bytes.
    public typealias Output = (_ name: String, _ bytes: [UInt8]) throws -> Void

    private let configuration: StoryboardConfiguration
    private let encoder: any StillEncoder

    /// - Throws: `FrameError` for a configuration that is not allowed.
    public init(configuration: StoryboardConfiguration, encoder: any StillEncoder) throws(FrameError) {
        try configuration.check()
        self.configuration = configuration
        self.encoder = encoder
    }

    /// Reads the source to its end and writes every file.
    ///
    /// - Parameters:
    ///   - source: all its frames, or key frames alone for speed.
    ///   - onTile: told how many tiles there are so far; throws to stop.
    ///   - output: takes each file as it is made.
    /// - Returns: the storyboard in numbers.
    /// - Throws: `FrameError` when the source gives no frame, what the encoder throws, and what `output` throws.
    public func write(
        _ source: any FrameSource, onTile: (Int) throws -> Void = { _ in }, to output: Output
    ) throws -> StoryboardDescription {
        var recorder = try StoryboardRecorder(configuration: configuration, encoder: encoder, stream: source.stream)
        while let frame = try source.nextFrame() { try recorder.append(frame, onTile: onTile, to: output) }
        return try recorder.finish(onTile: onTile, to: output)
    }
}

/// Makes a storyboard of frames that come one by one, as a pipeline makes them.
///
/// What is held in memory is one frame, one sheet, its tiles, and the small JPEG files for players that want pictures one
/// by one: 100 000 of them and 2 GiB at most.
public struct StoryboardRecorder: Sendable {
    /// More tiles than this are refused.
    private static let mostTiles = 100_000

    private let configuration: StoryboardConfiguration
    private let encoder: any StillEncoder
    private let stream: VideoStreamDescription
    private var run: StoryboardRun?
    private var first = MediaTime.zero
    /// Shown until the next one comes.
    private var held: Frame?

    /// A storyboard without tiles.
    ///
    /// - Parameters:
    ///   - configuration: what it looks like.
    ///   - encoder: makes its pictures.
    ///   - stream: what is known of the frames: their display matrix counts.
    /// - Throws: `FrameError` for a configuration that is not allowed.
    public init(
        configuration: StoryboardConfiguration, encoder: any StillEncoder, stream: VideoStreamDescription
    ) throws(FrameError) {
        try configuration.check()
        self.configuration = configuration
        self.encoder = encoder
        self.stream = stream
    }

    /// Tiles that there are so far.
    public var tileCount: Int { run?.tileCount ?? 0 }

    /// Takes the next frame; times ascend. Sheets that are full are written.
    ///
    /// - Parameters:
    ///   - frame: the next in presentation order.
    ///   - onTile: told how many tiles there are so far; throws to stop.
    ///   - output: takes each file as it is made.
    /// - Throws: `FrameError` when there are too many tiles, what the encoder throws, and what `output` throws.
    public mutating func append(
        _ frame: Frame, onTile: (Int) throws -> Void = { _ in }, to output: StoryboardWriter.Output
    ) throws {
        if let held {
            try show(held, until: frame.presentationTime, onTile, output)
        } else {
            first = frame.presentationTime
            run = try StoryboardRun(configuration, encoder, stream, first: frame)
        }
        held = frame
    }

    /// Ends the storyboard and writes all that is left.
    ///
    /// - Parameters:
    ///   - onTile: as for ``append(_:onTile:to:)``.
    ///   - output: takes each file as it is made.
    /// - Returns: the storyboard in numbers.
    /// - Throws: `FrameError` when there was no frame; as ``append(_:onTile:to:)``.
    public mutating func finish(
        onTile: (Int) throws -> Void = { _ in }, to output: StoryboardWriter.Output
    ) throws -> StoryboardDescription {
        if let last = held {
            let end = last.duration.map { last.presentationTime + $0 }
            try show(last, until: end ?? last.presentationTime + MediaTime(value: 1, timescale: 1000), onTile, output)
            if var ready = run {
                (run, held) = (nil, nil)
                return try ready.finish(length: (end ?? last.presentationTime) - first, output)
            }
        }
        throw FrameError(.input, "there are no frames, so there is no tile to show")
    }

    private mutating func show(
        _ frame: Frame, until stop: MediaTime, _ onTile: (Int) throws -> Void, _ output: StoryboardWriter.Output
    ) throws {
        // Times from a damaged file may lie anywhere.
        let length = (stop - first).ticksDown(1000)
        guard length / configuration.intervalMilliseconds < Int64(Self.mostTiles) else {
            throw FrameError(
                .invalidArgument,
                "one tile every \(configuration.interval) s of \(stop - first) s gives more than \(Self.mostTiles) tiles; take a longer interval"
            )
        }
        try StoryboardDescription.checkLength(max(0, length))
        while let due = run?.nextTime, first + due < stop {
            try run?.add(frame, output)
            try onTile(tileCount)
        }
    }
}
