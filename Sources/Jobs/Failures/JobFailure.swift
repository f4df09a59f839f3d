/// Why a job has failed: the sentence to print and the program's exit code.
public struct JobFailure: Error, Equatable {
    /// A sentence that names the file, the value and what is allowed.
    public var message: String
    /// What kind of failure it is.
    public var code: JobExitCode

    package init(_ message: String, _ code: JobExitCode) {
        self.message = message
        self.code = code
    }

    /// The end of the message if no output remains.
    package static let nothingWritten = "; nothing was written"
}

/// The program's exit codes. Scripts may rely on these numbers; `vfx --help` lists them.
public enum JobExitCode: Int32, CaseIterable, Sendable {
    /// Done.
    case success = 0
    /// Done, but part of the input was damaged and is missing.
    case doneWithDamage = 3
    /// A setting is not allowed.
    case usage = 64
    /// The input is not a usable video.
    case badInput = 65
    /// The input is missing or cannot be opened.
    case noInput = 66
    /// An error inside the program.
    case internalFault = 70
    /// Out of memory.
    case noResources = 71
    /// The output cannot be created or started.
    case cannotCreate = 73
    /// Writing the output failed.
    case writeFailed = 74
    /// Stopped by SIGHUP.
    case hangup = 129
    /// Stopped by SIGINT.
    case interrupted = 130
    /// Stopped by SIGTERM.
    case terminated = 143

    package var meaning: String {
        switch self {
        case .success: "done"
        case .doneWithDamage: "done, but part of the input was damaged and is missing"
        case .usage: "the command line is invalid"
        case .badInput: "the input is not a usable video"
        case .noInput: "the input is missing or cannot be opened"
        case .internalFault: "an internal error in vfx"
        case .noResources: "out of memory"
        case .cannotCreate: "the output cannot be created or started"
        case .writeFailed: "writing the output failed (disk full, pipe closed)"
        case .hangup: "stopped by SIGHUP; no unfinished output remains"
        case .interrupted: "stopped by SIGINT (Ctrl-C); no unfinished output remains"
        case .terminated: "stopped by SIGTERM; no unfinished output remains"
        }
    }

    /// All codes with their meanings, as lines of help text.
    package static var table: String {
        allCases.map { code in
            let number = String(code.rawValue)
            return "  " + number + String(repeating: " ", count: 5 - number.count) + code.meaning
        }.joined(separator: "\n")
    }
}
