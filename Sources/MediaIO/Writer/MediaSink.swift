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
