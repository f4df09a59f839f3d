internal import CommandLineCore
internal import Foundation
internal import FrameAnalysis
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

extension ConversionJob {
    /// The identity of the input.
    func identity(of reader: MediaReader) throws -> InputIdentity {
        try InputIdentity(input.input, pictures: reader.pictures, remoteSize: reader.byteCount)
    }

    /// Looks at the source once and writes the plan of a job that is divided into segments.
    func plan(into folder: String) throws {
        let reporter = Reporter(options: report)
        let prepared = try prepare()
        try during(.options) { try checkDivisible(prepared) }
        if output.failOnLoss { try during(.openingOutput) { try requireNoLoss(prepared) } }
        let input = try during(.openingInput) { try identity(of: prepared.reader) }
        let chain = prepared.work.chain
        let (survey, spans, doubt) = try during(.reading) { try self.survey(prepared) }
        if prepared.work.extras.thumbnails != nil {
            try during(.options) { try checkDuration(of: prepared, survey) }
        }
        let grain = try during(.reading) {
            try prepared.work.grain?.table(self.input.input, prepared, reporter)
        }
        let copies = [(recipe, DividedJob.recipeName), (noiseModel, DividedJob.noiseName)]
        let directory = FileManager.default.currentDirectoryPath
        let plan = try during(.openingOutput) {
            let plan = try JobPlan(
                arguments: Array(CommandLine.arguments.dropFirst()), directory: directory,
                input: absolutePath(self.input.input, in: directory),
                output: absolutePath(output.output, in: directory),
                identity: input, settings: allSettings(prepared), threads: prepared.threads, survey: survey,
                spans: spans,
                // A part begins at zero.
                firstOutputTime: prepared.part == nil
                    ? chain.firstTime(survey.firstTime, next: survey.secondTime) : .zero,
                shift: try expectedShift(
                    output.output, source: prepared.reader.sourceDescription, retiming: prepared.work.retiming,
                    options: prepared.writerOptions),
                cutList: prepared.cutList, grain: grain, compression: prepared.compression,
                keepsFrames: !prepared.work.extras.isEmpty, firstResetPoint: prepared.part?.segment ?? 0)
            try plan.write(to: folder, copies: copies.compactMap { path, name in path.map { ($0, name) } })
            return plan
        }
        reporter.tell(notes: survey.damage.repairs.map { Note("times-repaired", $0) }, damage: survey.damage)
        reporter.planned(plan, in: folder, doubt: doubt)
    }

    /// Opens the output and removes it again.
    ///
    /// - Throws: `FrameError` if something of the input would be missing in it.
    private func requireNoLoss(_ prepared: PreparedConversion) throws(FrameError) {
        try openSink(
            output.output, stream: prepared.stream, source: prepared.reader.sourceDescription,
            retiming: prepared.work.retiming, options: prepared.writerOptions
        ).cancel()
    }

    private typealias Survey = (survey: SourceSurvey, spans: [SourcePosition.Span], doubt: String?)

    /// Returns what is known of the source, the spans between discontinuities of its timestamps, and why its packets are
    /// not believed; nil if they are, or if the user has asked for decoding.
    private func survey(_ prepared: PreparedConversion) throws -> Survey {
        guard !plansByDecoding else { return try decodedSurvey(prepared, prepared.reader, doubt: nil) }
        let table: PacketTable
        do throws(PacketTable.Doubt) {
            table = try prepared.reader.packetTable(of: prepared.part?.located)
        } catch {
            return try decodedSurvey(prepared, prepared.reader, doubt: error.reason)
        }
        let survey = SourceSurvey(of: table, firstPoint: prepared.part?.segment ?? 0, search: prepared.work.cuts)
        // What follows the last checkpoint, or all if there is none, shows whether seeking leads to the frames that the
        // packets tell.
        let start = survey.checkpoints.max { $0.key < $1.key }?.value
        if start.map({ (try? prepared.reader.resume(at: $0.position)) == true }) ?? true,
            try SourceSurvey.agree(
                prepared.reader, from: start, with: table, isWhole: prepared.part?.located.end == nil)
        {
            let span = SourcePosition.Span(first: survey.firstTime, last: survey.lastTime, shift: .zero)
            return (survey, [span], nil)
        }
        return try decodedSurvey(
            prepared, try prepared.reopened(input.input), doubt: "its last frames are not those of its packets")
    }

    private func decodedSurvey(
        _ prepared: PreparedConversion, _ reader: MediaReader, doubt: String?
    ) throws -> Survey {
        func survey(_ reader: MediaReader, from start: SourceCheckpoint?) throws -> Survey {
            let survey = try SourceSurvey(
                of: reader, search: prepared.work.cuts, part: prepared.part.map { (start, $0.located.end) }
            ) { _ in
                if Signals.shared.received != nil { throw Signals.shared.failure }
            }
            return (survey, reader.timestampSpans, doubt)
        }
        guard let start = prepared.part?.checkpoint else { return try survey(reader, from: nil) }
        if (try? reader.resume(at: start.position)) == true {
            do { return try survey(reader, from: start) } catch is SourceMismatch {}
        }
        return try survey(try prepared.reopened(input.input), from: nil)
    }

    /// - Throws: `FrameError` if the workers cannot know which frames a selection of thumbnails examines.
    private func checkDuration(of prepared: PreparedConversion, _ survey: SourceSurvey) throws(FrameError) {
        let part = prepared.part?.located
        let first = part?.start ?? survey.firstTime
        let last = part?.end.map { min($0, survey.lastTime) } ?? survey.lastTime
        guard let stated = prepared.reader.stream.duration, prepared.stream.duration != nil,
            last - first <= stated.multiplied(by: ExaminedTimes.longestExcess)
        else {
            throw FrameError(
                .invalidArgument,
                "--thumbnails with --plan requires an input that states its duration; leave --thumbnails out, and run vfx thumbnails on the result",
                at: .init(file: input.input))
        }
    }

    /// - Throws: `FrameError` if the job is not encoded in segments, or its input or output cannot be used by several
    ///   processes.
    private func checkDivisible(_ prepared: PreparedConversion) throws {
        let reader = prepared.reader, kind = OutputKind(output)
        if let obstacle = kind.obstacleToKeeping {
            throw FrameError(
                .invalidArgument, "--plan requires a video file as output; \(obstacle)", at: .init(file: output.output))
        }
        guard prepared.part.map({ $0.located.firstFrame != nil }) ?? true else {
            throw FrameError(
                .invalidArgument, "--plan needs an input whose frames can be counted without decoding, to find a part",
                at: .init(file: input.input))
        }
        guard !output.resume else {
            throw FrameError(.invalidArgument, "--plan and --resume are mutually exclusive; give only one of them")
        }
        guard !prepared.work.chain.effects.contains(where: { ($0 as? FilmGrainPass)?.countsFrames ?? false }) else {
            throw FrameError(
                .invalidArgument,
                "jobs that add grain from a table cannot be divided; leave --plan out, or add grain of a strength from 0 to 32"
            )
        }
        guard reader.isReopenable, !reader.readsOtherFiles else {
            throw FrameError(
                .invalidArgument,
                "--plan requires an input that every machine can open and verify; name a file",
                at: .init(file: input.input))
        }
        guard ResetSchedule.isWorthSegmenting(reader.stream) else {
            throw FrameError(
                .invalidArgument, "videos of up to 30 s are encoded in one piece; leave --plan out",
                at: .init(file: input.input))
        }
    }
}
