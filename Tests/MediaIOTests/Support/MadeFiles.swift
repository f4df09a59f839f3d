import Foundation
import Testing

/// Whether ffmpeg is installed, to make files.
let hasMaker = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// Makes a file with ffmpeg.
@discardableResult
func make(_ path: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-y"] + arguments + [path]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
    return path
}

/// Arguments of ffmpeg for a small video and a tone of the given duration in seconds.
func pictureAndTone(_ seconds: Double, rate: Int = 25) -> [String] {
    [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=\(rate):d=\(seconds)", "-f", "lavfi", "-i",
        "sine=440:r=48000:d=\(seconds)",
    ]
}

let quickVideo = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "0"]
/// H.264 with frames that are decoded in another order than they are shown.
let reorderedVideo = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-bf", "3"]

/// Makes a clip of five seconds whose codec, times or keyframes follow from its name.
func makeClip(_ name: String, in folder: TemporaryFolder) throws -> String {
    let input = pictureAndTone(5), path = folder(name)
    switch name {
    case "hevc.mp4":
        try make(
            path,
            input + ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
                + ["log-level=error:open-gop=1:keyint=25:bframes=4", "-c:a", "aac"])
    case "open.mkv":
        try make(path, input + reorderedVideo + ["-x264-params", "open-gop=1:keyint=20", "-c:a", "flac"])
    case "a.webm":
        let codec = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "30"]
        try make(path, input + codec + ["-c:a", "libopus"])
    case "a.mpg": try make(path, input + ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-c:a", "mp2"])
    case "a.avi": try make(path, input + ["-c:v", "mpeg4", "-bf", "2", "-g", "12", "-c:a", "mp2"])
    case "uneven.mp4":
        let rest = ["-vf", "select='not(eq(mod(n,7),3))'", "-vsync", "vfr", "-c:a", "aac"]
        try make(path, input + reorderedVideo + rest)
    case "edited.mp4":
        let whole = try make(folder("whole.mp4"), input + reorderedVideo + ["-c:a", "aac"])
        try make(path, ["-ss", "1.3", "-i", whole, "-c", "copy"])
    case "joined.ts":
        let part = try make(folder("part.ts"), input + reorderedVideo + ["-c:a", "mp2"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: part))
        try (bytes + bytes).write(to: URL(fileURLWithPath: path))
    default: try make(path, input + reorderedVideo + ["-c:a", "mp2"])
    }
    return path
}

/// Presentation times of a stream's packets in seconds.
func packetTimes(_ path: String, _ stream: String) throws -> [Double] {
    try probe(path, stream, "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
}
