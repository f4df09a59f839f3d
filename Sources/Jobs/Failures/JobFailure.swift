/// Why a job has failed: the sentence to print and the program's exit code.
package struct JobFailure: Error, Equatable {
    package var message: String
    package var code: JobExitCode

    package init(_ message: String, _ code: JobExitCode) {
        self.message = message
        self.code = code
    }

    /// The end of the message if no output remains.
    package static let nothingWritten = "; nothing was written"
}

/// The program's exit codes. Scripts may rely on these numbers; `vfx --help` lists them.
package enum JobExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case doneWithDamage = 3
    case usage = 64
    case badInput = 65
    case noInput = 66
    case internalFault = 70
    case noResources = 71
    case cannotCreate = 73
    case writeFailed = 74
    case hangup = 129
    case interrupted = 130
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
