internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import FrameEffects
internal import Imaging
internal import Jobs
internal import MediaIO
internal import Pipeline

/// One inspection of a file as described by the command line.
struct InfoJob {
    private let command: Info

    init(_ command: Info) { self.command = command }

    /// - Throws: ``JobFailure``, or `ExitCode` if the file is damaged.
    func run() throws {
        if command.measuresNoise, command.fast {
            let option = command.noise ? "--noise" : "--write-noise"
            throw JobFailure("\(option) needs every frame and --fast decodes only one; give only one of them", .usage)
        }
        if command.writeCuts != nil, command.fast {
            throw JobFailure(
                "--write-cuts needs every frame and --fast decodes only one; give only one of them", .usage)
        }
        let outputs = [
            ("--json", command.json), ("--write-cuts -", command.writeCuts == "-"),
            ("--write-noise -", command.writeNoise == "-"),
        ].filter(\.1).map(\.0)
        if outputs.count > 1 {
            throw JobFailure(
                "\(outputs[0]) and \(outputs[1]) both need standard output; give only one of them", .usage)
        }
        let options = try during(.options) {
            MediaReaderOptions(
                inputFrameRate: try command.inputFps.map { try OptionValue.frameRate($0, option: "--input-fps") },
                decoderThreads: command.threads == nil ? 0 : try OptionValue.threads(command.threads),
                keepsOtherStreams: false, allowsNetwork: !command.noNetwork, ignoresDolbyVision: true)
        }
        let part = try during(.options) { try command.part.part() }
        let cutThreshold = try during(.options) { try parsedCutThreshold() }
        if command.cutThreshold != nil, command.fast {
            throw JobFailure(
                "--cut-threshold needs every frame and --fast decodes only one; give only one of them", .usage)
        }
        if part != nil, command.fast {
            throw JobFailure("--fast decodes only the first frame; leave out --from, --to and --duration", .usage)
        }
        try during(.findingInput) { try InputAddress.requireReadable(command.input) }
        let result = try during(.openingInput) { try look(options, part, cutThreshold: cutThreshold) }
        if let file = command.writeNoise { try writeNoise(result, to: file) }
        if let file = command.writeCuts { try writeCuts(result, to: file) }
        if command.writeNoise != "-", command.writeCuts != "-" {
            let written =
                command.json
                ? EventPrinter(file: command.file).print(InfoEvent(result)) : Console.writeOut(InfoText.text(result))
            guard written else { throw JobFailure("standard output: the result cannot be written", .writeFailed) }
        }
        if !result.damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    private func parsedCutThreshold() throws(FrameError) -> Float {
        guard let text = command.cutThreshold else { return ClipAnalysis.defaultCutThreshold }
        return try OptionValue.decimal(text, option: "--cut-threshold", range: 0...1)
    }

    /// Writes the noise as `vfx denoise --noise-model` reads it.
    private func writeNoise(_ result: InfoResult, to file: String) throws {
        guard let model = result.noise?.model else {
            throw JobFailure("\(result.input): the noise cannot be measured, so there is nothing to write", .badInput)
        }
        try write(model.text, to: file, "the noise")
    }

    /// Writes one cut per line, as `--cuts` reads it.
    private func writeCuts(_ result: InfoResult, to file: String) throws {
        let cuts = result.analysis?.cuts ?? .init()
        guard cuts.count == cuts.places.count else {
            throw JobFailure(
                "\(file): the clip has \(cuts.count) cuts; at most \(ClipAnalysis.listLimit) can be listed",
                .writeFailed)
        }
        let text = cuts.places.map { place in
            // In a part of a pipe, the numbers of the frames are unknown.
            result.part != nil && result.part?.firstFrame == nil
                ? "\(place.time)\n" : "\(place.frame)f  # \(place.time) s\n"
        }.joined()
        try write(text, to: file, "the cuts")
    }

    private func write(_ text: String, to file: String, _ what: String) throws {
        if file == "-" {
            guard Console.writeOut(text) else {
                throw JobFailure("standard output: \(what) cannot be written", .writeFailed)
            }
        } else {
            guard (try? Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)) != nil else {
                throw JobFailure("\(file): \(what) cannot be written", .cannotCreate)
            }
        }
    }

    private func look(
        _ options: MediaReaderOptions, _ part: ClipPart?, cutThreshold: Float
    ) throws -> InfoResult {
        let input = command.input
        let probe = try MediaProbe(input, options: options)
        var result = InfoResult(input: input, info: probe.info)
        guard probe.info.videoStream != nil else {
            if probe.info.streams.isEmpty { throw FrameError(.input, "there are no streams", at: .init(file: input)) }
            return result
        }
        do {
            let reader = try probe.reader()
            result.info = reader.info
            result.stream = reader.stream
            if command.fast {
                result.damage = reader.damage
            } else {
                var survey =
                    command.measuresNoise
                    ? NoiseSurvey(context: ExecutionContext(threads: options.decoderThreads)) : nil
                var fields = FieldSurvey(), pictures = PictureRateSurvey()
                let context = ExecutionContext(threads: options.decoderThreads)
                let partReader = try part.map { try PartReader(reader, part: $0) }
                var analysis = try ClipAnalysis(
                    of: partReader ?? reader, cutThreshold: cutThreshold,
                    onFrame: progress(expected: reader.stream.frameCount),
                    onPicture: { frame in
                        try survey?.append(frame)
                        if frame.isDamaged { pictures.interrupt() } else { pictures.append(frame.buffer) }
                        if frame.isDamaged { fields.interrupt() } else { fields.append(frame.buffer, context: context) }
                    })
                result.setFields(fields, interlacedFrames: analysis.interlacedFrames)
                result.pictures = pictures.finish()
                result.noise = try survey?.result(cuts: analysis.cuts.places.map(\.frame))
                result.part = partReader?.part
                analysis.number(from: result.part?.firstFrame ?? 0)
                result.analysis = analysis
                result.damage = analysis.damage
            }
            result.notes += reader.notes
        } catch let error as FrameError where error.code == .decode || error.code == .unsupportedFormat {
            // The headers are still worth showing.
            result.damage.note(FrameError(error.code, error.message, cause: error.cause).description)
        }
        Console.clearProgress()
        return result
    }

    /// Returns a callback that shows progress; on a terminal only.
    private func progress(expected: Int?) -> (Int) -> Void {
        guard Console.standardErrorIsTerminal, !command.quiet else { return { _ in } }
        let clock = ContinuousClock()
        let start = clock.now
        var last = start
        return { frames in
            let now = clock.now
            guard now - last >= .milliseconds(100) else { return }
            last = now
            let progress = PipelineProgress(
                framesRead: frames, framesWritten: frames, expectedFrames: expected,
                seconds: (now - start) / .seconds(1))
            Console.showProgress(ProgressLine.text(progress))
        }
    }
}

/// The result of `vfx info` for one file.
struct InfoResult {
    var input: String
    var info: MediaInfo
    /// The opened video stream; nil if there is none or none of it can be decoded.
    var stream: VideoStreamDescription?
    var analysis: ClipAnalysis?
    /// The part to which the analysis and the noise apply; nil for the whole clip.
    var part: LocatedPart?
    /// The noise, if it was to be measured and could be.
    var noise: NoiseSurvey.Result?
    /// What the pictures show of their fields; nil if they were not read.
    var fields: FieldStructure?
    /// How often the clip shows a new picture; nil if its frames were not read.
    var pictures: PictureRate?
    var notes: [Note] = []
    var damage = DamageReport()

    /// New pictures per second, if they are fewer than frames.
    var picturesPerSecond: Rational? {
        guard let pictures, let all = pictures.perFrame, all.numerator < all.denominator else { return nil }
        return pictures.perSecond(at: analysis?.timing.rate ?? stream?.nominalFrameRate)
    }

    /// Decides how frames consist of fields, and adds a note if the flags say otherwise.
    mutating func setFields(_ survey: FieldSurvey, interlacedFrames: Int) {
        let order: FieldOrder? =
            switch info.streams.first(where: { $0.index == info.videoStream })?.video?.fieldOrder {
            case .topFirst: .topFirst
            case .bottomFirst: .bottomFirst
            case .progressive, nil: nil
            }
        let fields = survey.structure(flag: order)
        self.fields = fields
        if let note = fields.note(onFlagsThatSay: interlacedFrames > 0, order) { notes.append(note) }
    }

    var exitCode: JobExitCode { damage.isEmpty ? .success : .doneWithDamage }
}
