internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import MediaIO
internal import Thumbnails

/// One still as the command line describes it.
struct StillJob {
    private let command: Still

    init(_ command: Still) { self.command = command }

    private struct Plan {
        var time: MediaTime
        var photo: PhotoSettings
        var maximumSize: (width: Int, height: Int)
        var before: MediaTime?
        var after: MediaTime?
        var reader: MediaReaderOptions
    }

    /// - Throws: ``VfxFailure``, or `ExitCode` for a damaged input.
    func run() throws {
        let plan = try during(.options) { try self.plan() }
        try during(.findingInput) { try InputAddress.requireReadable(command.input) }
        try during(.openingOutput) {
            try SingleFile.check(command.output, input: command.input, overwrites: command.overwrite)
        }
        let reader = try during(.openingInput) { try MediaReader(command.input, options: plan.reader) }
        let image = try make(reader, plan)
        var photo = plan.photo
        if !command.noMetadata {
            let name = command.input.split(separator: "/").last.map(String.init) ?? command.input
            photo.metadata = StillMetadata(
                inputName: name, created: StillMetadata.created(reader), at: image.actualTime)
        }
        let made = try during(.openingOutput) {
            try PhotoMaker(encoder: StillCodec()).photo(of: image.picture, settings: photo)
        }
        try Signals.shared.heldBack(writing: command.output) {
            try during(.writing) {
                try SingleFile.write(
                    Data(made.fileDataRepresentation), to: command.output, input: command.input,
                    overwrites: command.overwrite)
            }
        }
        report(made, image, reader)
        if !reader.damage.isEmpty { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
    }

    private func make(_ reader: MediaReader, _ plan: Plan) throws -> GeneratedImage {
        do {
            return try generator(reader, plan).imageNow(at: plan.time)
        } catch var error as FrameError {
            error.location.file = error.location.file ?? command.input
            // A time outside the video is a wrong option, not a wrong video.
            throw (error.code == .invalidArgument ? JobStep.options : .reading).failure(error)
        }
    }

    private func plan() throws(FrameError) -> Plan {
        let format = try StillFormat(ofOutput: command.output)
        if command.json, command.quiet {
            throw FrameError(.invalidArgument, "--json and --quiet exclude each other; give one of them")
        }
        if command.keyframe, command.tolerance != "0" {
            throw FrameError(.invalidArgument, "--keyframe and --tolerance exclude each other; give one of them")
        }
        let tolerance = try TimeValue.parse(command.tolerance, option: "--tolerance")
        guard tolerance >= .zero else {
            throw FrameError(.invalidArgument, "--tolerance \(command.tolerance) is below 0")
        }
        let quality = try NumberValue.whole(command.quality, option: "--quality", range: 1...100)
        var photo = PhotoSettings(format: format, quality: quality, isLossless: command.lossless || format == .png)
        if let box = command.embedThumbnail {
            let size = try SizeValue.parse(box, option: "--embed-thumbnail", range: 16...2048)
            photo.embeddedThumbnailFormat = .init(maximumSize: size)
        }
        if command.hdr, !format.holdsHighDynamicRange {
            throw FrameError(
                .invalidArgument, "--hdr needs a format with more than 8 bits: avif, png or jxl, not \(format.name)")
        }
        photo.threads = try ThreadCount.parse(nil)
        var box = (width: 0, height: 0), rate: Rational?
        if let text = command.maxSize { box = try SizeValue.parse(text, option: "--max-size", range: 0...16_384) }
        if let text = command.inputFps { rate = try FrameRateValue.parse(text, option: "--input-fps") }
        return Plan(
            time: try TimeValue.parse(command.at, option: "--at"), photo: photo,
            maximumSize: box,
            before: command.keyframe ? nil : tolerance, after: command.keyframe ? nil : tolerance,
            reader: MediaReaderOptions(
                inputFrameRate: rate, allowsInterlaced: true, keepsOtherStreams: false,
                allowsNetwork: !command.noNetwork))
    }

    private func generator(_ reader: MediaReader, _ plan: Plan) -> ImageGenerator {
        let first = FirstReader(reader)
        let generator = ImageGenerator { [input = command.input] in
            if let reader = first.take() { return reader }
            return try MediaReader(input, options: plan.reader)
        }
        generator.maximumSize = plan.maximumSize
        generator.requestedTimeToleranceBefore = plan.before
        generator.requestedTimeToleranceAfter = plan.after
        generator.apertureMode = .init(command.aperture)
        generator.appliesPreferredTrackTransform = !command.noTurn
        generator.dynamicRangePolicy = command.hdr ? .matchSource : .forceStandard
        generator.threads = plan.photo.threads
        return generator
    }

    private func report(_ photo: Photo, _ image: GeneratedImage, _ reader: MediaReader) {
        let buffer = photo.picture.frame.buffer
        let notes = reader.notes + photo.notes
        if command.json {
            let thumbnail = photo.embeddedThumbnailSize
            JSONEvent.print(
                "still",
                [
                    ("input", .string(command.input)), ("output", .string(command.output)),
                    ("time", .time(image.requestedTime)), ("actual_time", .time(image.actualTime)),
                    ("width", .int(buffer.width)), ("height", .int(buffer.height)),
                    ("bytes", .int(photo.fileDataRepresentation.count)),
                    ("thumbnail_width", .optional(thumbnail?.width)),
                    ("thumbnail_height", .optional(thumbnail?.height)),
                    ("notes", .array(notes.map { .string($0) })),
                    ("exit_code", .int(reader.damage.isEmpty ? 0 : 3)),
                ])
        } else if !command.quiet {
            for note in notes { Console.note(note) }
            Console.say(
                "\(command.output): the frame at \(image.actualTime) s, \(buffer.width)x\(buffer.height), \(photo.fileDataRepresentation.count) bytes"
            )
        }
        for note in reader.damage.notes { Console.warning(note) }
    }
}

/// The reader that was opened to look at the input, for whoever comes first.
private final class FirstReader: Sendable {
    private let reader: Lock<MediaReader?>
    init(_ reader: MediaReader) { self.reader = Lock(reader) }
    func take() -> MediaReader? {
        reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
    }
}
