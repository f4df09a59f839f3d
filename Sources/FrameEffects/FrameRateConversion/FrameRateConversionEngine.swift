package import FrameCore

/// Makes the frames between two neighbours; keeps what the next pair can reuse.
///
/// Not `Sendable`: one caller at a time. The same inputs give the same bits for every thread count.
package final class FrameRateConversionEngine {
    package struct Outcome: Sendable {
        /// One picture per phase, in the order asked for.
        package var pictures: [PixelBuffer]
        package var fallbacks: FallbackCounts
    }

    private let pool: PixelBufferPool

    package init(format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int) throws(FrameError) {
        pool = try PixelBufferPool(format: format, width: width, height: height)
    }

    /// - Parameters:
    ///   - phases: 0…1 from `source` to `next`, in any order; 0 and 1 give the samples of the neighbour itself.
    ///   - continues: whether `source` was `next` of the previous call and no cut lies between, so that motion found
    ///     there may serve as a predictor.
    package func interpolate(
        from source: PixelBuffer, to next: PixelBuffer, phases: [Float], continues: Bool
    ) throws(FrameError) -> Outcome {
        Outcome(pictures: phases.map { $0 < 0.5 ? source : next }, fallbacks: FallbackCounts())
    }
}
