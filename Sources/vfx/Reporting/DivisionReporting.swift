internal import CommandLineCore
internal import FrameCore
internal import Jobs

/// Reports on jobs that are divided among machines.
extension Reporter {
    /// - Parameters:
    ///   - doubt: why the packets of the input are not believed; nil if they are, or if the user has asked for decoding.
    func planned(_ plan: JobPlan, in folder: String, doubt: String?) {
        let unsafe = plan.source.starts.dropFirst().count { $0 == nil }
        if isJSON {
            JSONEvent.print(
                "plan",
                [
                    ("folder", .string(folder)), ("segments", .int(plan.segmentCount)),
                    ("frames", .int(plan.source.frames)), ("decoded", .bool(plan.source.isDecoded)),
                    ("threads", .int(plan.run.threads)), ("segments_without_seeking", .int(unsafe)),
                ])
        }
        guard !isQuiet else { return }
        if let doubt {
            Console.note("the input was decoded for the plan, because \(doubt)")
        }
        if unsafe > 0 {
            Console.note(
                "reading cannot safely begin at \(counted(unsafe, "segment")); their workers decode from the last safe place"
            )
        }
        if !isJSON {
            Console.say(
                "\(folder): \(counted(plan.segmentCount, "segment")) of \(ResetSchedule.interval) frames; vfx work makes them, vfx join joins them"
            )
        }
    }

    /// Reports a segment that a worker has made.
    func kept(_ segment: FinishedSegment, firstFrameRead: Int) {
        guard isJSON else { return }
        JSONEvent.print(
            "segment",
            [
                ("segment", .int(segment.index)), ("frames", .int(segment.frames)), ("bytes", .int(segment.bytes)),
                ("first_frame_read", .int(firstFrameRead)), ("bytes_read", .optional(ProcessMemory.bytesRead)),
            ])
    }

    func worked(made: Int, of wanted: Range<Int>) {
        Console.clearProgress()
        if isJSON {
            JSONEvent.print(
                "finished",
                [
                    ("segments_made", .int(made)), ("segments_reused", .int(wanted.count - made)),
                    ("bytes_read", .optional(ProcessMemory.bytesRead)), ("exit_code", .int(0)),
                ])
        } else if !isQuiet {
            let names =
                wanted.count == 1
                ? "segment \(wanted.lowerBound)" : "segments \(wanted.lowerBound) to \(wanted.upperBound - 1)"
            Console.say("\(names): \(made) made, \(wanted.count - made) already there")
        }
    }

    func joined(_ plan: JobPlan, frames: Int, damage: DamageReport, notes: [Note]) {
        tell(notes: notes, damage: damage)
        if isJSON {
            printJSON(notes: notes, damage: damage)
            JSONEvent.print(
                "finished",
                [
                    ("output", .string(plan.output)), ("segments", .int(plan.segmentCount)),
                    ("frames_written", .int(frames)),
                    ("exit_code", .int(Int((damage.isEmpty ? JobExitCode.success : .doneWithDamage).rawValue))),
                ])
        } else if !isQuiet {
            Console.say(
                "\(plan.output): \(counted(frames, "frame")) from \(counted(plan.segmentCount, "segment"))")
        }
    }
}
