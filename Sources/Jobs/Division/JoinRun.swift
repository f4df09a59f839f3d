package import FrameCore
internal import MediaIO
internal import Pipeline

/// A divided job whose segments were joined.
package struct JoinedJob {
    /// The number of frames in the video.
    package let frames: Int
    /// What was lost or repaired in the input.
    package let damage: DamageReport
    package let notes: [Note]
}

extension DividedJob {
    /// Joins the segments into the video, together with all other streams. May run more than once.
    ///
    /// - Parameters:
    ///   - context: what the job is run with.
    ///   - input: where the input lies on this machine; nil for where it lay when the job was planned.
    /// - Returns: nil if everything was complete already.
    /// - Throws: ``JobFailure``.
    package func join(_ context: JobContext, input: String?) throws -> JoinedJob? {
        if isJoined, !plan.keepsFrames { return nil }
        let open = try self.open(context, input: input)
        if isJoined, !open.extras.isIncomplete { return nil }
        let results = try verifiedResults(context.interruption), segments = results.compactMap(\.segment)
        open.reader.assume(plan.source.spans)
        context.interruption.willOpenOutput()
        var options = open.writerOptions
        options.segments = .kept(JoinedSegments(segments, self.results) { try noteJoined($0) })
        let (sink, notes) = try openOutput(open, options, results)
        context.interruption.watch { sink.stop() }
        // What workers have found that was not known when the output was opened.
        let known = notes()
        let found = results.flatMap { $0.read.notes ?? [] }.reduce(into: [Note]()) { found, note in
            if !known.contains(note) { found.appendOnce(note) }
        }
        do {
            if options.failsOnLoss, let loss = found.first(where: \.isLoss) { throw loss.refusal(of: plan.output) }
            // A join that finds the output complete does nothing, so the table comes first.
            try open.writeGrainTable(RunPolicy(overwrites: plan.run.overwrites))
            try sink.finish()
        } catch {
            sink.cancel()
            throw context.interruption.isRequested ? context.interruption.failure : JobStep.writing.failure(error)
        }
        context.interruption.didCloseOutput()
        var damage = plan.damage
        for result in results {
            result.read.damage.forEach { damage.note($0) }
            damage.lostUnits = max(damage.lostUnits, result.read.lostUnits)
        }
        JobRecord(
            plan.output, input: plan.identity, settings: plan.settings, others: plan.conversion.extras.otherOutputs
        ).write(isDamaged: !damage.isEmpty)
        let effects = open.conversion.notes(open.chain, open.reader) + (open.grain?.notes(on: plan.grainTable) ?? [])
        return JoinedJob(
            frames: segments.reduce(0) { $0 + $1.frames }, damage: damage,
            notes: open.reader.notes + effects + open.notesOnFields + notes() + found)
    }

    private func openOutput(
        _ open: OpenConversion, _ options: MediaWriterOptions, _ results: [SegmentResult]
    ) throws -> (any FrameSink, () -> [Note]) {
        let branches = try during(.openingOutput) {
            try open.extras.open(
                output: open.kind, name: plan.output, stream: open.stream,
                overwrites: plan.run.overwrites || isJoined, execution: open.context.execution)
        }
        do {
            // Only the extra outputs can be missing if a join was interrupted at the very end.
            let sink: any MediaSink =
                isJoined
                ? NullSink()
                : try openSink(
                    plan.output, stream: open.stream, source: open.reader.sourceDescription, retiming: open.retiming,
                    options: options)
            let notes = { sink.notes + branches.flatMap(\.notes.asNotes) }
            guard !branches.isEmpty else { return (sink, notes) }
            let kept = KeptFrames(
                results, in: self.results, isDescribed: open.conversion.extras.thumbnails != nil)
            return (TeeSink(JoiningSink(sink, kept), stream: open.stream, branches: branches), notes)
        } catch {
            branches.forEach { $0.discard() }
            throw JobStep.openingOutput.failure(error)
        }
    }

    /// Returns the records of the segments in order, after comparing each file with its checksum, and the source frames
    /// that neighbouring workers have read.
    ///
    /// - Throws: ``JobFailure`` that names the first missing segment and the command that makes it, or the first segments
    ///   whose workers have read different frames.
    private func verifiedResults(_ interruption: any Interruption) throws -> [SegmentResult] {
        var found: [SegmentResult] = [], missing: [Int] = []
        for number in 0..<plan.segmentCount {
            try interruption.check()
            if let result = try during(.writing, { try results.verified(number) }) {
                found.append(result)
            } else {
                missing.append(number)
            }
        }
        if let first = missing.first {
            let others = missing.count > 1 ? " and \(missing.count - 1) more are" : " is"
            let reason = results.failure(first).map { " (\($0))" } ?? ""
            throw JobFailure(
                "\(folder): segment \(first)\(others) missing or damaged\(reason); vfx work \(ShellWord(folder)) --segment \(first) makes it",
                .noInput)
        }
        for (number, (result, next)) in zip(found, found.dropFirst()).enumerated()
        where result.read.after != next.read.before {
            throw JobFailure(
                "\(folder): the workers of segments \(number) and \(number + 1) have read different frames before the second; \(remedy)",
                .badInput)
        }
        let segments = found.compactMap(\.segment)
        let next = segments.dropFirst().map { Optional($0.index) } + [nil]
        guard !segments.isEmpty, zip(segments, next).allSatisfy({ $0.next == $1 }),
            segments.allSatisfy({ $0.shift == plan.clock.shift })
        else {
            throw JobFailure("\(folder): the segments do not follow one another; \(remedy)", .badInput)
        }
        return found
    }

    private var remedy: String {
        plan.source.isDecoded
            ? "make another plan"
            : "the packets of the input do not match its frames; plan the job again with --plan-by-decoding"
    }
}
