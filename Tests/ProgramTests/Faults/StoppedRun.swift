import Foundation
import TestSupport
import Testing

/// A run that has stopped itself at the moment a file was renamed.
final class StoppedRun {
    let process: Process
    private let errors = Pipe()
    private let faults: FaultyLibrary

    /// - Parameter rename: the file's name and the number of renamings to that name, such as `manifest.json:2`.
    init(_ arguments: [String], after rename: String, in folder: TemporaryFolder) throws {
        faults = try FaultyLibrary()
        process = ProgramRun.make(
            "vfx", arguments, environment: faults.environment(["FAULT_STOP": rename]), directory: folder.url)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let process = process
        #expect(waitUntil { process.isStopped || !process.isRunning })
        guard process.isStopped else {
            let (status, said) = finish()
            Issue.record("ended with \(status) before \(rename): \(said)")
            throw CancellationError()
        }
    }

    deinit { if process.isRunning { kill() } }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Continues the run, with these signals sent while it was stopped, and returns its exit code and messages.
    func goOn(signals: [Int32] = []) -> (status: Int32, said: String) {
        for signal in signals { Foundation.kill(process.processIdentifier, signal) }
        Foundation.kill(process.processIdentifier, SIGCONT)
        return finish()
    }

    private func finish() -> (status: Int32, said: String) {
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return (status, said)
    }
}
