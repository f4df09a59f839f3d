import CLibAV
import FrameCore

/// The choice of the encoder of an output.
extension MediaWriterSetup {
    /// Whether the output stores frames of the stream's format as RGB if they are RGB, and with their alpha.
    ///
    /// - Throws: `FrameError` if the output cannot be written.
    func keepsChannels() throws(FrameError) -> Bool {
        let choice = try openEncoderOnly().choice
        return stream.format.isKept(by: choice)
            && (!stream.format.hasAlpha || format.holdsAlpha(choice.encoder.pointee.id))
    }

    /// Opens the encoder and nothing else, with the settings that it has when the output is written.
    func openEncoderOnly() throws(FrameError) -> VideoEncoder {
        try openEncoder(globalHeader: Muxer(format.pointer, target).needsGlobalHeader).0
    }

    func openEncoder(globalHeader: Bool) throws(FrameError) -> (VideoEncoder, [Note]) {
        let location = FrameError.Location(file: target.output)
        if let animation = format.animation { return try openEncoder(of: animation, at: location) }
        let usual =
            options.filmGrain == nil
            ? format.defaultCodecs(source: sourceCodec, withAlpha: stream.format.hasAlpha) : [.av1]
        let codecs = options.codec.map { [$0] } ?? usual
        if let codec = options.codec, !format.holds(codec.codecID) {
            throw FrameError(.invalidArgument, "\(format.name) does not support \(codec.rawValue) video", at: location)
        }
        guard !codecs.isEmpty else { throw noCodec(at: location) }
        var choices: [EncoderChoice]
        do {
            choices = try EncoderChoice.ranked(
                codecs, for: stream, pixelFormat: options.pixelFormat, in: format,
                forPlayers: isForPlayers, storesFilmGrain: options.filmGrain != nil)
        } catch {
            throw error.inFile(target.output)
        }
        if format.isY4M, let bare = avcodec_find_encoder_by_name("wrapped_avframe") {
            choices = choices.map { EncoderChoice(bare, like: $0) }
        }
        var failure: FrameError?
        for choice in choices {
            do {
                let (choice, colorNotes) = try fitted(choice)
                let encoder = try VideoEncoder(
                    choice, stream: stream, timeBase: timeBase, options: options, globalHeader: globalHeader,
                    shortestTicks: format.countsFrames ? 1 : 0, keepsTimeCode: keepsTimeCode)
                let isHeld = choice.samples?.hasAlpha == true && format.holdsAlpha(choice.encoder.pointee.id)
                let lost = stream.format.hasAlpha && !isHeld
                let notes = [
                    lost
                        ? .loss("alpha-dropped", "\(choice.codecName) in \(format.name) cannot hold the alpha channel")
                        : nil,
                    choice.note.map { Note("pixels-converted", $0) }, encoder.note.map { Note("encoder-settings", $0) },
                    format.playerNote(choice, stream),
                ]
                return (encoder, notes.compactMap(\.self) + colorNotes)
            } catch {
                failure = failure ?? error
            }
        }
        let error = failure ?? FrameError(.unsupportedFormat, "there is no encoder for \(format.name)")
        throw error.inFile(target.output)
    }

    /// Whether the usual players of the container must be able to show video that is made from RGB.
    private var isForPlayers: Bool {
        stream.format.isRGB ? format.isForPlayers : source?.isRGB == true
    }

    private func openEncoder(
        of animation: AnimationFormat, at location: FrameError.Location
    ) throws(FrameError) -> (VideoEncoder, [Note]) {
        if let codec = options.codec {
            throw FrameError(
                .invalidArgument,
                "\(animation.rawValue) files cannot contain \(codec.rawValue) video; leave --codec out",
                at: location)
        }
        var options = options
        if animation == .webp { options.crf = options.crf ?? Self.usualWebPCRF }
        do throws(FrameError) {
            let choice = try PictureEncoder.choice(of: animation, for: stream, options, at: location)
            let (fitted, colorNotes) = fitted(choice, shown: Self.colors(of: choice))
            let encoder = try VideoEncoder(
                fitted, stream: stream, timeBase: timeBase, options: options, globalHeader: false,
                shortestTicks: animation.shortestTicks)
            return (encoder, (choice.note.map { [Note("pixels-converted", $0)] } ?? []) + colorNotes)
        } catch {
            throw error.inFile(target.output)
        }
    }

    /// The quality of animated WebP, on the scale of `crf`, unless one is chosen.
    private static let usualWebPCRF = 10.0

    /// The colors that readers of an animated image assume.
    private static func colors(of choice: EncoderChoice) -> ColorDescription {
        ColorDescription(
            matrix: choice.demands.matrix ?? .unspecified, primaries: .bt709, transfer: .sRGB,
            range: choice.demands.range ?? .unspecified)
    }

    private func noCodec(at location: FrameError.Location) -> FrameError {
        let known = MediaWriterOptions.Codec.allCases.map(\.rawValue).joined(separator: ", ")
        return FrameError(
            .unsupportedFormat,
            "\(format.name) files are not written, since they hold no video of the codecs \(known); use .mp4, .mov, .mkv, .webm, .avi or numbered images",
            at: location)
    }
}

extension PixelFormat {
    /// Whether an encoder stores frames of the format as RGB if they are RGB, and with their alpha.
    func isKept(by choice: EncoderChoice) -> Bool {
        guard let samples = choice.samples else { return isPlain }
        // Gray with alpha is not converted.
        if hasAlpha, subsampling == .monochrome { return samples.hasAlpha && samples.subsampling == .monochrome }
        return (samples.isRGB || !isRGB) && (samples.hasAlpha || !hasAlpha)
    }
}
