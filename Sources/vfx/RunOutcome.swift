internal import ArgumentParser
internal import FrameCore

/// How a run of the program ends, before anything is printed of it.
package enum RunOutcome: Equatable, Sendable {
    /// The job is done; damage may be told by the code.
    case done(VfxExitCode)
    /// Help or the version, for standard output.
    case answer(String)
    /// One sentence for standard error.
    case failure(VfxFailure)

    /// Runs a command line in this process, to its end.
    ///
    /// What commands print and write they do here as in the program; signals are left to the caller.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name; nil takes this process's own.
    ///   - columns: the width of help; nil takes the terminal's.
    package static func ofRunning(_ arguments: [String]? = nil, columns: Int? = nil) -> RunOutcome {
        do {
            var command = try Vfx.parseAsRoot(arguments)
            try command.run()
            return .done(.success)
        } catch {
            return RunOutcome(error, columns: columns)
        }
    }

    private init(_ error: any Error, columns: Int?) {
        switch error {
        case let status as ExitCode:
            self = .done(VfxExitCode(rawValue: status.rawValue) ?? .internalFault)
        case let failure as VfxFailure:
            self = .failure(failure)
        case is FrameError:
            self = .failure(JobStep.options.failure(error))
        case _ where Vfx.exitCode(for: error) == .success:
            self = .answer(Vfx.fullMessage(for: error, columns: columns))
        default:
            let sentence = Vfx.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
            self = .failure(VfxFailure(sentence.prefix(1).lowercased() + sentence.dropFirst(), .usage))
        }
    }
}
