public import FrameCore

/// A frame sink that says how it writes.
public protocol MediaSink: FrameSink {
    /// Encoder in use, e.g. `libx264`; nil where nothing is encoded.
    var encoderName: String? { get }
    /// Container in use, e.g. `mp4`.
    var containerName: String { get }
    /// One sentence for each thing that could not be kept as it was; complete after `FrameSink.finish()`.
    var notes: [String] { get }
}

/// Opens the right sink for an output's name and options.
///
/// - Parameters:
///   - output: a path, `-` for standard output, or a picture pattern such as `out_%05d.png`.
///   - stream: what will be written. `timeBase` should divide every frame's time (the finest tick);
///     `nominalFrameRate` becomes the header's rate where a format states one.
///   - source: where other streams, chapters and tags come from, a reader's ``MediaReader/sourceDescription``; nil takes
///     none.
///   - retiming: the output's clock over the source's.
///   - options: how the output is encoded and packed.
/// - Throws: `FrameError` with code `.output`, `.unsupportedFormat` or `.invalidArgument`; nothing is left behind.
public func openSink(
    _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?, retiming: Retiming = .identity,
    options: MediaWriterOptions = MediaWriterOptions()
) throws(FrameError) -> any MediaSink {
    if options.format == "null" {
        source?.closePackets()
        return NullSink()
    }
    if options.format == nil || options.format == "image2", PicturePattern.isPicture(output) {
        let pictures = try PictureSequenceWriter(output, stream: stream, source: source, options: options)
        source?.closePackets()
        return pictures
    }
    return try MediaWriter(output, stream: stream, source: source, retiming: retiming, options: options)
}

/// How the output's clock relates to the source's, for the streams that are remuxed.
public struct Retiming: Sendable, Hashable {
    /// New time over old time, about time zero; 1 keeps the clock.
    public let factor: Int32

    private init(factor: Int32) { self.factor = factor }

    /// Times stay as they are.
    public static let identity = Retiming(factor: 1)
    /// New time = `factor` × old time; factors below 1 are taken as 1.
    public static func stretched(by factor: Int32) -> Retiming { Retiming(factor: max(1, factor)) }
}

/// Takes frames and keeps none, for measuring.
///
/// `@unchecked Sendable`: the count is touched by one thread at a time, as `FrameSink` demands.
package final class NullSink: MediaSink, @unchecked Sendable {
    /// Frames taken so far.
    package private(set) var frameCount = 0
    package var encoderName: String? { nil }
    package var containerName: String { "null" }
    package var notes: [String] { [] }

    /// A sink that has taken nothing yet.
    package init() {}
    package func write(_ frame: Frame) { frameCount += 1 }
    package func finish() {}
    package func cancel() {}
}
