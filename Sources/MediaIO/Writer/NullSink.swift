public import FrameCore

/// Takes frames and keeps none, for measuring.
///
/// `@unchecked Sendable`: the count is touched by one thread at a time, as `FrameSink` demands.
public final class NullSink: MediaSink, @unchecked Sendable {
    /// Frames taken so far.
    public private(set) var frameCount = 0
    public var encoderName: String? { nil }
    public var containerName: String { "null" }
    public var notes: [String] { [] }

    /// A sink that has taken nothing yet.
    public init() {}
    public func write(_ frame: Frame) { frameCount += 1 }
    public func finish() {}
    public func cancel() {}
}
