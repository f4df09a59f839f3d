import FrameCore
import Foundation
import TestSupport
import Testing

/// A small moving clip.
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

/// The lines of `--json`, each checked to be an object with a type.
func events(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["type"] is String)
        return object
    }
}
