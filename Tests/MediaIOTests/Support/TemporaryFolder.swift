import Foundation
import TestSupport

/// A folder that is removed with the last reference to this object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/mediaio-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Names of all files, sorted.
    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        try Data(Array(bytes)).write(to: URL(fileURLWithPath: self(name)))
        return self(name)
    }
}

func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

/// A file in the package's `Fixtures` folder.
func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Fixtures/" + name)
        .standardized.path
}

/// Feeds bytes to a reader through a named pipe, as a shell would.
func pipe(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> String {
    let path = folder("pipe")
    guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    Thread.detachNewThread {
        FileHandle(forWritingAtPath: path)?.feed(Data(bytes))
    }
    return path
}
