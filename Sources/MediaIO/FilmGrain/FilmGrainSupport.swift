import CLibAV
public import FrameCore
import Glibc

extension MediaWriterOptions {
    /// The encoder that stores film grain from a table.
    static let filmGrainEncoder = "libaom-av1"

    /// Checks that an output can store film grain, before any work is done.
    ///
    /// - Parameter output: the name of the output, as in ``openSink(_:stream:source:retiming:options:)``.
    /// - Throws: `FrameError` that names what would be possible.
    public func checkFilmGrain(output: String) throws(FrameError) {
        let location = FrameError.Location(file: output)
        func failure(_ reason: String) -> FrameError {
            FrameError(
                .invalidArgument,
                "only AV1 video stores film grain, and \(reason); use --codec av1 in .mkv, .mp4 or .webm, or --grain add=STRENGTH, which works with every codec",
                at: location)
        }
        if let codec, codec != .av1 { throw failure("the codec is \(codec.rawValue)") }
        if format == "null" { throw failure("--format null encodes nothing") }
        if format == nil || format == "image2", PicturePattern.isPicture(output) {
            throw failure("the output is images")
        }
        let container = try OutputFormat(output, named: format)
        guard container.holds(AV_CODEC_ID_AV1) else { throw failure("\(container.name) cannot hold it") }
        guard avcodec_find_encoder_by_name(Self.filmGrainEncoder) != nil else {
            throw failure("this libavcodec lacks the encoder \(Self.filmGrainEncoder)")
        }
    }
}

/// A table of film grain in memory that an encoder reads as a file.
final class FilmGrainFile {
    private let file: Int32

    /// - Parameters:
    ///   - table: the grain of the whole video.
    ///   - start: the presentation time of the encoder's first frame, from which the encoder counts.
    init(_ table: FilmGrainTable, from start: MediaTime) throws(FrameError) {
        file = vfx_memory_file("film-grain")
        guard file >= 0 else {
            throw FrameError(.allocation, "no memory for the film grain table", cause: SystemError.last)
        }
        var rest = Array(table.from(start).text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard written > 0 else {
                close(file)
                throw FrameError(.allocation, "no memory for the film grain table", cause: SystemError.last)
            }
            rest = rest.dropFirst(written)
        }
    }

    deinit { close(file) }

    /// Makes an encoder read the table when it is opened.
    func apply(to codec: CodecContext) throws(FrameError) {
        try check(
            av_opt_set(
                codec.pointer, "aom-params", "film-grain-table=/proc/self/fd/\(file)", AV_OPT_SEARCH_CHILDREN),
            .encode, "\(MediaWriterOptions.filmGrainEncoder) does not accept a film grain table")
    }
}
