internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import Jobs
internal import MediaIO
internal import Storyboards

/// Writes the thumbnail that a player would show at a given time.
struct StoryboardLookup {
    private let command: Storyboard
    private let track: String

    init(_ command: Storyboard, track: String) {
        self.command = command
        self.track = track
    }

    /// - Throws: ``JobFailure``.
    func run() throws {
        let (time, format) = try during(.options) { try plan() }
        try during(.openingOutput) {
            try SingleFile.check(command.output, input: track, overwrites: command.overwrite)
        }
        let codec = StillCodec()
        if !track.contains("://") { try during(.findingInput) { try InputAddress.requireReadable(track) } }
        let loaded = try during(.reading) {
            try StoryboardTrack(
                track, bytes: AddressReader(allowsNetwork: !command.noNetwork), decoder: codec, cacheDirectory: nil)
        }
        guard let found = try during(.reading, { try loaded.thumbnailNow(at: time) }) else {
            throw JobFailure("\(track): --at \(time) is outside the track", .usage)
        }
        let file = try during(.making) {
            try codec.encode(found.picture, as: format, options: StillOptions(quality: 95))
        }
        try Signals.shared.heldBack(writing: command.output) {
            try during(.writing) {
                try SingleFile.write(
                    Data(file.bytes), to: command.output, input: track, overwrites: command.overwrite)
            }
        }
        let buffer = found.picture.frame.buffer
        if command.json {
            EventPrinter().print(
                ThumbnailEvent(
                    track: track, output: command.output, time: time, start: found.start, end: found.end,
                    image: found.image, width: buffer.width, height: buffer.height,
                    exitCode: JobExitCode.success.rawValue))
        } else if !command.quiet {
            Console.say(
                "\(command.output): \(buffer.width)x\(buffer.height), shown from \(found.start) s to \(found.end) s")
        }
    }

    private func plan() throws(FrameError) -> (MediaTime, StillFormat) {
        guard command.input == nil else {
            throw FrameError(
                .invalidArgument, "--lookup reads a track, not a video; leave out '\(command.input ?? "")'")
        }
        guard let text = command.at else { throw FrameError(.invalidArgument, "--lookup needs --at") }
        if command.interval != nil || command.grid != nil || command.width != nil || command.keyframes || command.single
            || command.webp || command.resume || command.batch.recursive || command.batch.suffix != nil
            || command.baseURL != nil || command.quality != nil || command.threads != nil
        {
            throw FrameError(
                .invalidArgument, "--lookup reads a track; options for writing one do not apply")
        }
        let format = try StillFormat(ofOutput: command.output)
        guard let time = try OptionValue.position(text, option: "--at", allowsNegative: true).time else {
            throw FrameError(
                .invalidArgument, "--at '\(text)' is the number of a frame, and a track holds none; give a time")
        }
        return (time, format)
    }
}
