internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

extension DividedJob {
    /// Makes those of some segments that are missing or damaged. May run at any time, more than once, and at the same time
    /// as others.
    ///
    /// - Parameters:
    ///   - wanted: the numbers of the segments.
    ///   - context: what the job is run with.
    ///   - input: where the input lies on this machine; nil for where it lay when the job was planned.
    /// - Returns: the number of segments that were made.
    /// - Throws: ``JobFailure``.
    package func work(_ wanted: Range<Int>, _ context: JobContext, input: String?) throws -> Int {
        let results = results, interruption = context.interruption
        let missing = try during(.writing) { try wanted.filter { try results.verified($0) == nil } }
        interruption.willOpenOutput()
        for part in Self.runs(of: missing) {
            do {
                try make(part, open(context, input: input))
            } catch let failure as JobFailure {
                let number = part.first { results.likely($0) == nil } ?? part.lowerBound
                // A worker that was stopped has not failed.
                if !interruption.isRequested { results.note(failure: failure.message, of: number) }
                throw failure
            }
        }
        interruption.didCloseOutput()
        return missing.count
    }

    /// Groups ascending numbers into runs of consecutive ones.
    package static func runs(of numbers: [Int]) -> [Range<Int>] {
        numbers.reduce(into: []) { runs, number in
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
    }

    private func make(_ part: Range<Int>, _ open: OpenConversion) throws {
        let plan = try during(.options) {
            try ReadPlan(open, fromSegment: part.lowerBound, among: self.plan.source.starts.compactMap(\.self))
        }
        try open.read(plan) { try make(part, open, from: $0) }
    }

    private func make(_ part: Range<Int>, _ open: OpenConversion, from start: ReadStart) throws {
        let results = results, plan = plan, observer = open.context.observer
        let first = start.checkpoint?.frame ?? 0
        let source = BoundaryChecksums(start.reader, from: first)
        let opened = Lock<SegmentSink?>(nil)
        @Sendable func read(_ segment: Int) -> SegmentResult.Read {
            let point = plan.source.firstResetPoint + segment
            return SegmentResult.Read(
                before: source.checksum(before: point), after: source.checksum(before: point + 1),
                damage: source.damage, notes: opened.withLock { $0 }?.notes ?? [])
        }
        let store = WorkerSegments(results, read: read) { observer.kept($0, firstFrameRead: first) }
        defer { store.discard() }
        var options = open.writerOptions
        options.segments = .kept(store)
        let sink = try during(.openingOutput) {
            try SegmentSink(
                // The video itself is not opened, so it need not be reachable from here.
                folder + "/" + (plan.output.split(separator: "/").last.map(String.init) ?? plan.output),
                stream: open.stream, source: start.reader.sourceDescription, from: part.lowerBound,
                to: part.upperBound < plan.segmentCount ? part.upperBound : nil, shift: plan.clock.shift,
                options: options)
        }
        opened.withLock { $0 = sink }
        let needs = try during(.options) { try open.extras.needs(open.stream, start: plan.clock.first) }
        let target: any FrameSink = open.extras.isEmpty ? sink : KeepingSink(sink, part, needs, store)
        _ = try open.pipeline(from: start, into: target, reading: source)
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
