internal import Foundation
internal import FrameCore

/// A checkpoint in a file, with the job that it belongs to.
struct StoredSourceCheckpoint: Codable {
    /// The format version that is written and read.
    static let version = 2
    /// The suffix of the files.
    static let suffix = ".start"

    var version = Self.version
    /// Identifies the input and the settings.
    var job: String
    var checkpoint: SourceCheckpoint
    /// A hash of the checkpoint's JSON.
    var checksum: String

    init(_ checkpoint: SourceCheckpoint, job: String) throws {
        self.job = job
        self.checkpoint = checkpoint
        checksum = try Self.checksum(of: checkpoint)
    }

    private static func checksum(of checkpoint: SourceCheckpoint) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return stableHash(of: String(decoding: try encoder.encode(checkpoint), as: UTF8.self))
    }

    static func name(of resetPoint: Int) -> String { resetPoint.zeroPadded(to: 6) + suffix }

    /// Reads the checkpoints of a job from a folder, the latest first; those of other jobs and damaged ones are left
    /// out.
    static func read(from folder: String, job: String) -> [SourceCheckpoint] {
        let names = (LocalFile.names(in: folder) ?? []).filter { $0.hasSuffix(suffix) }
        return names.compactMap { name -> SourceCheckpoint? in
            guard let bytes = LocalFile.read(folder + "/" + name, atMost: SourceCheckpoint.maximumBytes),
                let stored = try? JSONDecoder().decode(Self.self, from: Data(bytes)), stored.version == version,
                stored.job == job, stored.checkpoint.isPlausible,
                (try? checksum(of: stored.checkpoint)) == stored.checksum
            else { return nil }
            return stored.checkpoint
        }
        .sorted { $0.frame > $1.frame }
    }
}
