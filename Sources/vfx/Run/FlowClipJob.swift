internal import ArgumentParser
internal import FrameCore
internal import FrameEffects
internal import Checkpoints
internal import MediaIO
internal import Pipeline

/// The motion of all neighbouring frames of a clip.
struct FlowClipJob {
    var settings: FlowSettings
    var reporter: Reporter

    /// - Throws: ``VfxFailure``, or `ExitCode` for a job done with damage.
    func run() throws {
        let output = settings.output, input = settings.input.input
        try during(.options) {
            if FlowPairOutput.needsPair(output) {
                throw FrameError(
                    .invalidArgument,
                    "\(output.output) holds one pair; name it by a second picture or by --at, or write the whole clip to a video or to pictures such as flow_%05d.png"
                )
            }
        }
        try during(.findingInput) { try InputCheck.requireReadable(input) }
        let reader = try during(.openingInput) {
            let reader = try MediaReader(input, options: settings.readerOptions(keepsOtherStreams: true))
            try FlowSettings.checkSize(reader.stream, file: input)
            return reader
        }
        let source = reader.stream
        let measures = output.format == "null"
        let isVideo = !SingleFile.isPicture(output.output)
        let turn = isVideo || measures ? [] : FlowSettings.turnNote(reader)
        let painter = FlowPainter(settings, isVideo: isVideo)
        let stream = try during(.openingOutput) { try description(source, painter) }
        let memory = MemoryBudget()
        // The frames of its pipeline's two queues and the pair at work, and what is drawn of them.
        try during(.openingInput) {
            try memory.check(frames: 12 * source.bytesPerFrame, source: source, result: stream, file: input)
        }
        var options = MediaWriterOptions(
            format: output.format, codec: output.codec, crf: settings.crf, preset: output.preset,
            pixelFormat: output.pixelFormat ?? (isVideo ? playableFormat(source) : nil), overwrites: output.overwrite,
            threads: settings.hasThreadOption ? settings.threads : 0, memoryLimit: memory.forEncoders)

        Signals.shared.willOpenOutput()
        let kept = try during(.openingOutput) {
            try JobCheckpoint(output, settings.input, reader: reader, settings: settings.jobSettings)
        }
        if kept.folder?.isPublished == true {
            kept.folder?.remove()
            Signals.shared.didCloseOutput()
            return reporter.wasFinished(output: output.output)
        }
        kept.apply(to: &options)
        do {
            try write(reader, stream, painter, options, kept, turn)
        } catch let failure as VfxFailure {
            throw kept.leaving(failure)
        }
    }

    private func write(
        _ reader: MediaReader, _ stream: VideoStreamDescription, _ painter: FlowPainter, _ options: MediaWriterOptions,
        _ kept: JobCheckpoint, _ turn: [String]
    ) throws {
        let output = settings.output, input = settings.input.input, measures = output.format == "null"
        let sink = try during(.openingOutput) {
            try openSink(output.output, stream: stream, source: reader.sourceDescription, options: options)
        }
        let pipeline = FlowPipeline(
            source: reader, sink: sink, quality: settings.quality, threads: settings.threads,
            neighbour: settings.isBackward ? .previous : .next,
            make: { step in measures ? step.frame : try painter.frame(step.frame, step.flow, restarts: step.restarts) },
            onEvent: { [reporter] in reporter.handle($0) })
        Signals.shared.watch { pipeline.cancel() }
        reporter.started(input: input, output: output.output, reader: reader, sink: sink, stream: stream)
        if let folder = kept.folder, !folder.finished.isEmpty { reporter.resumes(folder) }
        let result: FlowReport
        do {
            result = try pipeline.run()
        } catch is CancellationError {
            throw Signals.shared.failure
        } catch {
            throw JobStep(pipeline.failedStage).failure(error, at: input)
        }
        kept.folder?.remove()
        Signals.shared.didCloseOutput()
        reporter.finished(
            result, output: output.output, maximum: measures ? nil : painter.maximum,
            notes: reader.notes + (measures ? [] : painter.notes(over: reader.stream.format)) + turn + sink.notes)
        if !result.damage.isEmpty { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
    }

    private func description(
        _ source: VideoStreamDescription, _ painter: FlowPainter
    ) throws(FrameError) -> VideoStreamDescription {
        var stream = source
        stream.format = try PixelFormat(subsampling: .yuv444, bitDepth: 8)
        stream.color = painter.color(over: source.color)
        if settings.view != .arrows { stream.sideData = SideData() }
        return stream
    }

    /// The pixel format that players take, for the codecs that are made for players; nil leaves the choice to the writer.
    private func playableFormat(_ source: VideoStreamDescription) -> String? {
        let output = settings.output
        let suits: [MediaWriterOptions.Codec?] = [nil, .h264, .hevc, .av1, .vp9]
        let name = output.output.lowercased()
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        let container = output.format ?? ending
        let isPlayable = ["mp4", "mov", "mkv", "matroska", "webm", "m4v"].contains(container)
        guard suits.contains(output.codec), isPlayable, source.width % 2 == 0, source.height % 2 == 0 else {
            return nil
        }
        return "yuv420p"
    }
}
