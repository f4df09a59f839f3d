import FrameCore
import Foundation
import Jobs
import TestSupport
import vfx

/// Runs a command line in this process and returns how it ends, before anything is printed.
///
/// - Parameters:
///   - arguments: the arguments; those that begin with "./" name files in `folder`.
///   - folder: the folder, whose path is replaced by "./" in the result.
func ending(_ arguments: [String], in folder: TemporaryFolder) -> RunOutcome {
    let root = folder.url.path + "/"
    let ending = RunOutcome.ofRunning(
        arguments.map { $0.hasPrefix("./") ? root + $0.dropFirst(2) : $0 }, columns: 80)
    guard case .failure(var failure) = ending else { return ending }
    failure.message = failure.message.replacing(root, with: "./")
    return .failure(failure)
}

/// Returns how a rejected command line ends.
func refusal(_ message: String, _ code: JobExitCode = .usage) -> RunOutcome { .failure(JobFailure(message, code)) }

/// Returns a small moving clip as Y4M.
func clip(_ count: Int, width: Int = 64, height: Int = 48) throws -> Data {
    try Y4M.encode((0..<count).map { try GeneratedPicture.waves(width: width, height: height, dx: 3 * $0) })
}
