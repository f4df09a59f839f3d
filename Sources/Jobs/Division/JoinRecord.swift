internal import Foundation
internal import FrameCore

/// The record that a job's output is complete, written just before the output gets its name.
package struct JoinRecord: Sendable, Hashable, Codable {
    static let fileName = "joined.json"
    private static let mostBytes = 1 << 16

    /// The identifier of the plan.
    package var plan: String
    /// Identifies the output file.
    package var output: CheckpointManifest.Published

    /// Whether the output at `path` is the complete one of a plan.
    package static func holds(_ folder: String, plan: String, output path: String) -> Bool {
        guard let bytes = LocalFile.read(folder + "/" + fileName, atMost: mostBytes),
            let record = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return false }
        return record.plan == plan && record.output == CheckpointFiles.published(path)
    }

    /// Records that the file at `path` is about to be renamed to the output's name.
    package static func write(_ folder: String, plan: String, output path: String) throws {
        guard let published = CheckpointFiles.published(path) else { return }
        try CheckpointFiles.write(
            Array(JSONEncoder().encode(Self(plan: plan, output: published))), to: folder + "/" + fileName,
            worker: SegmentResults.worker)
    }
}
