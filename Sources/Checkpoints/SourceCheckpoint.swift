package import Foundation
public import FrameCore

/// What a run must know about the source before a reset point in order to begin shortly before it, with the same result
/// as a run that has read everything before.
public struct SourceCheckpoint: Sendable, Hashable, Codable {
    /// The maximum size of a stored checkpoint in bytes.
    static let maximumBytes = 64 << 20

    /// A scene cut that was found so far.
    package struct Cut: Sendable, Hashable, Codable {
        /// The index of the first frame after the cut.
        package var frame: Int
        /// The time of that frame.
        package var time: MediaTime

        package init(frame: Int, time: MediaTime) {
            self.frame = frame
            self.time = time
        }
    }

    /// The index of the frame with which reading begins.
    public package(set) var frame: Int
    /// The presentation time of that frame.
    package var time: MediaTime
    /// The presentation time of the clip's first frame.
    package var firstTime: MediaTime
    /// The place of the frame in the input.
    public package(set) var position: SourcePosition
    /// The checksums of the samples of the frames from there to the reset point.
    package var checksums: [UInt32]
    /// The cuts found so far.
    package var cuts: [Cut]
    /// The number of frames so far that repeat the one before.
    package var duplicates: Int
    /// The state of the search for cuts.
    package var search: Data

    package init(
        frame: Int, time: MediaTime, firstTime: MediaTime, position: SourcePosition, cuts: [Cut], duplicates: Int,
        search: [UInt8]
    ) {
        self.frame = frame
        self.time = time
        self.firstTime = firstTime
        self.position = position
        checksums = []
        self.cuts = cuts
        self.duplicates = duplicates
        self.search = Data(search)
    }

    /// The number of the first reset point after ``frame``.
    package var resetPoint: Int { max(0, frame) / ResetSchedule.interval + 1 }
}

/// Keeps the checkpoints of a source while it is being read.
public protocol SourceCheckpointStore: AnyObject, Sendable {
    /// Keeps a checkpoint. One that cannot be kept is left out: a later run then reads more of the source.
    func keep(_ checkpoint: SourceCheckpoint)
}

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
