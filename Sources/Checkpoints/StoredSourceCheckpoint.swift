internal import Foundation
internal import FrameCore

/// A checkpoint in a file, with the job that it belongs to.
struct StoredSourceCheckpoint: Codable {
    /// The format version that is written and read.
    static let version = 1
    /// The suffix of the files.
    static let suffix = ".start"

    var version = Self.version
    /// Identifies the input and the settings.
    var job: String
    var checkpoint: SourceCheckpoint

    init(_ checkpoint: SourceCheckpoint, job: String) {
        self.job = job
        self.checkpoint = checkpoint
    }

    static func name(of resetPoint: Int) -> String { resetPoint.zeroPadded(to: 6) + suffix }

    /// Reads the checkpoints of a job from a folder, the latest first; those of other jobs and damaged ones are left
    /// out.
    static func read(from folder: String, job: String) -> [SourceCheckpoint] {
        let names = (LocalFile.names(in: folder) ?? []).filter { $0.hasSuffix(suffix) }
        return names.compactMap { name -> SourceCheckpoint? in
            guard let bytes = LocalFile.read(folder + "/" + name, atMost: SourceCheckpoint.maximumBytes),
                let stored = try? JSONDecoder().decode(Self.self, from: Data(bytes)), stored.version == version,
                stored.job == job, stored.checkpoint.frame > 0
            else { return nil }
            return stored.checkpoint
        }
        .sorted { $0.frame > $1.frame }
    }
}
