internal import ArgumentParser
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

/// Joins the segments of a divided job into its video, together with all other streams. May run more than once.
struct JoinJob {
    let job: DividedJob
    /// Where the input lies on this machine; nil for where it lay when the job was planned.
    let input: String?
    let report: ReportOptions

    func run() throws {
        let reporter = Reporter(options: report)
        if job.isJoined, !job.plan.keepsFrames { return reporter.wasFinished(output: job.plan.output) }
        let conversion = try job.conversion(input: input, report: report)
        let prepared = try job.prepare(conversion, input: input)
        if job.isJoined, !prepared.work.extras.isIncomplete { return reporter.wasFinished(output: job.plan.output) }
        let results = try verifiedResults(), segments = results.compactMap(\.segment)
        prepared.reader.assume(job.plan.source.spans)
        Signals.shared.willOpenOutput()
        var options = prepared.writerOptions
        options.segments = .kept(JoinedSegments(segments, job.results) { [job] in try job.noteJoined($0) })
        let (sink, notes) = try open(conversion, prepared, options, results)
        Signals.shared.watch { sink.stop() }
        // What workers have found that was not known when the output was opened.
        let known = notes()
        let found = results.flatMap { $0.read.notes ?? [] }.reduce(into: [Note]()) { found, note in
            if !known.contains(note) { found.appendOnce(note) }
        }
        do {
            if options.failsOnLoss, let loss = found.first(where: \.isLoss) {
                throw FrameError(
                    .output, "\(loss), and losses are errors here (--fail-on-loss)", at: .init(file: job.plan.output))
            }
            // A join that finds the output complete does nothing, so the table comes first.
            if let table = job.plan.grainTable {
                try prepared.work.grain?.write(table, conversion.output, input: job.plan.input)
            }
            try sink.finish()
        } catch {
            sink.cancel()
            throw Signals.shared.received != nil ? Signals.shared.failure : JobStep.writing.failure(error)
        }
        Signals.shared.didCloseOutput()
        let record = JobRecord(
            job.plan.output, input: job.plan.identity, settings: job.plan.settings,
            others: prepared.work.otherOutputs)
        let frames = segments.reduce(0) { $0 + $1.frames }
        var damage = job.plan.damage
        for result in results {
            result.read.damage.forEach { damage.note($0) }
            damage.lostUnits = max(damage.lostUnits, result.read.lostUnits)
        }
        record.write(isDamaged: !damage.isEmpty)
        reporter.joined(
            job.plan, frames: frames, damage: damage,
            notes: prepared.reader.notes + prepared.work.notes(prepared.reader) + notes() + found)
        if !damage.isEmpty { throw ExitCode(VfxExitCode.doneWithDamage.rawValue) }
    }

    private func open(
        _ conversion: ConversionJob, _ prepared: PreparedConversion, _ options: MediaWriterOptions,
        _ results: [SegmentResult]
    ) throws -> (any FrameSink, () -> [Note]) {
        let branches = try during(.openingOutput) {
            try prepared.work.extras.open(
                output: OutputKind(conversion.output), name: job.plan.output, stream: prepared.stream,
                overwrites: conversion.output.overwrite || job.isJoined, threads: prepared.threads)
        }
        do {
            // Only the extra outputs can be missing if a join was interrupted at the very end.
            let sink: any MediaSink =
                job.isJoined
                ? NullSink()
                : try openSink(
                    job.plan.output, stream: prepared.stream, source: prepared.reader.sourceDescription,
                    retiming: prepared.work.retiming, options: options)
            let notes = { sink.notes + branches.flatMap(\.notes.asNotes) }
            guard !branches.isEmpty else { return (sink, notes) }
            let kept = KeptFrames(
                results, in: job.results, isDescribed: prepared.work.extras.thumbnails != nil)
            return (TeeSink(JoiningSink(sink, kept), stream: prepared.stream, branches: branches), notes)
        } catch {
            branches.forEach { $0.discard() }
            throw JobStep.openingOutput.failure(error)
        }
    }

    /// Returns the records of the segments in order, after comparing each file with its checksum, and the source frames
    /// that neighbouring workers have read.
    ///
    /// - Throws: ``VfxFailure`` that names the first missing segment and the command that makes it, or the first segments
    ///   whose workers have read different frames.
    private func verifiedResults() throws -> [SegmentResult] {
        var results: [SegmentResult] = [], missing: [Int] = []
        for number in 0..<job.plan.segmentCount {
            if Signals.shared.received != nil { throw Signals.shared.failure }
            if let found = try during(.writing, { try job.results.verified(number) }) {
                results.append(found)
            } else {
                missing.append(number)
            }
        }
        if let first = missing.first {
            let others = missing.count > 1 ? " and \(missing.count - 1) more are" : " is"
            let reason = job.results.failure(first).map { " (\($0))" } ?? ""
            throw VfxFailure(
                "\(job.folder): segment \(first)\(others) missing or damaged\(reason); vfx work \(ShellWord(job.folder)) --segment \(first) makes it",
                .noInput)
        }
        for (number, (result, next)) in zip(results, results.dropFirst()).enumerated()
        where result.read.after != next.read.before {
            throw VfxFailure(
                "\(job.folder): the workers of segments \(number) and \(number + 1) have read different frames before the second; \(remedy)",
                .badInput)
        }
        let segments = results.compactMap(\.segment)
        let next = segments.dropFirst().map { Optional($0.index) } + [nil]
        guard !segments.isEmpty, zip(segments, next).allSatisfy({ $0.next == $1 }),
            segments.allSatisfy({ $0.shift == job.plan.shift })
        else {
            throw VfxFailure("\(job.folder): the segments do not follow one another; \(remedy)", .badInput)
        }
        return results
    }

    private var remedy: String {
        job.plan.source.isDecoded
            ? "make another plan"
            : "the packets of the input do not tell its frames, so make another plan with --plan-by-decoding"
    }
}
