internal import Foundation
package import FrameCore

/// The record of a job whose work is kept, stored as versioned JSON.
package struct CheckpointManifest: Sendable, Hashable, Codable {
    /// The format version that is written and read.
    package static let version = 2
    /// The maximum size of a manifest in bytes.
    static let maximumBytes = 64 << 20

    /// Identifies a completed output.
    package struct Published: Sendable, Hashable, Codable {
        /// The inode of the file, which stays the same when the file is renamed.
        package var inode: UInt64
        /// The size in bytes.
        package var size: Int64
    }

    /// The format version, ``CheckpointManifest/version``.
    package var version = CheckpointManifest.version
    /// The identity of the input.
    package var input: InputIdentity
    /// Everything else that the result depends on.
    package var settings: [CheckpointSetting]
    /// A hash over all ``settings``.
    private var settingsHash: String
    /// The finished segments, in order.
    package var segments: [FinishedSegment] = []
    /// The completed output file, recorded just before it is renamed to its final name.
    package var published: Published?

    /// Creates the manifest of a job without finished segments.
    package init(input: InputIdentity, settings: [CheckpointSetting]) {
        self.input = input
        self.settings = settings
        settingsHash = stableHash(of: settings.canonical)
    }

    /// Parses the JSON form.
    ///
    /// - Throws: `FrameError` that states what is wrong.
    package init(json: some Sequence<UInt8>) throws(FrameError) {
        let data = Data(json)
        guard data.count <= Self.maximumBytes else {
            throw FrameError(
                .decode, "the manifest has \(data.count) bytes; at most \(Self.maximumBytes) are allowed")
        }
        do {
            let version = try JSONDecoder().decode(VersionOnly.self, from: data).version
            guard version == Self.version else {
                throw FrameError(
                    .decode,
                    "the manifest has version \(version); this program reads version \(Self.version)"
                )
            }
            self = try JSONDecoder().decode(CheckpointManifest.self, from: data)
        } catch let error as FrameError {
            throw error
        } catch {
            throw FrameError(.decode, "the manifest is damaged")
        }
        guard settingsHash == stableHash(of: settings.canonical) else {
            throw FrameError(.decode, "the manifest is damaged: its settings do not match their hash")
        }
        try checkSegments()
    }

    /// The JSON form, ending with a newline.
    package var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try Array(encoder.encode(self)) + [10]
        }
    }

    /// Identifies the input and the settings in files beside the manifest.
    package var jobName: String {
        stableHash(
            of: [
                settingsHash, input.address ?? "", "\(input.size ?? -1)", "\(input.modified ?? -1)",
                "\(input.samples ?? 0)",
            ].joined(separator: "\n"))
    }

    /// Checks that the segments follow one another, starting with the first.
    private func checkSegments() throws(FrameError) {
        var due: Int? = 0
        for segment in segments {
            guard segment.index == due, segment.frames > 0, segment.frames < 1 << 40, segment.bytes >= 0,
                segment.shift.timescale > 0, segment.step.timescale > 0,
                segment.next.map({ $0 > segment.index && $0 < ResetSchedule.noPoint }) ?? true
            else { throw FrameError(.decode, "the manifest is damaged: its segments do not follow one another") }
            due = segment.next
        }
    }

    /// Returns why a job described by `other` cannot continue this one's work; nil if it can.
    func obstacle(to other: CheckpointManifest) -> String? {
        other.input.difference(from: input) ?? other.settings.difference(from: settings)
    }
}

/// The part common to all versions of the manifest.
private struct VersionOnly: Decodable { var version: Int }

/// A setting that the result of a job depends on.
public struct CheckpointSetting: Sendable, Hashable, Codable {
    /// The name as the user knows it, such as `output.crf`.
    package var name: String
    /// The value as text; nil if the choice was left to the program.
    package var value: String?

    /// - Parameters:
    ///   - name: the name as the user knows it.
    ///   - value: the value as text; nil if the choice was left to the program.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

extension [CheckpointSetting] {
    /// Describes the first difference from `kept`; nil if there is none.
    package func difference(from kept: [CheckpointSetting]) -> String? {
        func words(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "not set" }
        for setting in self {
            let former = kept.first { $0.name == setting.name }
            if former?.value != setting.value {
                return "\(setting.name) is \(words(setting.value)) but was \(words(former?.value))"
            }
        }
        return kept.first { former in former.value != nil && !contains { $0.name == former.name } }
            .map { "\($0.name) was \(words($0.value))" }
    }

    /// All settings as one unambiguous text.
    var canonical: String {
        map { "\($0.name.debugDescription)=\($0.value?.debugDescription ?? "")" }.joined(separator: "\n")
    }
}
