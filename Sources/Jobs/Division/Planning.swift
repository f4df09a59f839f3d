internal import Foundation
internal import FrameAnalysis
package import FrameCore
internal import MediaIO
internal import Pipeline

/// A plan that was made, and what the user should know of it.
package struct PlannedJob {
    package let plan: JobPlan
    /// What was lost or repaired in the input.
    package let damage: DamageReport
    /// Why the packets of the input are not believed; nil if they are, or if the user has asked for decoding.
    package let doubt: String?
}

extension Conversion {
    /// Looks at the source once and writes the plan of a job that is divided into segments.
    ///
    /// - Parameters:
    ///   - folder: the folder for the plan.
    ///   - context: what the job is run with.
    ///   - policy: how the output is started.
    ///   - choosesThreads: whether the number of threads was chosen.
    ///   - byDecoding: whether the whole input is decoded instead of believing its packets.
    /// - Throws: ``JobFailure``.
    package func plan(
        into folder: String, _ context: JobContext, _ policy: RunPolicy, choosesThreads: Bool, byDecoding: Bool
    ) throws -> PlannedJob {
        let open = try self.open(context, for: .whole(policy))
        try during(.options) { try open.checkDivisible(policy) }
        if output.failsOnLoss { try during(.openingOutput) { try open.requireNoLoss() } }
        let identity = try during(.openingInput) { try open.identity() }
        let found = try during(.reading) { try open.survey(byDecoding: byDecoding) }
        let survey = found.survey
        if extras.thumbnails != nil { try during(.options) { try open.checkDuration(survey) } }
        var measurements = open.measurements
        measurements.grain = try during(.reading) { try open.measuredGrain() }
        let plan = try during(.openingOutput) {
            let plan = try JobPlan(
                open.conversion.withAbsolutePaths(in: FileManager.default.currentDirectoryPath),
                run: .init(
                    threads: context.execution.threads, choosesThreads: choosesThreads, overwrites: policy.overwrites),
                identity: identity, settings: open.settings(), survey: survey, spans: found.spans,
                // A part begins at zero.
                firstOutputTime: open.part == nil
                    ? open.chain.firstTime(survey.firstTime, next: survey.secondTime) : .zero,
                shift: try expectedShift(
                    output.file, source: open.reader.sourceDescription, retiming: open.retiming,
                    options: open.writerOptions),
                measurements: measurements, firstResetPoint: open.part?.segment ?? 0)
            try plan.write(to: folder)
            return plan
        }
        return PlannedJob(plan: plan, damage: survey.damage, doubt: found.doubt)
    }
}

extension OpenConversion {
    fileprivate typealias Survey = (survey: SourceSurvey, spans: [SourcePosition.Span], doubt: String?)

    /// Opens the output and removes it again.
    ///
    /// - Throws: `FrameError` if something of the input would be missing in it.
    fileprivate func requireNoLoss() throws(FrameError) {
        try openSink(
            conversion.output.file, stream: stream, source: reader.sourceDescription, retiming: retiming,
            options: writerOptions
        ).cancel()
    }

    /// Returns what is known of the source, the spans between discontinuities of its timestamps, and why its packets are
    /// not believed; nil if they are, or if the user has asked for decoding.
    fileprivate func survey(byDecoding: Bool) throws -> Survey {
        guard !byDecoding else { return try decodedSurvey(doubt: nil, reader) }
        let table: PacketTable
        do throws(PacketTable.Doubt) {
            table = try reader.packetTable(of: part?.located)
        } catch {
            return try decodedSurvey(doubt: error.reason, reader)
        }
        let survey = SourceSurvey(of: table, firstPoint: part?.segment ?? 0, search: cuts)
        // What follows the last checkpoint, or all if there is none, shows whether seeking leads to the frames that the
        // packets describe.
        let start = survey.checkpoints.max { $0.key < $1.key }?.value
        if start.map({ (try? reader.resume(at: $0.position)) == true }) ?? true,
            try SourceSurvey.agree(reader, from: start, with: table, isWhole: part?.located.end == nil)
        {
            let span = SourcePosition.Span(first: survey.firstTime, last: survey.lastTime, shift: .zero)
            return (survey, [span], nil)
        }
        return try decodedSurvey(doubt: "its last frames are not those of its packets", reopened())
    }

    private func decodedSurvey(doubt: String?, _ reader: MediaReader) throws -> Survey {
        try read(ReadPlan(self, fromSegment: nil, among: []), first: reader) { start in
            let survey = try SourceSurvey(
                of: start.reader, search: cuts, part: part.map { (start.checkpoint, $0.located.end) }
            ) { _ in try context.interruption.check() }
            return (survey, start.reader.timestampSpans, doubt)
        }
    }

    /// - Throws: `FrameError` if the workers cannot know which frames a selection of thumbnails examines.
    fileprivate func checkDuration(_ survey: SourceSurvey) throws(FrameError) {
        let part = part?.located
        let first = part?.start ?? survey.firstTime
        let last = part?.end.map { min($0, survey.lastTime) } ?? survey.lastTime
        guard let stated = reader.stream.duration, stream.duration != nil,
            last - first <= stated.multiplied(by: ExaminedTimes.longestExcess)
        else {
            throw FrameError(
                .invalidArgument,
                "--thumbnails with --plan requires an input that states its duration; leave --thumbnails out, and run vfx thumbnails on the result",
                at: .init(file: conversion.input.file))
        }
    }

    /// - Throws: `FrameError` if the job is not encoded in segments, or its input or output cannot be used by several
    ///   processes.
    fileprivate func checkDivisible(_ policy: RunPolicy) throws(FrameError) {
        let input = conversion.input.file, output = conversion.output.file
        if let obstacle = kind.obstacleToKeeping {
            throw FrameError(
                .invalidArgument, "--plan requires a video file as output; \(obstacle)", at: .init(file: output))
        }
        guard part.map({ $0.located.firstFrame != nil }) ?? true else {
            throw FrameError(
                .invalidArgument, "--plan needs an input whose frames can be counted without decoding, to find a part",
                at: .init(file: input))
        }
        guard !policy.resumes else {
            throw FrameError(.invalidArgument, "--plan and --resume are mutually exclusive; give only one of them")
        }
        guard chain.isDivisible else {
            throw FrameError(
                .invalidArgument,
                "jobs that add grain from a table cannot be divided; leave --plan out, or add grain of a strength from 0 to 32"
            )
        }
        guard reader.isReopenable, !reader.readsOtherFiles else {
            throw FrameError(
                .invalidArgument,
                "--plan requires an input that every machine can open and verify; name a file", at: .init(file: input))
        }
        guard ResetSchedule.isWorthSegmenting(reader.stream) else {
            throw FrameError(
                .invalidArgument, "videos of up to 30 s are encoded in one piece; leave --plan out",
                at: .init(file: input))
        }
    }
}
