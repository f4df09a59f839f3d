internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Foundation

/// The way in and out: errors become one sentence on standard error and an exit code.
@main
enum Program {
    static func main() {
        // A reader of our output that goes away is an error of a write, not a reason to die without a word.
        signal(SIGPIPE, SIG_IGN)
        AddressSpaceLimit.prepare()
        // SVT-AV1 writes its settings to standard error by itself; errors alone are wanted.
        setenv("SVT_LOG", "1", 0)
        Signals.shared.install()
        switch RunOutcome.ofRunning() {
        case .done(let code): leave(code.rawValue)
        case .answer(let text):
            // Help and version are answers, not errors.
            Console.writeOut(text + "\n")
            leave(VfxExitCode.success.rawValue)
        case .failure(let failure): leave(with: failure)
        }
    }

    /// Errors come before or after the command line is understood, so what stands on it decides about the JSON line.
    private static func leave(with failure: VfxFailure) -> Never {
        Console.error(failure.message)
        if CommandLine.arguments.dropFirst().prefix(while: { $0 != "--" }).contains("--json") {
            JSONEvent.print(
                "error", [("message", .string(failure.message)), ("exit_code", .int(Int(failure.code.rawValue)))])
        }
        leave(failure.code.rawValue)
    }

    private static func leave(_ status: Int32) -> Never { exit(status) }
}
