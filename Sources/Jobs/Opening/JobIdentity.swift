internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

extension OpenConversion {
    /// Everything that the encoded frames depend on apart from the contents of the input: the job, by the keys of its JSON
    /// form, and what surrounds it.
    func settings() throws -> [CheckpointSetting] {
        try conversion.identifyingSettings() + environment
    }

    /// The identity of the input.
    func identity() throws -> InputIdentity {
        try InputIdentity(conversion.input.file, pictures: reader.pictures, remoteSize: reader.byteCount)
    }

    private var environment: [CheckpointSetting] {
        let stream = reader.stream
        return [
            CheckpointSetting("the limit of memory", context.memory.forEncoders.map { "\($0) bytes" }),
            CheckpointSetting("the length of the input", stream.duration.map { "\($0) s" }),
            CheckpointSetting(
                "the fields of the input", measurements.fields?.words),
            CheckpointSetting(
                "the pictures per frame", measurements.pictures.map { $0.perFrame?.description ?? "irregular" }),
            CheckpointSetting("the picture", "\(stream.width)x\(stream.height) \(stream.format)"),
            CheckpointSetting("the version of vfx", ProgramVersion.text),
            CheckpointSetting("the version of libav", MediaLibraries.versions),
            CheckpointSetting("the encoders' libraries", MediaLibraries.encoders),
            CheckpointSetting("the length of a segment", "\(ResetSchedule.interval) frames"),
        ]
    }
}

extension Conversion {
    /// The settings by their keys in the JSON form, such as `output.crf`. Left out are the names of files, which may be
    /// moved, extra outputs that leave the video as it is, and what only decides whether the job is refused.
    package func identifyingSettings() throws -> [CheckpointSetting] {
        var plain = self
        plain.input.file = ""
        plain.input.allowsNetwork = true
        plain.output.file = ""
        plain.output.failsOnLoss = false
        plain.extras = ConversionExtras()
        plain.extras.keepsGrain = extras.keepsGrain
        plain.effects = effects.map { $0.mappingPaths(Self.contents) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let object = try JSONSerialization.jsonObject(with: encoder.encode(plain))
        return Self.leaves(of: object, at: "").map { CheckpointSetting($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Returns what stands for a file: its contents count, not where it lies.
    private static func contents(of path: String) -> String {
        // A mask may be a long video, or a picture for each frame.
        let files = LocalFile(path)?.isRegular == true ? [path] : PictureFiles.paths(of: path)
        return FileContents.summary(of: files).map { "contents " + stableHash(of: $0) } ?? path
    }

    /// Returns a value for messages, in which a noise model of many lines would hide the key.
    private static func short(_ text: String) -> String {
        text.utf8.count > longestValue ? "contents " + stableHash(of: text) : text
    }

    private static let longestValue = 200

    private static func leaves(of value: Any, at place: String) -> [(key: String, value: String)] {
        switch value {
        case let object as [String: Any]:
            object.flatMap { leaves(of: $0.value, at: place.isEmpty ? $0.key : "\(place).\($0.key)") }
        case let list as [Any] where list.contains { $0 is [String: Any] }:
            list.enumerated().flatMap { leaves(of: $0.element, at: "\(place)[\($0.offset)]") }
        case let list as [Any]:
            [(place, short(list.map { "\($0)" }.joined(separator: " ")))]
        // Booleans are numbers, too.
        case let number as NSNumber where ["c", "B"].contains(String(cString: number.objCType)):
            [(place, number.boolValue ? "true" : "false")]
        default: [(place, short("\(value)"))]
        }
    }
}
