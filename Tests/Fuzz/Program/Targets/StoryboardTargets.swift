import FrameCore
import Glibc
import Storyboards

extension FuzzTarget {
    /// WebVTT thumbnail tracks.
    static let webVTT = FuzzTarget("webvtt") { bytes in
        let cues = try ThumbnailCue.parse(webVTT: String(decoding: bytes, as: UTF8.self))
        require(!cues.isEmpty, "a track without cues was accepted")
        require(cues.allSatisfy { $0.start < $0.end }, "a cue ends before it begins")
        require(zip(cues, cues.dropFirst()).allSatisfy { $0.start <= $1.start }, "the cues are not in order")
        try Track.look(bytes, at: cues.map(\.start) + cues.map(\.end))
    }

    /// Grid descriptions of thumbnail tracks.
    static let grid = FuzzTarget("grid") { bytes in
        let grid = try ThumbnailGrid(json: bytes)
        let far = Int64(grid.columns * grid.rows) * grid.durationMilliseconds
        try Track.look(
            bytes,
            at: [0, -1, 1, far - 1, far, .max, .min].map { MediaTime(value: $0, timescale: 1000) })
    }

    /// Roku's thumbnail files.
    static let baseIndexFrames = FuzzTarget("bif") { bytes in
        let index = try BaseIndexFrames.Index(bytes)
        for entry in index.entries {
            require(
                entry.offset >= 0 && entry.count >= 0 && entry.offset + entry.count <= bytes.count,
                "an image is outside the file")
        }
        try Track.look(bytes, at: index.entries.map { MediaTime(value: $0.milliseconds, timescale: 1000) })
    }

    /// References in tracks: none may lead outside the track's folder.
    static let trackAddress = FuzzTarget("track-address", longestInput: 512) { bytes in
        let reference = String(decoding: bytes, as: UTF8.self)
        let local = try? TrackAddress.resolve(reference, in: Track.folder + "/track.vtt")
        if let local, !TrackAddress.isRemote(local) {
            require(local.utf8.starts(with: (Track.folder + "/").utf8), "'\(reference)' leads to '\(local)'")
            require(
                !local.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) },
                "'\(reference)' climbs to '\(local)'")
        }
        if let remote = try? TrackAddress.resolve(reference, in: "https://example.org/board/track.vtt?a=b") {
            require(TrackAddress.isRemote(remote), "'\(reference)' of a remote track leads to '\(remote)'")
        }
    }
}

/// A track made from an input, without files.
private struct Track: ByteSource, StillDecoder {
    static let folder = "/tmp"

    let content: [UInt8]

    /// Requests the thumbnails at some times.
    static func look(_ content: [UInt8], at times: [MediaTime]) throws {
        let source = Track(content: content)
        let track = try StoryboardTrack(folder + "/track.vtt", bytes: source, decoder: source)
        for time in times.prefix(16) {
            // An error for one time does not affect the others.
            do { _ = try track.thumbnailNow(at: time) } catch is FrameError {}
        }
        _ = track.names.count
    }

    func bytes(at address: String, limit: Int) throws(FrameError) -> [UInt8] {
        guard address.hasSuffix("/track.vtt") else { return [1] }
        guard content.count <= limit else { throw FrameError(.input, "too long") }
        return content
    }

    /// Returns a small picture, regardless of the bytes.
    func decode(_ bytes: [UInt8]) throws(FrameError) -> StillPicture {
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: 8)
        var buffer = try PixelBuffer(format: format, width: 64, height: 48)
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in
            for plane in 0..<format.planeCount {
                let target = planes[plane]
                for row in 0..<target.height { memset(target.row(row), 128, target.width) }
            }
        }
        return StillPicture(frame: Frame(buffer: buffer, presentationTime: .zero))
    }
}
