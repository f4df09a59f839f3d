internal import Foundation
internal import FrameCore
internal import Glibc

/// The files of a checkpoint's folder.
enum CheckpointFiles {
    static func name(of index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".seg"
    }

    /// What an earlier run has noted; nil when there is no manifest.
    static func manifest(in path: String) throws(FrameError) -> CheckpointManifest? {
        let place = path + "/manifest.json"
        guard access(place, F_OK) == 0 else { return nil }
        guard let bytes = DurableFile.read(place, atMost: CheckpointManifest.maximumBytes) else {
            throw FrameError(.output, "the manifest cannot be read; --overwrite starts over", at: .init(file: place))
        }
        do throws(FrameError) {
            return try CheckpointManifest(json: bytes)
        } catch {
            throw FrameError(
                .output, "\(error.message); --overwrite starts over", at: .init(file: place), cause: error.cause)
        }
    }

    /// Those whose files are as they were written, up to the first that is not.
    static func intact(
        _ segments: [FinishedSegment], in path: String
    ) throws(FrameError) -> [FinishedSegment] {
        var found: [FinishedSegment] = []
        for segment in segments {
            let sum = try DurableFile.checksum(of: path + "/" + name(of: segment.index), size: segment.bytes)
            guard sum == segment.checksum else { break }
            found.append(segment)
        }
        return found
    }

    static func write(_ manifest: CheckpointManifest, to path: String) throws(FrameError) {
        let json: [UInt8]
        do {
            json = try manifest.json
        } catch {
            throw FrameError(.output, "the manifest cannot be written", at: .init(file: path), cause: error)
        }
        try DurableFile.write(json, to: path + "/manifest.json")
    }

    /// What tells an output from others of its name; nil when it is not there.
    static func published(_ path: String) -> CheckpointManifest.Published? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return CheckpointManifest.Published(
            inode: UInt64(status.st_ino), size: Int64(status.st_size))
    }

    private static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Removes unfinished segments and those that do not count; other names are not ours to touch.
    static func removeFiles(in path: String, but kept: Set<String>?) {
        for name in names(in: path)
        where name.hasSuffix(".part") || name.hasSuffix(".seg") && kept?.contains(name) == false {
            unlink(path + "/" + name)
        }
    }

    /// Removes all finished segments.
    static func removeSegments(in path: String) {
        for name in names(in: path) where name.hasSuffix(".seg") { unlink(path + "/" + name) }
    }

    static func removeFolder(_ path: String) {
        removeFiles(in: path, but: [])
        unlink(path + "/lock")
        unlink(path + "/manifest.json")
        rmdir(path)
    }
}
