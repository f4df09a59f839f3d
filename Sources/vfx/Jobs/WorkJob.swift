internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

/// Makes some segments of a divided job. May run at any time, more than once, and at the same time as others.
struct WorkJob {
    let job: DividedJob
    /// Where the input lies on this machine; nil for where it lay when the job was planned.
    let input: String?
    let report: ReportOptions

    /// Makes those of the segments that are missing or damaged.
    func run(_ wanted: Range<Int>) throws {
        let reporter = Reporter(options: report)
        let conversion = try job.conversion(input: input, report: report)
        let results = job.results
        let missing = try during(.writing) { try wanted.filter { try results.verified($0) == nil } }
        Signals.shared.willOpenOutput()
        for part in Self.runs(of: missing) {
            do {
                try make(part, conversion, reporter)
            } catch let failure as VfxFailure {
                let number = part.first { results.likely($0) == nil } ?? part.lowerBound
                // A worker that was stopped has not failed.
                if Signals.shared.received == nil { results.note(failure: failure.message, of: number) }
                throw failure
            }
        }
        Signals.shared.didCloseOutput()
        reporter.worked(made: missing.count, of: wanted)
    }

    /// Groups ascending numbers into runs of consecutive ones.
    static func runs(of numbers: [Int]) -> [Range<Int>] {
        numbers.reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
    }

    private func make(_ part: Range<Int>, _ conversion: ConversionJob, _ reporter: Reporter) throws {
        var prepared = try job.prepare(conversion, input: input)
        let candidates = try during(.options) {
            try prepared.work.chain.checkpoints(
                forSegment: job.plan.firstResetPoint + part.lowerBound, of: prepared.reader.stream,
                among: job.plan.starts.compactMap(\.self))
        }
        // Then the beginning of a part, and last the beginning of the source.
        let beginning = prepared.part?.checkpoint.map { [$0] } ?? []
        for checkpoint in (candidates.prefix(3) + beginning).map(Optional.some) + [nil] {
            do {
                if let checkpoint, (try? prepared.reader.resume(at: checkpoint.position)) != true {
                    throw SourceMismatch()
                }
                return try make(part, prepared, from: checkpoint, reporter)
            } catch is SourceMismatch {
                prepared = try job.prepare(conversion, input: input)
            }
        }
        throw JobStep.reading.failure(
            FrameError(.input, "the input changes while it is being read", at: .init(file: conversion.input.input)))
    }

    private func make(
        _ part: Range<Int>, _ prepared: PreparedConversion, from checkpoint: SourceCheckpoint?, _ reporter: Reporter
    ) throws {
        let results = job.results, plan = job.plan
        let source = BoundaryChecksums(prepared.reader, from: checkpoint?.frame ?? 0)
        let opened = Lock<SegmentSink?>(nil)
        @Sendable func read(_ segment: Int) -> SegmentResult.Read {
            let point = plan.firstResetPoint + segment
            return SegmentResult.Read(
                before: source.checksum(before: point), after: source.checksum(before: point + 1),
                damage: source.damage, notes: opened.withLock { $0 }?.notes ?? [])
        }
        let store = WorkerSegments(results, read: read) { reporter.kept($0, firstFrameRead: checkpoint?.frame ?? 0) }
        defer { store.discard() }
        var options = prepared.writerOptions
        options.segments = .kept(store)
        let sink = try during(.openingOutput) {
            try SegmentSink(
                // The video itself is not opened, so it need not be reachable from here.
                job.folder + "/" + fileName(of: plan.output), stream: prepared.stream,
                source: prepared.reader.sourceDescription, from: part.lowerBound,
                to: part.upperBound < plan.segmentCount ? part.upperBound : nil, shift: plan.shift, options: options)
        }
        opened.withLock { $0 = sink }
        let extras = prepared.work.extras
        let needs = try during(.options) { try extras.needs(prepared.stream, start: plan.firstOutputTime) }
        let target: any FrameSink = extras.isEmpty ? sink : KeepingSink(sink, part, needs, store)
        let pipeline = ConversionPipeline(
            source: source, sink: target, chain: prepared.work.chain,
            part: prepared.part?.output(prepared.work), cuts: prepared.work.cuts,
            cutList: prepared.cutList, start: checkpoint
        ) { reporter.handle($0) }
        Signals.shared.watch { pipeline.cancel() }
        do {
            _ = try pipeline.run()
        } catch is CancellationError {
            throw Signals.shared.failure
        } catch let mismatch as SourceMismatch {
            throw mismatch
        } catch {
            throw JobStep(pipeline.failedStage).failure(error, at: plan.input)
        }
        try during(.writing) {
            for number in part where results.record(number) == nil {
                try results.keep(
                    SegmentResult(
                        plan: results.plan, number: number, segment: nil, read: read(number), seconds: 0,
                        host: ProcessInfo.processInfo.hostName))
            }
        }
    }
}
