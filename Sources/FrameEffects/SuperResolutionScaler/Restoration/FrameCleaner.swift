import FrameCore

/// Cleans the frames of a compressed clip before they are enlarged. Each frame serves as the next, the current and the previous
/// frame, but is cleaned only once.
struct FrameCleaner {
    private let engine: RestorationEngine
    /// The latest frames with their results, the oldest first.
    private var latest: [(source: PixelBuffer, result: PixelBuffer)] = []
    /// The previous frame, the current and the next.
    private static let kept = 3

    /// - Throws: `FrameError` if the size is not allowed.
    init(
        format: PixelFormat, size: FrameDimensions, condition: RestorationCondition,
        network: RestorationEngine.Network, context: ExecutionContext
    ) throws(FrameError) {
        engine = try RestorationEngine(
            format: format, size: size, condition: condition, network: network, context: context)
    }

    /// Returns the cleaned frame.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    mutating func clean(_ source: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if let known = latest.last(where: { $0.source.hasSameSamples(as: source) }) { return known.result }
        let result = try engine.restore(source)
        if latest.count == Self.kept { latest.removeFirst() }
        latest.append((source, result))
        return result
    }
}
