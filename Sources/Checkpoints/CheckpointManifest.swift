internal import Foundation
package import FrameCore

/// What is known of a job whose work is kept: JSON of a stated version.
package struct CheckpointManifest: Sendable, Hashable, Codable {
    /// The version that is written and read.
    package static let version = 1
    /// Bytes that a manifest may have.
    static let maximumBytes = 64 << 20

    /// An output that is complete.
    package struct Published: Sendable, Hashable, Codable {
        /// Of its file, which keeps it when it is renamed.
        package var inode: UInt64
        /// In bytes.
        package var size: Int64
    }

    /// ``version``.
    package var version = CheckpointManifest.version
    /// What is read.
    package var input: InputIdentity
    /// What the result depends on besides.
    package var settings: [CheckpointSetting]
    /// A name for all of ``settings`` together.
    private var settingsHash: String
    /// Finished segments, in order.
    package var segments: [FinishedSegment] = []
    /// The output as it was when it was about to get its name.
    package var published: Published?

    /// A job of which nothing is done.
    package init(input: InputIdentity, settings: [CheckpointSetting]) {
        self.input = input
        self.settings = settings
        settingsHash = stableHash(of: settings.canonical)
    }

    /// Reads the JSON form.
    ///
    /// - Throws: `FrameError` that names what is wrong.
    package init(json: some Sequence<UInt8>) throws(FrameError) {
        let data = Data(json)
        guard data.count <= Self.maximumBytes else {
            throw FrameError(
                .decode, "the manifest has \(data.count) bytes; \(Self.maximumBytes) are allowed")
        }
        do {
            let version = try JSONDecoder().decode(VersionOnly.self, from: data).version
            guard version == Self.version else {
                throw FrameError(
                    .decode, "the manifest is of version \(version); this program reads version \(Self.version)")
            }
            self = try JSONDecoder().decode(CheckpointManifest.self, from: data)
        } catch let error as FrameError {
            throw error
        } catch {
            throw FrameError(.decode, "the manifest is damaged")
        }
        guard settingsHash == stableHash(of: settings.canonical) else {
            throw FrameError(.decode, "the manifest is damaged: its settings are not those that it was made for")
        }
        try checkSegments()
    }

    /// The JSON form, ending with a line break.
    package var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try Array(encoder.encode(self)) + [10]
        }
    }

    /// Each segment follows the one before, from the first on.
    private func checkSegments() throws(FrameError) {
        var due: Int? = 0
        for segment in segments {
            guard segment.index == due, segment.frames > 0, segment.frames < 1 << 40, segment.bytes >= 0,
                segment.shift.timescale > 0, segment.step.timescale > 0,
                segment.next.map({ $0 > segment.index }) ?? true
            else { throw FrameError(.decode, "the manifest is damaged: its segments do not follow one another") }
            due = segment.next
        }
    }

    /// Why a job over `other` cannot go on with this one's work; nil when it can.
    func obstacle(to other: CheckpointManifest) -> String? {
        other.input.difference(from: input) ?? other.settings.difference(from: settings)
    }
}

/// What every version of the manifest says of itself.
private struct VersionOnly: Decodable { var version: Int }

/// Something that the result of a job depends on.
public struct CheckpointSetting: Sendable, Hashable, Codable {
    /// As the user knows it, such as `--crf`.
    package var name: String
    /// In words or figures; nil where it was left to the program.
    package var value: String?

    /// - Parameters:
    ///   - name: as the user knows it.
    ///   - value: nil where it was left to the program.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

extension [CheckpointSetting] {
    /// What is not the same as in `kept`, in words; nil when all is.
    func difference(from kept: [CheckpointSetting]) -> String? {
        func words(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "left out" }
        for setting in self {
            let former = kept.first { $0.name == setting.name }
            if former?.value != setting.value {
                return "\(setting.name) is \(words(setting.value)) and was \(words(former?.value))"
            }
        }
        return kept.first { former in former.value != nil && !contains { $0.name == former.name } }
            .map { "\($0.name) was \(words($0.value))" }
    }

    /// All of them in one text that no other settings have.
    var canonical: String {
        map { "\($0.name.debugDescription)=\($0.value?.debugDescription ?? "")" }.joined(separator: "\n")
    }
}
