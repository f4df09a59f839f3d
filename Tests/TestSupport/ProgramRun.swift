public import Foundation

/// One run of a program built by this package.
public struct ProgramRun: Sendable {
    public var status: Int32
    public var standardOutput: Data
    public var standardError: String

    public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }
    public var errorLines: [String] { standardError.split(separator: "\n").map(String.init) }

    /// Returns where SwiftPM puts a program of this package: next to the test bundle.
    public static func locate(_ name: String) -> URL {
        let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates = [
            beside.appendingPathComponent(name), root.appendingPathComponent(".build/release/\(name)"),
            root.appendingPathComponent(".build/debug/\(name)"),
        ]
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[0]
    }

    /// Runs a program until it ends.
    ///
    /// - Parameters:
    ///   - input: the contents of its standard input.
    ///   - environment: variables added to the test's own environment.
    ///   - directory: its working directory.
    public static func run(
        _ name: String, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let inputFile = folder.url.appendingPathComponent("in")
        try input.write(to: inputFile)
        let files = try ["out", "err"].map { name in
            let url = folder.url.appendingPathComponent(name)
            try Data().write(to: url)
            return (url: url, handle: try FileHandle(forWritingTo: url))
        }
        let process = make(name, arguments, environment: environment, directory: directory)
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = files[0].handle
        process.standardError = files[1].handle
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return ProgramRun(
            status: status, standardOutput: try Data(contentsOf: files[0].url),
            standardError: String(decoding: try Data(contentsOf: files[1].url), as: UTF8.self))
    }

    /// Returns a process that is set up but not started.
    public static func make(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], directory: URL? = nil
    ) -> Process {
        let process = Process()
        process.executableURL = locate(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["COLUMNS": "80"]) { $1 }
            .merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = directory }
        return process
    }
}

/// A temporary folder that is removed when its last user is released.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("vfx-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// The names of the folder's entries, sorted.
    public var contents: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    public func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: url.appendingPathComponent(name))
        return path(name)
    }

    public func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}
