internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline
internal import Thumbnails

/// One still image as described by the command line.
struct StillJob {
    private let command: Still

    init(_ command: Still) { self.command = command }

    private struct Plan {
        var time: ClipPosition
        var photo: PhotoSettings
        var maximumSize: (width: Int, height: Int)
        /// How far the frame may be from the time; nil for any distance.
        var tolerance: ClipPosition?
        var reader: MediaReaderOptions
        var fields: FieldHandling
    }

    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
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
                inputName: name, created: StillMetadata.created(reader), at: image.actualTime,
                keeping: reader.imageMetadata)
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
        if !reader.damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    private func make(_ reader: MediaReader, _ plan: Plan) throws -> GeneratedImage {
        do {
            let time = try reader.time(of: plan.time)
            return try generator(reader, plan).imageNow(at: time)
        } catch var error as FrameError {
            error.location.file = error.location.file ?? command.input
            // A time outside the video means a wrong option, not a wrong input.
            throw (error.code == .invalidArgument ? JobStep.options : .reading).failure(error)
        }
    }

    private func plan() throws(FrameError) -> Plan {
        let format = try StillFormat(ofOutput: command.output)
        if command.json, command.quiet {
            throw FrameError(.invalidArgument, "--json and --quiet are mutually exclusive; give only one of them")
        }
        if command.keyframe, command.tolerance != "0" {
            throw FrameError(
                .invalidArgument, "--keyframe and --tolerance are mutually exclusive; give only one of them")
        }
        let tolerance = try OptionValue.position(command.tolerance, option: "--tolerance")
        let quality = try OptionValue.whole(command.quality, option: "--quality", range: 1...100)
        var photo = PhotoSettings(format: format, quality: quality, isLossless: command.lossless || format == .png)
        if let box = command.embedThumbnail {
            let size = try OptionValue.size(box, option: "--embed-thumbnail", range: 16...2048)
            photo.embeddedThumbnailFormat = .init(maximumSize: size)
        }
        if command.hdr, !format.holdsHighDynamicRange {
            throw FrameError(
                .invalidArgument, "--hdr needs a format with more than 8 bits: avif, png or jxl, not \(format.name)")
        }
        photo.context = ExecutionContext()
        var box = (width: 0, height: 0), rate: Rational?
        if let text = command.maxSize { box = try OptionValue.size(text, option: "--max-size", range: 0...16_384) }
        if let text = command.inputFps { rate = try OptionValue.frameRate(text, option: "--input-fps") }
        return Plan(
            time: try OptionValue.position(command.at, option: "--at", allowsNegative: true), photo: photo,
            maximumSize: box, tolerance: command.keyframe ? nil : tolerance,
            reader: MediaReaderOptions(
                inputFrameRate: rate, keepsOtherStreams: false,
                allowsNetwork: !command.noNetwork, ignoresDolbyVision: command.dolbyVision.ignoreDolbyVision),
            fields: try command.fields.handling())
    }

    private func generator(_ reader: MediaReader, _ plan: Plan) throws(FrameError) -> ImageGenerator {
        let tolerance = try plan.tolerance?.length(at: reader.stream.nominalFrameRate)
        // The first request reuses the reader that was opened to inspect the input.
        let first = Lock<MediaReader?>(reader)
        let generator = ImageGenerator { [input = command.input] in
            let opened = first.withLock { reader in
                defer { reader = nil }
                return reader
            }
            if let opened { return opened }
            return try MediaReader(input, options: plan.reader)
        }
        generator.maximumSize = plan.maximumSize
        generator.playingTime = reader.playingTime.map { $0 - reader.pictureDelay + reader.start }
        generator.requestedTimeToleranceBefore = tolerance
        generator.requestedTimeToleranceAfter = tolerance
        generator.apertureMode = command.aperture.mode
        generator.appliesPreferredTrackTransform = !command.noTurn
        generator.dynamicRangePolicy = command.hdr ? .matchSource : .forceStandard
        generator.context = plan.photo.context
        if let fields = plan.fields.fields {
            let deinterlacer = FrameDeinterlacer(fields, options: ConversionOptions(context: plan.photo.context))
            generator.deinterlacer = { try deinterlacer.frame($0, next: $1) }
        }
        return generator
    }

    private func report(_ photo: Photo, _ image: GeneratedImage, _ reader: MediaReader) {
        let buffer = photo.picture.frame.buffer
        let notes = reader.notes + photo.notes
        if command.json {
            let thumbnail = photo.embeddedThumbnailSize
            let code: JobExitCode = reader.damage.isEmpty ? .success : .doneWithDamage
            EventPrinter().print(
                StillEvent(
                    input: command.input, output: command.output, time: image.requestedTime,
                    actualTime: image.actualTime, width: buffer.width, height: buffer.height,
                    bytes: photo.fileDataRepresentation.count, thumbnailWidth: thumbnail?.width,
                    thumbnailHeight: thumbnail?.height, notes: notes.map(NoteEvent.init), exitCode: code.rawValue))
        } else if !command.quiet {
            for note in notes { Console.note(note) }
            Console.say(
                "\(command.output): the frame at \(image.actualTime) s, \(buffer.width)x\(buffer.height), \(photo.fileDataRepresentation.count) bytes"
            )
        }
        for note in reader.damage.notes { Console.warning(note) }
    }
}

extension StillFormat {
    /// The format selected by the name of an output.
    ///
    /// - Throws: `FrameError` if the name is not that of an image.
    init(ofOutput name: String) throws(FrameError) {
        guard let format = StillFormat(fileName: name) else {
            let names = StillFormat.allCases.flatMap(\.fileExtensions).joined(separator: ", ")
            throw FrameError(
                .invalidArgument, "this is not the name of an image; its extension must be one of \(names)",
                at: .init(file: name))
        }
        self = format
    }
}
