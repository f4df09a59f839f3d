internal import Foundation
internal import FrameCore
internal import Jobs

/// The commands of Slurm. Arguments are passed as words, never through a shell.
enum SlurmQueue {
    /// The file in the job's folder that holds the numbers of the submitted jobs.
    private static let fileName = "slurm.json"

    /// The numbers of a job array and of the job that joins its segments.
    struct Numbers: Codable {
        var array: String
        var join: String
    }

    /// Returns the number of tasks that one array can hold; the default limit if Slurm cannot be asked.
    static func mostTasks(segments: Int) -> Int {
        SlurmScript.tasks(segments: segments, configuration: (try? output(of: ["scontrol", "show", "config"])) ?? "")
    }

    /// Returns the number of processors that every node has; nil if Slurm cannot be asked.
    ///
    /// - Parameter partition: the partition whose nodes count; nil for those of all.
    static func leastProcessors(partition: String?) -> Int? {
        let words = ["sinfo", "--noheader", "--format=%c"] + (partition.map { ["--partition=\($0)"] } ?? [])
        return (try? output(of: words)).flatMap { SlurmScript.leastProcessors(nodes: $0) }
    }

    /// The number of processors that Slurm gives to this task; nil outside of Slurm or if the task has not asked for any.
    static var ownProcessors: Int? {
        ProcessInfo.processInfo.environment["SLURM_CPUS_PER_TASK"].flatMap { Int($0) }
    }

    /// Writes the scripts to the job's folder and submits them.
    static func submit(_ script: SlurmScript, _ job: ScheduledJob) throws -> Numbers {
        do {
            try LocalFile.makeDirectory(job.logs)
        } catch {
            throw FrameError(
                .output, "the folder for the logs cannot be created", at: .init(file: job.logs), cause: error)
        }
        let task = job.folder + "/task.sh", join = job.folder + "/join.sh"
        try CheckpointFiles.write(Array(script.task.utf8), to: task)
        try CheckpointFiles.write(Array(script.join.utf8), to: join)
        let array = try number(output(of: ["sbatch"] + script.arrayArguments + [task]))
        let last = try number(output(of: ["sbatch"] + script.joinArguments(after: array) + [join]))
        let numbers = Numbers(array: array, join: last)
        try CheckpointFiles.write(Array(JSONEncoder().encode(numbers)), to: job.folder + "/" + fileName)
        return numbers
    }

    /// Returns the number of tasks in each state, as Slurm names them: those in the queue, or else, where Slurm keeps
    /// accounts, those that have left it. Empty if Slurm cannot be asked.
    static func tasks(of folder: String) -> [String: Int] {
        guard let bytes = LocalFile.read(folder + "/" + fileName, atMost: 1 << 16),
            let numbers = try? JSONDecoder().decode(Numbers.self, from: Data(bytes)),
            let array = try? number(numbers.array), let join = try? number(numbers.join)
        else { return [:] }
        let jobs = "--jobs=\(array),\(join)"
        let queued = states(["squeue", "--noheader", "--array", "--format=%T", jobs])
        // Without accounting, sacct fails.
        return queued.isEmpty ? states(["sacct", "--noheader", "--allocations", "--format=State%20", jobs]) : queued
    }

    /// Counts the states that a command of Slurm prints, one a line.
    private static func states(_ words: [String]) -> [String: Int] {
        guard let text = try? output(of: words) else { return [:] }
        return text.split(separator: "\n").reduce(into: [:]) { counts, line in
            // As in "CANCELLED by 1000".
            guard let state = line.split(separator: " ").first else { return }
            counts[String(state), default: 0] += 1
        }
    }

    /// Returns the job number in what `sbatch --parsable` prints, which may be followed by the name of the cluster.
    private static func number(_ text: String) throws -> String {
        let number = text.prefix { $0 != ";" && !$0.isNewline }
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            throw FrameError(.output, "sbatch printed no job number but \"\(text)\"")
        }
        return String(number)
    }

    private static func output(of words: [String]) throws -> String {
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let reason = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let line =
                String(decoding: reason, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? "no reason given"
            throw FrameError(.output, "\(words[0]) failed: \(line)")
        }
        return String(decoding: text, as: UTF8.self)
    }
}
