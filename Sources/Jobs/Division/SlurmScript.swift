/// The Slurm job array of a divided job, and the job that joins its segments.
///
/// The scripts hold no directives: options are passed to `sbatch` as words, so that no name needs quoting in a comment.
package struct SlurmScript: Sendable {
    /// The partition; nil for the default one.
    package var partition: String?
    /// The limit of time for each task, in Slurm's form; nil for the partition's.
    package var time: String?
    private let job: ScheduledJob

    package init(_ job: ScheduledJob) { self.job = job }

    /// The script of a task.
    ///
    /// `--requeue` of Slurm covers lost nodes only, so a task that fails asks to be started again itself. Its log is
    /// kept, one file for each attempt.
    package var task: String {
        """
        #!/bin/sh
        attempt=${SLURM_RESTART_COUNT:-0}
        exec >\(ShellWord(job.logs + "/task"))-"$SLURM_ARRAY_TASK_ID-$attempt.log" 2>&1
        \(job.work.shellLine)
        status=$?
        if [ "$status" -ne 0 ] && [ "$attempt" -lt \(job.retries) ]; then
            scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" && sleep 60
        fi
        exit "$status"

        """
    }

    /// The script that joins the segments.
    package var join: String {
        """
        #!/bin/sh
        exec >\(ShellWord(job.logs + "/join.log")) 2>&1
        exec \(job.join.shellLine)

        """
    }

    /// The words of `sbatch` for the array, before the path of the script.
    package var arrayArguments: [String] {
        let limit = job.maximumRunning.map { "%\($0)" } ?? ""
        return ["--parsable", "--requeue", "--array=0-\(job.tasks - 1)\(limit)"] + common(threads: job.threads)
    }

    /// The words of `sbatch` for the join, before the path of the script.
    ///
    /// With `afterok` the join would wait for ever after a failed task. It verifies the segments itself.
    package func joinArguments(after array: String) -> [String] {
        ["--parsable", "--dependency=afterany:\(array)"] + common(threads: 1)
    }

    private func common(threads: Int) -> [String] {
        var words = ["--job-name=\(job.name)", "--output=/dev/null", "--ntasks=1", "--cpus-per-task=\(threads)"]
        if let partition { words.append("--partition=\(partition)") }
        if let time { words.append("--time=\(time)") }
        return words
    }

    /// Returns the number of processors of the smallest node; nil if it is unknown.
    ///
    /// - Parameter nodes: what `sinfo --format=%c` prints: a number for each kind of node, perhaps with a `+`.
    package static func leastProcessors(nodes: String) -> Int? {
        nodes.split(whereSeparator: \.isNewline).compactMap { Int($0.prefix(while: \.isNumber)) }.filter { $0 > 0 }
            .min()
    }

    /// Returns the number of tasks that one array can hold.
    ///
    /// - Parameters:
    ///   - segments: the number of segments.
    ///   - configuration: what `scontrol show config` prints; `MaxArraySize` is one more than the largest index.
    package static func tasks(segments: Int, configuration: String) -> Int {
        let line = configuration.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        let size = line?.split(separator: "=").last.flatMap { Int($0.filter(\.isNumber)) } ?? 1001
        return min(segments, max(1, size - 1))
    }
}
