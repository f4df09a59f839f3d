import FrameCore
import Foundation

/// Files in a folder of their own, each complete or not there.
struct FileCache: Sendable {
    let directory: String
    private static let suffix = ".cached"

    func read(_ key: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(key)).map { Array($0) }
    }

    func store(_ bytes: [UInt8], as key: String) throws(FrameError) {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            // Written beside and renamed, so that no reader sees half a file.
            let part = path(key) + "." + UUID().uuidString
            try Data(bytes).write(to: URL(fileURLWithPath: part))
            guard rename(part, path(key)) == 0 else {
                unlink(part)
                throw CocoaError(.fileWriteUnknown)
            }
        } catch {
            throw FrameError(.output, "the cache cannot be written", at: .init(file: directory), cause: error)
        }
    }

    /// Removes what this cache wrote, and its folder if nothing else lies there.
    func removeAll() throws(FrameError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.contains(Self.suffix) {
            guard unlink("\(directory)/\(name)") == 0 || errno == ENOENT else {
                throw FrameError(.output, "the cached file cannot be removed", at: .init(file: "\(directory)/\(name)"))
            }
        }
        rmdir(directory)
    }

    private func path(_ key: String) -> String { "\(directory)/\(key)\(Self.suffix)" }
}

/// File names of things that may hold any characters.
enum StableHash {
    /// 128 bits of FNV-1a in two runs, as 32 digits: the same on every machine.
    static func name(of text: String) -> String {
        func hash(_ start: UInt64) -> UInt64 {
            text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        return [hash(0xCBF2_9CE4_8422_2325), hash(0x9E37_79B9_7F4A_7C15)].map { value in
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
