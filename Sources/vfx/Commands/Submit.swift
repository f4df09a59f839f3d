internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// `vfx submit`: hands a divided job to a scheduler.
struct Submit: ParsableCommand {
    enum Engine: String, ExpressibleByArgument, CaseIterable { case slurm, k8s, parallel }

    static let configuration = CommandConfiguration(
        abstract: "Submit a divided job to a scheduler.",
        discussion: """
            slurm submits a job array, and a job that joins the segments after it, and
            prints the numbers of both. k8s prints the manifest of a Kubernetes Indexed
            Job, and of a suspended job that joins the segments. parallel prints a shell
            script for GNU parallel on one machine. All of them run vfx work and vfx join,
            which verify the segments themselves.

            EXAMPLES
              vfx submit job/ --engine slurm --partition render --max-running 40
              vfx submit job/ --engine parallel | sh
            """)

    @Argument(help: ArgumentHelp("Folder of a job made with --plan.", valueName: "job"))
    var job: String

    @Option(help: "Scheduler.")
    var engine: Engine

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of tasks. Default: one for each segment, and no more than Slurm's MaxArraySize allows.",
            valueName: "number"))
    var tasks: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of tasks that may run at once. Default: no limit.", valueName: "number"))
    var maxRunning: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How often a failed task is started again, 0 to 100. Default: 2.", valueName: "number"))
    var retries: String?

    @Option(help: ArgumentHelp("Slurm partition.", valueName: "name"))
    var partition: String?

    @Option(help: ArgumentHelp("Time limit of a Slurm task, e.g. 30 or 1:00:00.", valueName: "time"))
    var time: String?

    @Option(help: ArgumentHelp("Container image for Kubernetes that holds vfx. Default: vfx.", valueName: "name"))
    var image: String?

    @Option(help: ArgumentHelp("Path of the input on the workers, if it differs from the plan's.", valueName: "file"))
    var input: String?

    mutating func run() throws {
        let divided = try DividedJob(job)
        let scheduled = try during(.options) { try describe(divided) }
        switch engine {
        case .slurm: try submit(scheduled, divided.folder)
        case .parallel: Console.writeOut(ParallelScript(scheduled).text)
        case .k8s:
            let json = try KubernetesManifest(scheduled, image: image ?? "vfx").json
            Console.writeOut(String(decoding: json, as: UTF8.self))
        }
    }

    private func describe(_ divided: DividedJob) throws -> ScheduledJob {
        let segments = divided.plan.segmentCount
        let chosen = try tasks.map { try OptionValue.whole($0, option: "--tasks", range: 1...segments) }
        let most = engine == .slurm ? SlurmQueue.mostTasks(segments: segments) : segments
        if let chosen, chosen > most {
            throw FrameError(
                .invalidArgument, "--tasks \(chosen) is more than the \(most) that Slurm's MaxArraySize allows")
        }
        let directory = FileManager.default.currentDirectoryPath
        let program =
            engine == .k8s ? "vfx" : (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        var scheduled = ScheduledJob(
            program: program ?? "vfx", folder: absolutePath(divided.folder, in: directory),
            name: KubernetesManifest.label("vfx-" + fileName(of: divided.plan.output)), segments: segments,
            tasks: chosen ?? most, threads: threads(of: divided.plan))
        if let retries { scheduled.retries = try OptionValue.whole(retries, option: "--retries", range: 0...100) }
        scheduled.maximumRunning = try maxRunning.map {
            try OptionValue.whole($0, option: "--max-running", range: 1...1_000_000)
        }
        scheduled.input = input.map { absolutePath($0, in: directory) }
        return scheduled
    }

    /// Returns the number of threads for which a task is scheduled. If none was chosen, every node of Slurm can run it.
    private func threads(of plan: JobPlan) -> Int {
        guard engine == .slurm, !plan.run.choosesThreads else { return plan.run.threads }
        return min(plan.run.threads, SlurmQueue.leastProcessors(partition: partition) ?? plan.run.threads)
    }

    private func submit(_ scheduled: ScheduledJob, _ folder: String) throws {
        var script = SlurmScript(scheduled)
        (script.partition, script.time) = (partition, time)
        let numbers = try during(.openingOutput) { try SlurmQueue.submit(script, scheduled) }
        Console.writeOut("\(numbers.array) \(numbers.join)\n")
    }
}
