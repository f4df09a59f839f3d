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

/// Presentation times of a stream's packets in seconds.
func packetTimes(_ path: String, _ stream: String) throws -> [Double] {
    try probe(path, stream, "packet=pts_time").compactMap { Double($0.prefix { $0 != "," }) }
}
