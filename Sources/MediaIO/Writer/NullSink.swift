package import FrameCore

/// Takes frames and keeps none, for measuring.
///
/// `@unchecked Sendable`: the count is touched by one thread at a time, as `FrameSink` demands.
package final class NullSink: MediaSink, @unchecked Sendable {
    /// Frames taken so far.
    package private(set) var frameCount = 0
    package var encoderName: String? { nil }
    package var containerName: String { "null" }
    package var notes: [String] { [] }

    /// A sink that has taken nothing yet.
    package init() {}
    package func write(_ frame: Frame) { frameCount += 1 }
    package func finish() {}
    package func cancel() {}
}
