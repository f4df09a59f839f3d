internal import CommandLineCore
internal import FrameCore
internal import Jobs

/// Reports on jobs that are divided among machines.
extension Reporter {
    /// - Parameters:
    ///   - doubt: why the input was decoded rather than planned from its packets; nil if it was not, or if the user asked for it.
    func planned(_ plan: JobPlan, in folder: String, doubt: String?) {
        let unsafe = plan.source.starts.dropFirst().count { $0 == nil }
        if isJSON {
            events.print(
                PlanEvent(
                    folder: folder, segments: plan.segmentCount, frames: plan.source.frames,
                    decoded: plan.source.isDecoded, threads: plan.run.threads, segmentsWithoutSeeking: unsafe))
        }
        guard !isQuiet else { return }
        if let doubt {
            Console.note("the input was decoded for the plan, because \(doubt)")
        }
        if unsafe > 0 {
            Console.note(
                "\(counted(unsafe, "segment")) cannot be reached by seeking; their workers decode from an earlier position"
            )
        }
        if !isJSON {
            Console.say(
                "\(folder): \(counted(plan.segmentCount, "segment")) of \(ResetSchedule.interval) frames; make them with vfx work, then run vfx join"
            )
        }
    }

    /// Reports a segment that a worker has made.
    func kept(_ segment: FinishedSegment, firstFrameRead: Int) {
        guard isJSON else { return }
        events.print(
            SegmentEvent(
                segment: segment.index, frames: segment.frames, bytes: segment.bytes, firstFrameRead: firstFrameRead,
                bytesRead: ProcessMemory.bytesRead))
    }

    func worked(made: Int, of wanted: Range<Int>) {
        Console.clearProgress()
        if isJSON {
            events.print(
                WorkFinishedEvent(
                    segmentsMade: made, segmentsReused: wanted.count - made, bytesRead: ProcessMemory.bytesRead,
                    exitCode: JobExitCode.success.rawValue))
        } else if !isQuiet {
            let names =
                wanted.count == 1
                ? "segment \(wanted.lowerBound)" : "segments \(wanted.lowerBound) to \(wanted.upperBound - 1)"
            Console.say("\(names): \(made) made, \(wanted.count - made) already done")
        }
    }

    func joined(_ plan: JobPlan, frames: Int, damage: DamageReport, notes: [Note]) {
        tell(notes: notes, damage: damage)
        if isJSON {
            printJSON(notes: notes, damage: damage)
            let code: JobExitCode = damage.isEmpty ? .success : .doneWithDamage
            events.print(
                JoinFinishedEvent(
                    output: plan.output, segments: plan.segmentCount, framesWritten: frames, exitCode: code.rawValue))
        } else if !isQuiet {
            Console.say(
                "\(plan.output): \(counted(frames, "frame")) from \(counted(plan.segmentCount, "segment"))")
        }
    }
}
