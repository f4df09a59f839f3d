import FrameCore

/// Cleans the frames of a compressed clip before they are enlarged. Each frame serves as the next, the current and the previous
/// frame, but is cleaned only once.
struct FrameCleaner {
    private let engine: RestorationEngine
    /// The latest frames with their results, the oldest first.
    private var latest: [(source: PixelBuffer, result: PixelBuffer)] = []
    /// The number of frames that are kept.
    private let kept: Int

    /// - Parameters:
    ///   - format: pixel format of the frames.
    ///   - size: their size.
    ///   - condition: how they were compressed.
    ///   - network: what cleans them.
    ///   - hasNeighbours: whether the frames on either side are cleaned along with each frame.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` if the size is not allowed.
    init(
        format: PixelFormat, size: FrameDimensions, condition: RestorationCondition,
        network: RestorationEngine.Network, hasNeighbours: Bool, context: ExecutionContext
    ) throws(FrameError) {
        kept = hasNeighbours ? 3 : 0
        engine = try RestorationEngine(
            format: format, size: size, condition: condition, network: network, context: context)
    }

    /// Returns the cleaned frame.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    mutating func clean(_ source: PixelBuffer) throws(FrameError) -> PixelBuffer {
        if let known = latest.last(where: { $0.source.hasSameSamples(as: source) }) { return known.result }
        let result = try engine.restore(source)
        latest.append((source, result))
        if latest.count > kept { latest.removeFirst() }
        return result
    }
}
