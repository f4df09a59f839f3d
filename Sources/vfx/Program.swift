internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
package import Jobs

/// The program's entry point: reports errors as one sentence on standard error and an exit code.
@main
enum Program {
    static func main() {
        // If the reader of the output closes its end, the write must fail instead of SIGPIPE killing the process.
        signal(SIGPIPE, SIG_IGN)
        ProcessMemory.reserveLess()
        // SVT-AV1 prints its settings on standard error unless SVT_LOG is set; level 1 prints errors only.
        setenv("SVT_LOG", "1", 0)
        Signals.shared.install()
        if let failure = unknownInstructionSet { leave(with: failure) }
        switch RunOutcome.ofRunning() {
        case .done(let code): leave(code.rawValue)
        case .answer(let text):
            // Help and the version are requested output, so they go to standard output.
            Console.writeOut(text + "\n")
            leave(JobExitCode.success.rawValue)
        case .failure(let failure): leave(with: failure)
        }
    }

    /// The failure if `VFX_CPU` names no instruction set of this architecture.
    private static var unknownInstructionSet: JobFailure? {
        let known = KernelTable.architectureLevelNames
        guard let name = ProcessInfo.processInfo.environment["VFX_CPU"], !name.isEmpty, !known.contains(name) else {
            return nil
        }
        return JobFailure("VFX_CPU is \"\(name)\"; it must be \(known.joined(separator: ", ")), or not set", .usage)
    }

    /// Prints the failure and exits. The error may precede the parsing of options, so `--json` is looked up in the raw
    /// arguments.
    private static func leave(with failure: JobFailure) -> Never {
        Console.error(failure.message)
        if CommandLine.arguments.dropFirst().prefix(while: { $0 != "--" }).contains("--json") {
            EventPrinter().print(ErrorEvent(failure))
        }
        leave(failure.code.rawValue)
    }

    private static func leave(_ status: Int32) -> Never { exit(status) }
}

/// How a run of the program ends, before anything is printed.
package enum RunOutcome: Equatable, Sendable {
    /// The job is done; the exit code shows whether the input was damaged.
    case done(JobExitCode)
    /// Help or the version, for standard output.
    case answer(String)
    /// A failure, for standard error.
    case failure(JobFailure)

    /// Runs a command line in this process until it ends.
    ///
    /// Commands print and write as they do in the program; signal handling is up to the caller.
    ///
    /// - Parameters:
    ///   - arguments: the arguments after the program's name; nil uses those of this process.
    ///   - columns: the width of help texts; nil uses the terminal's.
    package static func ofRunning(_ arguments: [String]? = nil, columns: Int? = nil) -> RunOutcome {
        do {
            var command = try parse(arguments ?? Array(CommandLine.arguments.dropFirst()))
            try command.run()
            return .done(.success)
        } catch {
            return RunOutcome(error, columns: columns)
        }
    }

    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let result = Result { try Vfx.parseAsRoot(arguments) }
        if case .success(let command) = result,
            Vfx.configuration.subcommands.contains(where: { $0 == type(of: command) })
        {
            return command
        }
        guard let name = nameLikeOption(in: arguments) else { return try result.get() }
        throw JobFailure("'\(name)' begins like an option; write ./\(name) for a file of this name", .usage)
    }

    /// Returns the first word that was taken for options but looks like the name of a file, such as `-dash.mp4`, which
    /// would ask for help; nil if there is none.
    private static func nameLikeOption(in arguments: [String]) -> String? {
        let words = arguments.prefix { $0 != "--" }
        guard !words.contains("-h"), !words.contains("--help") else { return nil }
        return zip([""] + words, words).first { former, word in
            // Values of --suffix may begin with a hyphen.
            guard word.hasPrefix("-"), word.count > 2, !word.contains("="), former != "--suffix" else { return false }
            let isNumber = word.dropFirst().allSatisfy { $0.isNumber || ".:/f".contains($0) }
            return word.hasPrefix("--") ? word.contains(".") : !isNumber
        }?.1
    }

    private init(_ error: any Error, columns: Int?) {
        switch error {
        case let status as ExitCode:
            self = .done(JobExitCode(rawValue: status.rawValue) ?? .internalFault)
        case let failure as JobFailure:
            self = .failure(failure)
        case is FrameError:
            self = .failure(JobStep.options.failure(error))
        case _ where Vfx.exitCode(for: error) == .success:
            self = .answer(Vfx.fullMessage(for: error, columns: columns))
        default:
            let sentence = Vfx.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            self = .failure(JobFailure(sentence.prefix(1).lowercased() + sentence.dropFirst(), .usage))
        }
    }
}

/// The root command.
struct Vfx: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vfx",
        abstract: "Video frame effects on the CPU.",
        discussion: """
            EXAMPLES
              vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
              vfx rate in.mp4 -o out.mp4 --fps 60
              vfx deinterlace in.ts -o out.mkv
              vfx info in.mp4
              vfx flow in.mp4 --at 3.2 -o flow.png
              vfx blur in.mp4 -o out.mp4 --strength 40
              vfx denoise in.mp4 -o out.mp4
              vfx upscale in.mp4 -o out.mp4 --scale 2
              vfx smooth call.mp4 -o call60.mp4 --depth 1
              vfx thumbnails in.mp4 -o best/
              vfx still in.mp4 --at 12.5 -o still.jpg
              vfx storyboard in.mp4 -o board/
              vfx compare before.mp4 after.mp4 -o report.html
              vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5
              vfx denoise in.mp4 -o out.mp4 --plan job/
              vfx submit job/ --engine slurm

            EXIT CODES
            \(JobExitCode.table)

            The environment variable VFX_CPU chooses an instruction set by its name;
            "vfx --version" lists those of this machine. The result is the same.
            """,
        version: ProgramVersion.details,
        subcommands: [
            Slomo.self, Rate.self, Deinterlace.self, Info.self, Flow.self, Blur.self, Denoise.self, Upscale.self,
            Smooth.self, ThumbnailsCommand.self, Still.self, Storyboard.self, Compare.self, Enhance.self, Run.self,
            Work.self, Join.self, Status.self, Submit.self,
        ])
}
