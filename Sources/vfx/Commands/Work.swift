internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// `vfx work`: makes segments of a divided job.
struct Work: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make segments of a divided job.",
        discussion: """
            Any number of workers may run at once, on any machine that can read the input
            and write to the job's folder. A worker reads the input from shortly before its
            segments. Existing segments are verified and kept, so the command can be
            repeated at any time.

            Without --segment and --task, the number of the task is taken from
            SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX.

            EXAMPLES
              vfx enhance in.mp4 -o out.mp4 --denoise auto --plan job/
              vfx work job/ --segment 7
              vfx work job/ --task 2 --tasks 10
            """)

    @Argument(help: ArgumentHelp("Folder of a job made with --plan.", valueName: "job"))
    var job: String

    @Option(parsing: .unconditional, help: ArgumentHelp("Segment to make, from 0.", valueName: "number"))
    var segment: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of the task, from 0: a run of consecutive segments.", valueName: "number"))
    var task: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Total number of tasks. Default: one for each segment.", valueName: "number"))
    var tasks: String?

    @Option(
        help: ArgumentHelp("Path of the input on this machine, if it differs from the plan's.", valueName: "file"))
    var input: String?

    @OptionGroup(title: "Reports") var reports: PartReportOptions

    mutating func run() throws {
        let divided = try DividedJob(job)
        let wanted = try during(.options) { try segments(of: divided.plan.segmentCount) }
        let reporter = Reporter(options: reports.report)
        let made = try divided.work(wanted, divided.context(reporter), input: input)
        reporter.worked(made: made, of: wanted)
    }

    private func segments(of count: Int) throws(FrameError) -> Range<Int> {
        if let segment {
            guard task == nil, tasks == nil else {
                throw FrameError(.invalidArgument, "--segment and --task are mutually exclusive; give only one of them")
            }
            let number = try OptionValue.whole(segment, option: "--segment", range: 0...count - 1)
            return number..<number + 1
        }
        var number = count
        if let tasks { number = try OptionValue.whole(tasks, option: "--tasks", range: 1...1_000_000) }
        let division = TaskDivision(segments: count, tasks: number)
        let (option, text) = try chosenTask()
        return division.segments(of: try OptionValue.whole(text, option: option, range: 0...division.tasks - 1))
    }

    private func chosenTask() throws(FrameError) -> (option: String, text: String) {
        if let task { return ("--task", task) }
        let environment = ProcessInfo.processInfo.environment
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"] {
            if let text = environment[name] { return (name, text) }
        }
        throw FrameError(.invalidArgument, "no segment is given; use --segment or --task, or run it in a job array")
    }
}

/// `vfx join`: joins the segments of a divided job.
struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join the segments of a divided job.",
        discussion: """
            Verifies every segment, writes the video with audio and all other streams, and
            makes the thumbnails and the storyboard if the job has any. The video is the
            same as without --plan. If a segment is missing or damaged, an error names it
            and the command that makes it. The command can be repeated at any time; the
            job's folder is kept and can be removed afterwards.

            EXAMPLE
              vfx join job/
            """)

    @Argument(help: ArgumentHelp("Folder of a job made with --plan.", valueName: "job"))
    var job: String

    @Option(
        help: ArgumentHelp("Path of the input on this machine, if it differs from the plan's.", valueName: "file"))
    var input: String?

    @OptionGroup(title: "Reports") var reports: PartReportOptions

    mutating func run() throws {
        let divided = try DividedJob(job), reporter = Reporter(options: reports.report)
        guard let joined = try divided.join(divided.context(reporter), input: input) else {
            return reporter.wasFinished(output: divided.plan.output, isDamaged: false)
        }
        reporter.joined(divided.plan, frames: joined.frames, damage: joined.damage, notes: joined.notes)
        if !joined.damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }
}

extension DividedJob {
    /// What a worker or a join runs with. The result does not depend on the number of threads.
    fileprivate func context(_ reporter: Reporter) -> JobContext {
        let threads = plan.run.choosesThreads ? plan.run.threads : SlurmQueue.ownProcessors.map { min(max(1, $0), 256) }
        return JobContext(
            ExecutionContext(threads: threads), observer: reporter, interruption: Signals.shared)
    }
}
