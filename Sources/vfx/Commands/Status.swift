internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// `vfx status`: shows the progress of a divided job.
struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the progress of a divided job.",
        discussion: """
            Counts the segments that are done, running and failed, from the files in the
            job's folder. If the job was submitted to Slurm and squeue is installed, also
            counts its tasks.

            EXAMPLE
              vfx status job/ --watch
            """)

    @Argument(help: ArgumentHelp("Folder of a job made with --plan.", valueName: "job"))
    var job: String

    @Flag(help: "Print one JSON object per line on standard output.")
    var json = false

    @Flag(help: "Repeat every 5 seconds until all segments are done.")
    var watch = false

    mutating func run() throws {
        let divided = try DividedJob(job)
        while true {
            let status = JobStatus(of: divided.plan, divided.results, now: Int(Date().timeIntervalSince1970))
            show(status, divided)
            guard watch, status.done < status.segments.count, Signals.shared.received == nil else { return }
            Thread.sleep(forTimeInterval: 5)
        }
    }

    private func show(_ status: JobStatus, _ divided: DividedJob) {
        let queue = SlurmQueue.tasks(of: divided.folder)
        if json { return printJSON(status, divided, queue) }
        var parts = ["\(status.done) of \(counted(status.segments.count, "segment")) done"]
        if status.running > 0 { parts.append("\(status.running) running") }
        if !status.failed.isEmpty { parts.append("\(status.failed.count) failed") }
        for (state, count) in queue.sorted(by: { $0.key < $1.key }) {
            parts.append("\(counted(count, "task")) \(state.lowercased()) in Slurm")
        }
        if let rate = status.framesPerSecond { parts.append(String(format: "%.1f frames/s", rate)) }
        if let left = status.secondsLeft { parts.append("about \(Int(left.rounded())) s left") }
        if divided.isJoined { parts.append("joined") }
        Console.writeOut(parts.joined(separator: ", ") + "\n")
        for (number, reason) in status.failed { Console.writeOut("segment \(number): \(reason)\n") }
    }

    private func printJSON(_ status: JobStatus, _ divided: DividedJob, _ queue: [String: Int]) {
        let tasks = queue.sorted { $0.key < $1.key }.map { (name: $0.key.lowercased(), value: $0.value) }
        EventPrinter().print(
            StatusEvent(
                segments: status.segments.count, done: status.done, running: status.running,
                failed: status.failed.map { StatusEvent.Failure(segment: $0.number, message: $0.reason) },
                frames: status.frames, fps: status.framesPerSecond, etaSeconds: status.secondsLeft,
                joined: divided.isJoined, slurm: NamedValues(tasks)))
    }
}
