/// A script that makes the segments of a divided job on one machine with GNU parallel, and joins them.
package struct ParallelScript: Sendable {
    private let job: ScheduledJob

    package init(_ job: ScheduledJob) { self.job = job }

    /// The script. GNU parallel passes its arguments to a shell, so the words are quoted twice.
    package var text: String {
        let work = [job.program, "work", job.folder] + (job.input.map { ["--input", $0] } ?? [])
        let line = work.shellLine + " --segment {}"
        let running = job.maximumRunning.map { "\($0)" } ?? "100%"
        return """
            #!/bin/sh
            seq 0 \(job.segments - 1) | parallel --will-cite --jobs \(running) --retries \(job.retries + 1) -- \(ShellWord(line))
            exec \(job.join.shellLine)

            """
    }
}
