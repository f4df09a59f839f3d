public import FrameCore

/// A frame sink that reports its encoder, its container and what it could not keep.
public protocol MediaSink: FrameSink {
    /// Name of the encoder, e.g. `libx264`; nil when nothing is encoded.
    var encoderName: String? { get }
    /// Name of the container, e.g. `mp4`.
    var containerName: String { get }
    /// One note for each thing that could not be kept as it was; complete after `FrameSink.finish()`.
    var notes: [Note] { get }
}

/// Opens the right sink for an output's name and options.
///
/// - Parameters:
///   - output: a path, `-` for standard output, or an image sequence such as `out_%05d.png`.
///   - stream: what will be written. Every frame's time should be a multiple of `timeBase`; `nominalFrameRate` becomes
///     the frame rate in the header if the format states one.
///   - source: a reader's ``MediaReader/sourceDescription``, from which other streams, chapters and tags are remuxed;
///     nil for none.
///   - retiming: how the output's clock relates to the source's.
///   - options: how the output is encoded and muxed.
/// - Returns: a sink for the frames.
/// - Throws: `FrameError` with code `.output`, `.unsupportedFormat` or `.invalidArgument`; nothing is left behind.
public func openSink(
    _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?, retiming: Retiming = .identity,
    options: MediaWriterOptions = MediaWriterOptions()
) throws(FrameError) -> any MediaSink {
    if options.format == "null" {
        source?.closePackets()
        return NullSink()
    }
    if holdsPictures(output, options) {
        let pictures = try PictureSequenceWriter(
            output, stream: stream, source: source, retiming: retiming, options: options)
        source?.closePackets()
        return pictures
    }
    return try MediaWriter(output, stream: stream, source: source, retiming: retiming, options: options)
}

/// Checks that an output's name and options select a format, without opening the output.
///
/// - Parameters:
///   - output: the output's name as for ``openSink(_:stream:source:retiming:options:)``.
///   - options: how the output is encoded and muxed.
/// - Throws: the `FrameError` that opening the output would throw.
package func checkFormat(of output: String, options: MediaWriterOptions) throws(FrameError) {
    guard options.format != "null", !holdsPictures(output, options) else { return }
    _ = try OutputFormat(output, named: options.format)
}

/// Returns the offset that the sink of ``openSink(_:stream:source:retiming:options:)`` adds to the times of all frames, with
/// which the earliest stream starts at zero.
package func expectedShift(
    _ output: String, source: MediaSourceDescription, retiming: Retiming, options: MediaWriterOptions
) throws(FrameError) -> MediaTime {
    MediaWriterSetup.shift(of: source, try OutputFormat(output, named: options.format), retiming, options)
}

/// Returns whether an output keeps frames of a format as they are: RGB as RGB, and alpha. The sink of
/// ``openSink(_:stream:source:retiming:options:)`` converts others, or leaves alpha out.
///
/// - Parameters:
///   - format: a format of RGB or with alpha.
///   - sourceCodec: libavcodec's name of the codec of the source, on which the codec of the output may depend.
///   - output: the output's name.
///   - options: how the output is encoded and muxed.
/// - Returns: false, too, if the output cannot be written, which the sink reports.
package func keepsChannels(
    of format: PixelFormat, from sourceCodec: String, in output: String, options: MediaWriterOptions
) -> Bool {
    if options.format == "null" { return true }
    // A size that all encoders accept.
    let stream = VideoStreamDescription(
        format: format, width: 64, height: 64, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1),
        color: format.isRGB ? ColorDescription(matrix: .identity, range: .full) : .unspecified)
    var options = options
    options.overwrites = true
    if holdsPictures(output, options) {
        guard let encoder = PicturePattern.encoder(for: output),
            let pictures = try? PictureEncoder(named: encoder, stream: stream, options: options, at: .init())
        else { return false }
        return format.isKept(by: pictures.choice)
    }
    let setup = try? MediaWriterSetup(
        output, stream: stream, source: nil, sourceCodec: sourceCodec, retiming: .identity, options: options,
        stopFlag: StopFlag())
    return (try? setup?.keepsChannels()) ?? false
}

private func holdsPictures(_ output: String, _ options: MediaWriterOptions) -> Bool {
    (options.format == nil || options.format == "image2") && PicturePattern.isPicture(output)
        && AnimationFormat(output, format: options.format) == nil
}

/// Counts frames and discards them, for measuring speed.
///
/// `@unchecked Sendable`: only one thread at a time accesses the count, as `FrameSink` requires.
package final class NullSink: MediaSink, @unchecked Sendable {
    /// The number of frames written so far.
    package private(set) var frameCount = 0
    package var encoderName: String? { nil }
    package var containerName: String { "null" }
    package var notes: [Note] { [] }

    /// Creates a sink with a count of 0.
    package init() {}
    package func write(_ frame: Frame) { frameCount += 1 }
    package func finish() {}
    package func cancel() {}
}

extension Note {
    /// The error in place of the note, when losses are not allowed.
    package func refusal(of output: String) -> FrameError {
        FrameError(.output, "\(sentence), and losses are errors here (--fail-on-loss)", at: .init(file: output))
    }
}
