package import FrameCore
internal import Imaging
internal import MediaIO
package import Pipeline

extension Conversion {
    /// What a conversion is opened for.
    package enum Purpose: Sendable {
        /// All of it is made here.
        case whole(RunPolicy)
        /// Only a sample is made, whose frames need not be those of the whole job.
        case sample
        /// Segments are made or joined.
        case segments(overwrites: Bool)
    }

    /// Checks the settings and opens the input.
    ///
    /// - Parameters:
    ///   - context: what the job is run with.
    ///   - purpose: what is made.
    ///   - measurements: what has been measured in the input already.
    /// - Throws: ``JobFailure``.
    package func open(
        _ context: JobContext, for purpose: Purpose, having measurements: JobMeasurements = JobMeasurements()
    ) throws -> OpenConversion {
        var conversion = self, chain = try during(.options) { try self.checkedChain(context.execution) }
        var measurements = measurements
        var (reader, readerOptions) = try openReader(context, purpose, chain)
        if readsFields {
            let structure = try during(.openingInput) {
                try measurements.fields ?? FieldStructure(of: reader, context: context.execution)
            }
            chain = try during(.options) { try deinterlacing(chain, structure, context) }
            measurements.fields = structure
            if structure.contradictsMarks(of: reader), input.fields == .auto {
                // Effects look at progressive frames more closely.
                readerOptions.ignoresFieldMarks = true
                let options = readerOptions
                reader = try during(.openingInput) { try MediaReader(input.file, options: options) }
            }
        }
        if OutputKind(output).lacksTimes {
            let given = chain
            chain = try during(.options) { try given.spacingFilmEvenly(reader.stream) }
        }
        guard !OutputKind(output).lacksTimes || chain.hasEvenTimes || chain.rateRestoration != nil else {
            throw JobStep.options.failure(
                FrameError(
                    .invalidArgument,
                    "y4m has no timestamps, so it cannot hold a clip of which only parts are telecined film and whose frame rate is not known; use --cadence off, vfx rate with --fps, or a container such as .mkv"
                ))
        }
        (chain, measurements.pictures) = try during(.options) {
            try restoringRate(chain, reader, readerOptions, known: measurements.pictures)
        }
        var plainOptions = writerOptions(context, purpose, retiming: chain.retiming)
        plainOptions.lowLatency = readerOptions.lowLatency && !reader.isReopenable
        try checkInput(reader, purpose, chain)
        try during(.openingInput) { try conversion.resolveCuts(reader, chain) }
        if input.loops { chain = try during(.options) { [chain] in try looping(chain, purpose) } }
        chain = try fitting { [chain] in try chain.knowingRates(from: reader.stream) }
        try during(.options) { [chain] in try Self.check(chain.speedCurves, over: reader) }
        let part = try during(.openingInput) {
            try input.part.map { wanted in
                let located = try reader.restrict(to: wanted)
                try Self.check(located.start, isShownBy: chain.speedCurves)
                chain = chain.sampled(from: located.start, frame: located.firstFrame)
                return try OpenPart(located, of: reader, chain, search(chain), isSample: purpose.isSample)
            }
        }
        let stream = try fitting { [chain] in try chain.outputStream(for: reader.stream) }
        chain = try during(.openingInput) { [chain] in try readingMasks(chain, of: reader) }
        var writerOptions = plainOptions
        writerOptions.pixelFormat = writerOptions.pixelFormat ?? playableFormat(reader.stream)
        try during(.openingInput) {
            try context.memory.check(
                frames: memoryBound(chain, reader.stream, stream).bytes, source: reader.stream, result: stream,
                file: input.file)
        }
        let outputs = try during(.openingOutput) {
            try extraOutputs(reader, stream, writerOptions, retiming: chain.retiming, isPart: part != nil)
        }
        if chain.adaptsToCompression {
            let compression = try during(.openingInput) {
                try measurements.compression ?? Self.compression(of: reader, context.execution)
            }
            chain = chain.adapted(to: compression)
            measurements.compression = compression
        }
        var open = OpenConversion(
            conversion: conversion, context: context, chain: chain, reader: reader, readerOptions: readerOptions,
            writerOptions: writerOptions, stream: stream, part: part, extras: outputs, measurements: measurements)
        if let table = measurements.grain { open.use(table) }
        return open
    }

    /// Checks what needs no input, opens the input, and returns how it is read.
    private func openReader(
        _ context: JobContext, _ purpose: Purpose, _ chain: EffectChain
    ) throws -> (MediaReader, MediaReaderOptions) {
        var readerOptions = input.readerOptions(threads: context.execution.threads)
        readerOptions.lowLatency = chain.isImmediate && !search(chain).looksAhead
        readerOptions.accepts = keptChannels(self.writerOptions(context, purpose, retiming: chain.retiming))
        if let grain = GrainModelling(self) {
            try during(.options) {
                try grain.check(output, self.writerOptions(context, purpose, retiming: chain.retiming))
            }
            if case .whole(let policy) = purpose {
                try during(.openingOutput) { try grain.checkFiles(output, policy, input: input.file) }
            }
        }
        try during(.findingInput) { try InputAddress.requireReadable(input.file) }
        return (try during(.openingInput) { try MediaReader(input.file, options: readerOptions) }, readerOptions)
    }

    /// - Throws: ``JobFailure`` if something of the input would be missing that must not be, or if it is a single image.
    private func checkInput(_ reader: MediaReader, _ purpose: Purpose, _ chain: EffectChain) throws {
        if output.failsOnLoss, let loss = (reader.notes + notes(chain, reader)).first(where: \.isLoss) {
            throw JobStep.openingOutput.failure(loss.refusal(of: output.file))
        }
        if case .whole(let policy) = purpose, let advice = policy.adviceOnStills, reader.holdsStillPicture() {
            throw JobStep.openingInput.failure(FrameError(.input, advice, at: .init(file: input.file)))
        }
    }

    /// - Throws: `FrameError` if a speed curve ends before a part begins.
    private static func check(_ start: MediaTime, isShownBy curves: [SpeedCurve]) throws(FrameError) {
        guard curves.count == 1, let stop = curves[0].stop, stop <= start else { return }
        throw FrameError(
            .invalidArgument,
            "the part begins at \(start.shortText) s, but the speed stays 0 from \(stop.shortText) s, so nothing of it is shown"
        )
    }

    /// Returns how strongly the input was compressed; nothing is known of what can be read only once. The keyframes are those
    /// of the whole clip, so that a job that makes a part of it has the same result.
    private static func compression(of reader: MediaReader, _ context: ExecutionContext) throws -> SourceCompression {
        guard let keyFrames = try KeyFrameReader(measuring: reader) else { return .none }
        guard InputAddress(reader.input).isRemote else {
            return try SourceCompression(of: keyFrames, from: reader.start, context: context)
        }
        // Each seek on a server is a request, so few keyframes have to do for the whole clip.
        let few = try SourceCompression(
            of: keyFrames, from: reader.start, atMost: SourceCompression.fewestSamples, context: context)
        return SourceCompression(overall: few.overall, spans: [])
    }

    /// Returns the chain for an input that is played in a loop.
    ///
    /// - Throws: `FrameError` if the end of the input does not lead to its beginning in this job.
    private func looping(_ chain: EffectChain, _ purpose: Purpose) throws(FrameError) -> EffectChain {
        guard input.part == nil else {
            throw FrameError(
                .invalidArgument,
                "--loop leads from the end of the whole clip to its beginning; leave out --from, --to, --duration and --preview"
            )
        }
        if case .segments = purpose {
            throw FrameError(
                .invalidArgument, "--loop needs the beginning and the end at once; it cannot be divided (--plan)")
        }
        guard let looping = chain.looping else {
            throw FrameError(
                .invalidArgument, "--loop makes frames between the last one and the first; it needs slomo or rate")
        }
        return looping
    }

    /// - Throws: `FrameError` if a speed curve has points beyond the end of the clip.
    private static func check(_ curves: [SpeedCurve], over reader: MediaReader) throws(FrameError) {
        // What is said in the middle of a chain is on a clock that this clip does not know.
        guard curves.count == 1, let last = curves[0].points.last, let length = reader.stream.duration else { return }
        let end = reader.start + length
        guard last.time <= end + SpeedRampPlan.rounding else {
            throw FrameError(
                .invalidArgument,
                "the speed point at \(last.time.shortText) s lies beyond the end of the clip, which lasts \(end.shortText) s"
            )
        }
    }

    /// Returns what the chain makes of the input, or the chain for it.
    ///
    /// - Throws: ``JobFailure``. Motion is estimated in pictures of some sizes only, and others are no usable input.
    private func fitting<Result>(_ make: () throws -> Result) throws -> Result {
        do {
            return try make()
        } catch let error as FrameError where error.code == .unsupportedSize {
            throw JobStep.openingInput.failure(error, at: input.file)
        } catch {
            throw JobStep.options.failure(error)
        }
    }

    /// Returns the folders that are filled in addition to the video. A storyboard of a whole clip knows when its first frame
    /// is shown in the output, and how long the output lasts.
    private func extraOutputs(
        _ reader: MediaReader, _ stream: VideoStreamDescription, _ options: MediaWriterOptions, retiming: Retiming,
        isPart: Bool
    ) throws -> ExtraOutputs {
        var outputs = ExtraOutputs(extras)
        let kind = OutputKind(output)
        try outputs.check(output: kind)
        try outputs.checkInterval(for: stream)
        guard !isPart, extras.storyboard != nil, kind.isVideo else { return outputs }
        var options = options
        options.keepsStart = false
        let shift = try expectedShift(
            output.file, source: reader.sourceDescription, retiming: retiming, options: options)
        let delay = retiming.time(of: reader.start) + shift
        outputs.pictureDelay = delay
        guard output.audio != .drop else { return outputs }
        outputs.length = { [reader] in
            reader.playingTime.map { retiming.time(of: $0 - reader.pictureDelay) + delay }
        }
        return outputs
    }

    /// Returns the chain of effects after checking the settings that depend on nothing else.
    ///
    /// - Throws: `FrameError` if the settings contradict each other.
    package func checkedChain(_ context: ExecutionContext) throws -> EffectChain {
        try checkFields()
        let chain = try self.chain(context)
        guard effects.allSatisfy(\.settings.makesPictures) else {
            throw FrameError(.invalidArgument, "a job makes pictures; the vectors of 'flow' are for the C library only")
        }
        guard chain.stretch.doubleValue <= Double(EffectRecipe.maximumStretch) else {
            throw FrameError(
                .invalidArgument,
                "the effects make the clip more than \(EffectRecipe.maximumStretch) times longer; at most \(EffectRecipe.maximumStretch) times is allowed"
            )
        }
        if OutputKind(output).lacksTimes, !chain.hasEvenTimes, chain.rateRestoration == nil {
            throw FrameError(
                .invalidArgument,
                "y4m has no timestamps, so it cannot hold the uneven times of these phases; use evenly spaced ones (--factor, or slomo=x3 in a chain) or a container such as .mkv"
            )
        }
        return chain
    }

    /// How cuts are searched for.
    func search(_ chain: EffectChain) -> CutSearch {
        guard case .found(let threshold) = cuts, let search = try? chain.cuts.withThreshold(threshold) else {
            return chain.cuts
        }
        return search
    }

    private func writerOptions(_ context: JobContext, _ purpose: Purpose, retiming: Retiming) -> MediaWriterOptions {
        var options = MediaWriterOptions(
            format: output.format, codec: output.codec, crf: output.crf, preset: output.preset,
            pixelFormat: output.pixelFormat, overwrites: purpose.overwrites, encoderThreads: output.encoderThreads,
            audio: output.audio == .drop ? .drop : retiming.isIdentity ? .carry : .stretch,
            memoryLimit: context.memory.forEncoders, keepsStart: output.keepsStart)
        options.failsOnLoss = output.failsOnLoss
        if GrainModelling(self)?.isKept == true { options.codec = options.codec ?? .av1 }
        return options
    }

    /// Reads the cuts from a file, if one lists them.
    private mutating func resolveCuts(_ reader: MediaReader, _ chain: EffectChain) throws {
        guard cuts.areListed else { return }
        guard chain.cuts.looksAhead else {
            throw FrameError(
                .invalidArgument, "--cuts applies to effects that look ahead; this one finds its own cuts")
        }
        if case .file(let file) = cuts { cuts = .frames(try CutListFile(file).frames(of: reader).sorted()) }
    }

    /// Returns notes on what the effects do not keep, in addition to those of the reader and the writer.
    func notes(_ chain: EffectChain, _ reader: MediaReader) -> [Note] {
        var notes = chain.effects.flatMap { $0.notes(over: reader.stream) }
        if isDrawing, OutputKind(output).isPictures, let turn = reader.turnNote { notes.append(turn) }
        return notes.asNotes
    }

    /// Whether the frames are drawn rather than made from the source's.
    var isDrawing: Bool { effects.contains { $0.settings.isDrawing } }

    /// The pixel format that players support, for drawn frames and codecs meant for playback; nil leaves the choice to the
    /// writer.
    private func playableFormat(_ source: VideoStreamDescription) -> String? {
        guard isDrawing, !OutputKind(output).isPictures else { return nil }
        let suits: [MediaWriterOptions.Codec?] = [nil, .h264, .hevc, .av1, .vp9]
        let ending = output.file.lowercased().split(separator: ".").last.map(String.init) ?? ""
        let isPlayable = ["mp4", "mov", "mkv", "matroska", "webm", "m4v"].contains(output.format ?? ending)
        guard suits.contains(output.codec), isPlayable, source.width % 2 == 0, source.height % 2 == 0 else {
            return nil
        }
        return "yuv420p"
    }

    /// Returns the maximum number of frames alive at once, including those kept for extra outputs.
    func memoryBound(
        _ chain: EffectChain, _ source: VideoStreamDescription, _ result: VideoStreamDescription
    ) throws -> MemoryBound {
        var bound = try chain.memoryBound(for: source)
        bound.parts += ExtraOutputs(extras).kept(result)
        return bound
    }
}

extension Conversion.Purpose {
    var isSample: Bool { if case .sample = self { true } else { false } }
    /// Whether existing outputs are replaced; those of samples and segments have names of their own.
    var overwrites: Bool {
        switch self {
        case .whole(let policy): policy.overwrites
        case .sample: true
        case .segments(let overwrites): overwrites
        }
    }
}

extension MediaReader {
    /// A note if the video has a rotation, which drawn images do not get.
    package var turnNote: String? {
        guard let video = info.streams.first(where: { $0.index == info.videoStream })?.video,
            video.orientation != .init()
        else { return nil }
        let turn = video.orientation
        let mirror = turn.isMirrored ? " and mirrored" : ""
        return
            "images are written as the file stores them; players show the video rotated by \(turn.rotation) degrees\(mirror)"
    }
}
