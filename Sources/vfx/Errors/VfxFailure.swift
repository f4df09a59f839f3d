/// An error on its way out of the program: the sentence to print and the status to leave with.
package struct VfxFailure: Error, Equatable {
    package var message: String
    package var code: VfxExitCode

    package init(_ message: String, _ code: VfxExitCode) {
        self.message = message
        self.code = code
    }
}

/// What the program's exit status says. Scripts may rely on these numbers; they are shown by `vfx --help`.
package enum VfxExitCode: Int32, CaseIterable, Sendable {
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
        case .usage: "the command line is wrong"
        case .badInput: "the input is not a video that can be used"
        case .noInput: "the input is missing or cannot be opened"
        case .internalFault: "a fault in vfx itself"
        case .noResources: "memory ran out"
        case .cannotCreate: "the output cannot be created or begun"
        case .writeFailed: "writing the output failed (disk full, reader of a pipe gone)"
        case .hangup: "stopped by SIGHUP, nothing unfinished left behind"
        case .interrupted: "stopped by SIGINT (Ctrl-C), nothing unfinished left behind"
        case .terminated: "stopped by SIGTERM, nothing unfinished left behind"
        }
    }

    /// All codes as lines of help text.
    package static var table: String {
        allCases.map { code in
            let number = String(code.rawValue)
            return "  " + number + String(repeating: " ", count: 5 - number.count) + code.meaning
        }.joined(separator: "\n")
    }
}
