internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// One look at a file as the command line describes it.
struct InfoJob {
    var input: String
    var inputFps: String?
    var allowsNetwork: Bool
    var isFast: Bool
    var threads: String?
    var isJSON: Bool
    var isQuiet: Bool

    /// - Throws: ``VfxFailure``, or `ExitCode` for a file that is damaged.
    func run() throws {
        let options = try during(.options) {
            MediaReaderOptions(
                inputFrameRate: try inputFps.map { try FrameRateValue.parse($0, option: "--input-fps") },
                allowsInterlaced: true, decoderThreads: threads == nil ? 0 : try ThreadCount.parse(threads),
                keepsOtherStreams: false, allowsNetwork: allowsNetwork)
        }
        try during(.findingInput) { try InputAddress.requireReadable(input) }
        let result = try during(.openingInput) { try look(options) }
        let written = isJSON ? InfoJSON.print(result) : Console.writeOut(InfoText.text(result))
        guard written else { throw VfxFailure("standard output: the result cannot be written", .writeFailed) }
        if !result.damage.isEmpty { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
    }

    private func look(_ options: MediaReaderOptions) throws -> InfoResult {
        let probe = try MediaProbe(input, options: options)
        var result = InfoResult(input: input, info: probe.info, isFast: isFast)
        guard probe.info.videoStream != nil else {
            if probe.info.streams.isEmpty { throw FrameError(.input, "there are no streams", at: .init(file: input)) }
            return result
        }
        do {
            let reader = try probe.reader()
            result.info = reader.info
            result.stream = reader.stream
            if isFast {
                result.damage = reader.damage
            } else {
                let analysis = try ClipAnalysis(of: reader, onFrame: progress(expected: reader.stream.frameCount))
                result.analysis = analysis
                result.damage = analysis.damage
            }
            result.notes = reader.notes
        } catch let error as FrameError where error.code == .decode || error.code == .unsupportedFormat {
            // Its head still tells something.
            result.damage.note(FrameError(error.code, error.message, cause: error.cause).description)
        }
        Console.clearProgress()
        return result
    }

    /// Shows how far the walk has come, on a terminal only.
    private func progress(expected: Int?) -> (Int) -> Void {
        guard Console.standardErrorIsTerminal, !isQuiet else { return { _ in } }
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
