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
