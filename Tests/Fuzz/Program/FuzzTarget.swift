import FrameCore
import Glibc

/// One way in for foreign bytes, tried by libFuzzer.
///
/// To add one: a file in `Targets/` with a static value, its name in ``all``, seeds in `Fixtures/Fuzz/<name>/`.
struct FuzzTarget: Sendable {
    /// As the seed corpus' folder is called.
    let name: String
    /// Longest input that is tried, in bytes.
    let longestInput: Int
    private let body: @Sendable ([UInt8]) throws -> Void

    /// - Parameter body: reads the bytes; may throw `FrameError` and nothing else.
    init(_ name: String, longestInput: Int = 4096, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.longestInput = longestInput
        self.body = body
    }

    /// Tries one input; dies where something other than `FrameError` comes out.
    func run(_ bytes: [UInt8]) {
        do {
            try body(bytes)
        } catch is FrameError {
            // Refused in words, as it should be.
        } catch {
            Self.fail("an error other than FrameError came out: \(error)")
        }
    }

    /// Dies with a message where something does not hold.
    static func require(_ holds: Bool, _ message: @autoclosure () -> String) {
        if !holds { fail(message()) }
    }

    private static func fail(_ message: String) -> Never {
        let line = Array("fuzz target: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    /// All targets, quick ones first.
    static let all: [FuzzTarget] = [
        webVTT, grid, baseIndexFrames, trackAddress, inputAddress, recipe, stepText, manifest, segment, commandLine,
        flo, opticalFlow, exif, still, media,
    ]
}
