/// A divided job as any scheduler sees it: a number of equal tasks, and a last one after all of them.
package struct ScheduledJob: Sendable, Hashable {
    /// The path of the program.
    package var program: String
    /// The absolute path of the job's folder.
    package var folder: String
    /// A name for the scheduler's lists.
    package var name: String
    /// The number of segments.
    package var segments: Int
    /// The number of tasks.
    package var tasks: Int
    /// The number of threads of each task.
    package var threads: Int
    /// How often a failed task is started again.
    package var retries = 2
    /// The number of tasks that may run at once; nil for no limit.
    package var maximumRunning: Int?
    /// Where the input lies on the workers; nil for where it lay when the job was planned.
    package var input: String?

    package init(
        program: String, folder: String, name: String, segments: Int, tasks: Int, threads: Int
    ) {
        self.program = program
        self.folder = folder
        self.name = name
        self.segments = segments
        self.tasks = min(max(1, tasks), max(1, segments))
        self.threads = threads
    }

    /// The words of the command that does one task, whose number comes from the environment.
    var work: [String] {
        [program, "work", folder, "--tasks", "\(tasks)"] + (input.map { ["--input", $0] } ?? [])
    }

    /// The words of the command that joins the segments.
    var join: [String] { [program, "join", folder] + (input.map { ["--input", $0] } ?? []) }

    /// The folder of the logs.
    package var logs: String { folder + "/logs" }
}

extension [String] {
    /// The words as one line of a shell script.
    var shellLine: String { map { ShellWord($0).description }.joined(separator: " ") }
}
