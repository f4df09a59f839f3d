internal import CommandLineCore
internal import FrameCore
internal import MediaIO
internal import Pipeline

extension OpenConversion {
    /// Makes the whole output, or continues an interrupted run.
    ///
    /// - Returns: whether the input is damaged.
    /// - Throws: ``JobFailure``.
    package func run(_ policy: RunPolicy) throws -> Bool {
        let output = conversion.output.file, observer = context.observer
        let record = try during(.openingInput) { try self.record() }
        if policy.resumes, let isDamaged = completed(record) {
            observer.wasFinished(output: output, isDamaged: isDamaged)
            return isDamaged
        }
        var open = self
        if let table = try during(.openingInput, { try measuredGrain() }) { open.use(table) }
        return try open.run(policy, record)
    }

    private func run(_ policy: RunPolicy, _ record: JobRecord?) throws -> Bool {
        context.interruption.willOpenOutput()
        let kept = try during(.openingOutput) { try JobCheckpoint(self, policy) }
        if kept.folder?.isPublished == true {
            try writeGrainTable(policy)
            try finish(kept)
            record?.write(isDamaged: false)
            return false
        }
        do {
            let segment = kept.folder.flatMap { $0.finished.isEmpty ? nil : $0.resumePoint.segment }
            let plan = try during(.openingInput) {
                try ReadPlan(self, fromSegment: segment, among: kept.folder?.sourceCheckpoints ?? [])
            }
            let isDamaged = try read(plan) { start in
                reportResuming(kept.folder, at: start)
                return try make(from: start, kept, policy)
            }
            try writeGrainTable(policy)
            record?.write(isDamaged: isDamaged)
            return isDamaged
        } catch let failure as JobFailure {
            throw kept.leaving(failure)
        }
    }

    private func reportResuming(_ folder: CheckpointFolder?, at start: ReadStart) {
        guard let folder, !folder.finished.isEmpty else { return }
        context.observer.resumes(
            folder.finished, in: folder.path, firstFrameRead: start.checkpoint?.frame ?? 0,
            isFallback: start.isFallback)
    }

    /// Writes the grain table that was measured, if a file is wanted.
    func writeGrainTable(_ policy: RunPolicy) throws {
        guard let table = measurements.grain else { return }
        try during(.writing) { try grain?.write(table, policy, input: conversion.input.file) }
    }

    /// Handles a run that was interrupted when its output was already complete. The extra outputs are made again,
    /// because it is unknown whether they are complete.
    private func finish(_ kept: JobCheckpoint) throws {
        let output = conversion.output.file
        // Overwriting is safe: the interrupted run has already checked these folders.
        let branches = try during(.openingOutput) {
            try extras.open(
                output: kind, name: output, stream: stream, overwrites: true, execution: context.execution)
        }
        if !branches.isEmpty {
            let sink = TeeSink(NullSink(), stream: stream, branches: branches)
            context.interruption.watch { sink.stop() }
            do {
                try during(.writing) {
                    let reader = try MediaReader(output)
                    while let frame = try reader.nextFrame() { try sink.write(frame) }
                    try sink.finish()
                }
            } catch {
                sink.cancel()
                throw context.interruption.isRequested ? context.interruption.failure : error
            }
        }
        kept.folder?.remove()
        context.interruption.didCloseOutput()
        context.observer.wasFinished(output: output, isDamaged: false)
    }

    /// Makes the output from a place of the input on.
    private func make(from start: ReadStart, _ kept: JobCheckpoint, _ policy: RunPolicy) throws -> Bool {
        let output = conversion.output.file, reader = start.reader
        let (sink, target, branches) = try during(.openingOutput) {
            try openOutput(reader, kept.segments, overwrites: policy.overwrites)
        }
        context.observer.started(
            input: conversion.input.file, output: output, reader: reader, sink: sink, stream: stream)
        let result = try pipeline(from: start, into: target, checkpoints: kept.folder)
        kept.folder?.remove()
        context.interruption.didCloseOutput()
        var notes = reader.notes + conversion.notes(chain, reader) + (grain?.notes(on: measurements.grain) ?? [])
        notes += notesOnFields + sink.notes + branches.flatMap(\.notes.asNotes) + Self.notes(on: result).asNotes
        context.observer.finished(
            result, output: output, notes: notes,
            bound: try? conversion.memoryBound(chain, reader.stream, stream))
        return !result.damage.isEmpty
    }

    /// Opens the video, and the folders that are filled from its frames.
    private func openOutput(
        _ reader: MediaReader, _ segments: MediaWriterOptions.Segments, overwrites: Bool
    ) throws -> (sink: any MediaSink, target: any FrameSink, branches: [any ExtraBranch]) {
        let output = conversion.output.file
        let branches = try extras.open(
            output: kind, name: output, stream: stream, overwrites: overwrites,
            execution: context.execution)
        do {
            var options = writerOptions
            options.segments = segments
            let sink = try openSink(
                output, stream: stream, source: reader.sourceDescription, retiming: retiming, options: options)
            return (sink, branches.isEmpty ? sink : TeeSink(sink, stream: stream, branches: branches), branches)
        } catch {
            branches.forEach { $0.discard() }
            throw error
        }
    }

    /// Returns what was done that the user may not expect.
    private static func notes(on report: ConversionReport) -> [String] {
        var notes: [String] = []
        if report.repeatsLeftOut > 0 {
            let repeats = counted(report.repeatsLeftOut, "frame repeats", "frames repeat")
            notes.append(
                "\(repeats) the picture before and were left out, so that it moves evenly (--repeats keep keeps them)")
        }
        if report.framesLeftOut > 0 {
            let frames = counted(report.framesLeftOut, "frame was", "frames were")
            notes.append(
                "\(frames) left out, because y4m has no timestamps and another frame is shown at that time; .mkv keeps all"
            )
        }
        guard report.longHolds > 0 else { return notes }
        let held = counted(report.longHolds, "frame stands", "frames stand")
        notes.append(
            "\(held) still for much longer than those around it and no frames were made in that time (--long-holds interpolate makes them)"
        )
        return notes
    }
}
