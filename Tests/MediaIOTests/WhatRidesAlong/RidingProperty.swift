import FrameCore
import MediaIO

/// What can be seen of a file.
struct FileEvidence {
    let info: MediaInfo
    let stream: VideoStreamDescription
    let frames: [Frame]
    /// The artist that images name.
    let artist: String?

    init(_ path: String) throws {
        let reading = try read(path)
        info = reading.reader.info
        stream = reading.reader.stream
        frames = reading.frames
        let exif = reading.reader.imageMetadata.exif ?? []
        artist = exif.indices.contains { exif[$0...].starts(with: Array("Ann".utf8)) } ? "Ann" : nil
    }

    var video: VideoStreamInfo? { info.videoStream.flatMap { info.streams[$0].video } }
    var videoStream: MediaStreamInfo? { info.videoStream.map { info.streams[$0] } }
    func streams(_ kind: MediaStreamInfo.Kind) -> [MediaStreamInfo] { info.streams.filter { $0.kind == kind } }

    /// The bytes of one kind of side data of all frames, without what encoders say about their settings.
    func bytes(_ code: Int32) -> [[UInt8]] {
        frames.map { frame in
            frame.sideData.entries.filter { $0.code == code && (code != 20 || $0.bytes.count < 40) }.flatMap(\.bytes)
        }.filter { !$0.isEmpty }
    }

    /// The ICC profile of the first frame.
    var profile: [UInt8] {
        frames.first?.sideData.entries.first { $0.kind.contains("ICC") }?.bytes ?? []
    }

    /// Tags of the file by names in lower case.
    var tags: [String: String] { info.metadata.reduce(into: [:]) { $0[$1.key.lowercased()] = $1.value } }
    var timeCode: String? {
        [videoStream?.metadata ?? [:], info.metadata].lazy.flatMap(\.self).first { $0.key.lowercased() == "timecode" }?
            .value
    }
}

/// A row of the table: a property of a source, and how to find it in an output.
struct RidingProperty: Sendable {
    /// Which source has the property.
    enum Source: String, CaseIterable {
        case streams, pictures, turned, fullRange, dolbyVision, dolbyVisionOnly, late, photo, animation
    }

    let name: String
    let source: Source
    /// Words of which one is in any note that the property is lost or converted.
    let words: [String]
    /// Whether the output has it as the source has it.
    let isKept: @Sendable (_ source: FileEvidence, _ output: FileEvidence) -> Bool

    static let all: [RidingProperty] = [
        .init(name: "colour tags", source: .streams, words: ["color", "converted to rgb"]) {
            $0.stream.color.matrix == $1.stream.color.matrix && $0.stream.color.primaries == $1.stream.color.primaries
                && $0.stream.color.transfer == $1.stream.color.transfer
        },
        .init(name: "full range", source: .fullRange, words: ["range"]) {
            $0.stream.color.range == .full && $1.stream.color.range == .full
        },
        .init(name: "pixel aspect ratio", source: .streams, words: ["aspect"]) {
            // WebM stores the size at which frames are shown, in whole pixels.
            guard let a = $0.stream.sampleAspectRatio, let b = $1.stream.sampleAspectRatio else { return false }
            return abs(a.doubleValue - b.doubleValue) < 0.01
        },
        .init(name: "rotation", source: .turned, words: ["rotation"]) {
            $0.video?.orientation == $1.video?.orientation
        },
        .init(name: "mastering display", source: .pictures, words: ["Mastering"]) {
            guard let a = $0.video?.dynamicRange.masteringDisplay, let b = $1.video?.dynamicRange.masteringDisplay
            else {
                return false
            }
            return abs(a.red.x - b.red.x) < 1e-4 && a.maximumLuminance == b.maximumLuminance
        },
        .init(name: "content light level", source: .pictures, words: ["Content light"]) {
            $0.video?.dynamicRange.contentLight == $1.video?.dynamicRange.contentLight
        },
        .init(name: "HDR10+", source: .pictures, words: ["HDR10+"]) {
            !$0.bytes(17).isEmpty && $0.bytes(17) == $1.bytes(17)
        },
        .init(name: "Dolby Vision with a base layer", source: .dolbyVision, words: ["Dolby Vision"]) { _, output in
            output.video?.dynamicRange.dolbyVision != nil
        },
        .init(name: "Dolby Vision without a base layer", source: .dolbyVisionOnly, words: []) { _, _ in false },
        .init(name: "closed captions", source: .pictures, words: ["captions"]) {
            !$0.bytes(1).isEmpty && $0.bytes(1).flatMap(\.self) == $1.bytes(1).flatMap(\.self)
        },
        .init(name: "user data of frames", source: .pictures, words: ["user data"]) { source, output in
            !source.bytes(20).isEmpty && source.bytes(20) == output.bytes(20)
        },
        .init(name: "360° projection", source: .pictures, words: ["Spherical", "360°"]) {
            $0.video?.spherical == $1.video?.spherical
        },
        .init(name: "stereoscopic views", source: .pictures, words: ["Stereo", "stereoscopic"]) {
            $0.video?.stereo == $1.video?.stereo
        },
        .init(name: "time code", source: .turned, words: ["timecode", "time code"]) { $0.timeCode == $1.timeCode },
        .init(name: "audio", source: .streams, words: ["audio", "other streams"]) {
            $0.streams(.audio).map(\.codec) == $1.streams(.audio).map(\.codec)
        },
        .init(name: "subtitles", source: .streams, words: ["subtitle", "other streams"]) {
            $0.streams(.subtitle).map(\.codec) == $1.streams(.subtitle).map(\.codec)
        },
        .init(name: "languages", source: .streams, words: ["language", "(audio", "other streams"]) {
            $0.streams(.audio).map(\.language) == $1.streams(.audio).map(\.language)
        },
        .init(name: "titles of streams", source: .streams, words: ["title", "(audio", "other streams"]) {
            source, output in
            source.streams(.audio).map(\.title)
                == output.streams(.audio).map { $0.title ?? $0.metadata["handler_name"] }
        },
        .init(name: "dispositions", source: .streams, words: ["disposition", "(audio", "other streams"]) {
            $0.streams(.audio).map { $0.dispositions.filter { $0 != "default" } }
                == $1.streams(.audio).map { $0.dispositions.filter { $0 != "default" } }
        },
        .init(name: "chapters", source: .streams, words: ["chapter"]) {
            $0.info.chapters.map(\.title) == $1.info.chapters.map(\.title)
        },
        .init(name: "cover art", source: .streams, words: ["cover art", "other streams"]) {
            $0.streams(.coverArt).count == $1.streams(.coverArt).count
        },
        .init(name: "attachments", source: .streams, words: ["attachment", "other streams"]) {
            $0.streams(.attachment).count == $1.streams(.attachment).count
        },
        .init(name: "data streams", source: .late, words: ["(data", "other streams"]) {
            $0.streams(.data).count == $1.streams(.data).count
        },
        .init(name: "usual tags of the file", source: .streams, words: ["these tags"]) {
            $0.tags["title"] == $1.tags["title"]
        },
        .init(name: "other tags of the file", source: .streams, words: ["DIRECTOR"]) {
            $0.tags["director"] == $1.tags["director"]
        },
        .init(name: "start time, with `--keep-start`", source: .late, words: ["start"]) {
            guard let a = $0.info.startTime, let b = $1.info.startTime else { return false }
            return abs(a.seconds - b.seconds) < 0.05
        },
        .init(name: "ICC profile of images", source: .photo, words: ["ICC profile"]) {
            !$0.profile.isEmpty && $0.profile == $1.profile
        },
        .init(name: "EXIF of images", source: .photo, words: ["EXIF"]) {
            $0.artist == "Ann" && $1.artist == "Ann"
        },
        .init(name: "number of plays of an animation", source: .animation, words: ["is played"]) {
            $0.info.plays == 3 && $1.info.plays == 3
        },
    ]
}
