import FrameCore
import Glibc

/// A fuzz target: an entry point for untrusted bytes, exercised by libFuzzer.
///
/// To add a target, write a file in `Targets/` with a static value, add its name to ``all``, and put seeds in
/// `Fixtures/Fuzz/<name>/`.
struct FuzzTarget: Sendable {
    /// The target's name, which is also that of its seed folder.
    let name: String
    /// The longest input to try, in bytes.
    let longestInput: Int
    private let body: @Sendable ([UInt8]) throws -> Void

    /// - Parameter body: reads the bytes; may throw only `FrameError`.
    init(_ name: String, longestInput: Int = 4096, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.longestInput = longestInput
        self.body = body
    }

    /// Tries one input; crashes if it throws anything but `FrameError`.
    func run(_ bytes: [UInt8]) {
        do {
            try body(bytes)
        } catch is FrameError {
            // The input was refused with an error, which is correct.
        } catch {
            Self.fail("an error other than FrameError was thrown: \(error)")
        }
    }

    /// Crashes with a message if a condition does not hold.
    static func require(_ holds: Bool, _ message: @autoclosure () -> String) {
        if !holds { fail(message()) }
    }

    private static func fail(_ message: String) -> Never {
        let line = Array("fuzz target: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        abort()
    }

    /// All targets, fast ones first.
    static let all: [FuzzTarget] = [
        webVTT, grid, baseIndexFrames, trackAddress, inputAddress, recipe, stepText, job, grainTable, manifest, segment,
        commandLine, flo, opticalFlow, exif, still, media,
    ]
}
