import FrameCore
import Foundation
import TestSupport
import Testing

/// Returns a small moving clip.
func clip(_ count: Int = 6, width: Int = 64, height: Int = 48, step: Int = 3) throws -> [PixelBuffer] {
    try (0..<count).map { try GeneratedPicture.waves(width: width, height: height, dx: step * $0) }
}

func vfx(
    _ arguments: String..., input: Data = Data(), environment: [String: String] = [:], in folder: TemporaryFolder? = nil
) throws -> ProgramRun {
    try ProgramRun.run("vfx", arguments, input: input, environment: environment, directory: folder?.url)
}

func vfx(
    _ arguments: [String], input: Data = Data(), environment: [String: String] = [:], in folder: TemporaryFolder? = nil
) throws -> ProgramRun {
    try ProgramRun.run("vfx", arguments, input: input, environment: environment, directory: folder?.url)
}

/// Returns the path of a file in the folder Fixtures.
func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures/\(name)")
        .standardizedFileURL.path
}

/// Parses the lines of `--json` and checks that each is an object with a type.
func events(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["type"] is String)
        return object
    }
}

/// Whether the programs that make and check clips are installed.
let hasTools = ["ffmpeg", "ffprobe"].allSatisfy { name in
    ["/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
}

/// Runs one of FFmpeg's programs until it ends and returns its output.
func tool(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(name) \(arguments)")
    return String(decoding: data, as: UTF8.self)
}

/// Copies a video with metadata that rotates it by 90 degrees for display.
func turnForDisplay(_ input: String, to output: String) throws {
    _ = try tool("ffmpeg", ["-v", "error", "-i", input, "-c", "copy", "-metadata:s:v", "rotate=90", output])
}
