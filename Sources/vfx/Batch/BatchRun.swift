internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// Runs one command for each of several inputs. A file that fails does not stop the others.
struct BatchRun<Command: BatchCommand> {
    private let command: Command
    private let plan: BatchPlan

    private enum Outcome {
        case done, damaged, skipped
        case failed(JobFailure)
    }

    /// Finds the inputs and checks the outputs; nothing is written.
    ///
    /// - Throws: ``JobFailure``.
    init(_ command: Command) throws {
        self.command = command
        let plan = try during(.options) {
            try command.checkSeveralInputs()
            return try BatchPlan(command.batchInputs, output: command.batchOutput, command.batchSearch)
        }
        self.plan = plan
        guard !command.batchOverwrites, !command.batchResumes, command.writesFiles else { return }
        let existing = plan.items.compactMap(plan.output).filter { LocalFile($0) != nil }
        guard existing.isEmpty else {
            let others =
                existing.count > 1
                ? "; \(counted(existing.count - 1, "other output exists", "other outputs exist")), too" : ""
            throw JobStep.openingOutput.failure(
                FrameError(
                    .output,
                    "the output exists; use --resume to skip files that are done or --overwrite to replace them\(others)",
                    at: .init(file: existing[0])))
        }
    }

    /// Runs the command for each input, and prints a summary.
    ///
    /// - Throws: `ExitCode` of the file that a signal stopped, of the first failed file, or else of the first damaged one.
    func run() throws {
        var outcomes: [(item: BatchPlan.Item, outcome: Outcome)] = []
        for item in plan.items {
            let outcome = run(item)
            outcomes.append((item, outcome))
            if case .failed(let failure) = outcome {
                Console.error(failure.message)
                if command.printsJSON { EventPrinter(file: item.input).print(ErrorEvent(failure)) }
                if Signals.shared.received != nil { throw ExitCode(failure.code.rawValue) }
            }
        }
        let code = Self.exitCode(outcomes.map(\.outcome))
        tell(outcomes, code)
        if code != .success { throw ExitCode(code.rawValue) }
    }

    private func run(_ item: BatchPlan.Item) -> Outcome {
        var single = command
        single.batchInputs = [item.input]
        single.file = item.input
        let output = plan.output(of: item)
        if let output { single.batchOutput = output }
        if command.batchResumes, let output {
            let isInterrupted = command.continuesOutputs && LocalFile(CheckpointFolder.path(for: output)) != nil
            if !isInterrupted, BatchPlan.isMade(output, from: item.input, isFolder: command.makesFolders) {
                return .skipped
            }
            single.batchResumes = isInterrupted
            single.batchOverwrites = command.batchOverwrites || LocalFile(output) != nil
        }
        for path in single.extraFolders {
            single[keyPath: path] = single[keyPath: path].map { $0 + "/" + item.name }
        }
        do {
            let paths = [output].compactMap(\.self) + single.extraFolders.compactMap { single[keyPath: $0] }
            for path in command.writesFiles ? paths : [] {
                try FileManager.default.createDirectory(
                    atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
                    withIntermediateDirectories: true)
            }
            try single.convert()
            return .done
        } catch let status as ExitCode {
            return status.rawValue == JobExitCode.doneWithDamage.rawValue
                ? .damaged : .failed(JobFailure(item.input, JobExitCode(rawValue: status.rawValue) ?? .internalFault))
        } catch {
            let failure =
                error as? JobFailure
                ?? JobStep.openingOutput.failure(
                    FrameError(.output, "the folder cannot be created", at: .init(file: output)))
            if Signals.shared.received == nil { Signals.shared.didCloseOutput() }
            return .failed(failure)
        }
    }

    private static func exitCode(_ outcomes: [Outcome]) -> JobExitCode {
        for outcome in outcomes { if case .failed(let failure) = outcome { return failure.code } }
        return outcomes.contains { if case .damaged = $0 { true } else { false } } ? .doneWithDamage : .success
    }

    private func tell(
        _ outcomes: [(item: BatchPlan.Item, outcome: Outcome)], _ code: JobExitCode
    ) {
        var done = 0, damaged = 0, skipped = 0
        var failed: [String] = []
        for (item, outcome) in outcomes {
            switch outcome {
            case .done: done += 1
            case .damaged: damaged += 1
            case .skipped: skipped += 1
            case .failed: failed.append(item.input)
            }
        }
        if command.printsJSON {
            EventPrinter().print(
                SummaryEvent(
                    files: outcomes.count, done: done, damaged: damaged, skipped: skipped, failed: failed,
                    exitCode: code.rawValue))
        } else if !command.isQuiet {
            var parts = ["\(done) done"]
            if damaged > 0 { parts.append("\(damaged) done with damage") }
            if skipped > 0 { parts.append("\(skipped) already complete") }
            if !failed.isEmpty { parts.append("\(failed.count) failed: \(failed.joined(separator: ", "))") }
            Console.say("\(counted(outcomes.count, "file")): \(parts.joined(separator: ", "))")
        }
    }
}
