package import FrameCore
package import FrameEffects

/// Measures the noise of a clip in a sample of its frames, each with its neighbours.
package struct NoiseSurvey {
    /// The noise of a clip: the median over the measured frames.
    package struct Result: Sendable, Hashable {
        /// The number of measured frames.
        package var frameCount: Int
        /// The noise, in 8-bit code values.
        package var model: NoiseModel
        /// The standard deviations.
        package var noise: EstimatedNoise { EstimatedNoise(model) }
    }

    /// The number of frames that are measured together: three on either side of the measured one. Of a shorter clip, all
    /// frames are.
    private static let window = 7
    /// The number of frames from one measured frame to the next.
    private static let interval = 12

    private let context: ExecutionContext
    private var engine: TemporalNoiseFilterEngine?
    private var recent: [PixelBuffer] = []
    private var count = 0
    private var measured: [(last: Int, noise: NoiseModel)] = []

    /// - Parameter context: the threads and kernels to use.
    package init(context: ExecutionContext) { self.context = context }

    /// Adds the next frame. Interlaced frames are not measured, since their fields differ by motion.
    package mutating func append(_ frame: Frame) throws {
        count += 1
        let picture = frame.buffer
        guard !frame.isInterlaced, WorkingSize.contains(picture.width, picture.height) else {
            recent = []
            return
        }
        recent.append(picture)
        if recent.count > Self.window { recent.removeFirst() }
        guard recent.count == Self.window, measured.last.map({ count - $0.last >= Self.interval }) ?? true else {
            return
        }
        try measure()
    }

    /// Measures the frame in the middle of the recent ones.
    private mutating func measure() throws {
        guard let picture = recent.first else { return }
        let engine =
            try self.engine
            ?? TemporalNoiseFilterConfiguration(unchecked: picture, qualityPrioritization: .normal)
            .makeEffect(format: picture.format, context: context)
        self.engine = engine
        measured.append((count, try engine.estimate(recent, at: recent.count / 2)))
    }

    /// The result without the frames whose neighbours lie beyond a cut; nil if there are none.
    ///
    /// - Parameter cuts: the first frames of new scenes, counted from 0.
    package mutating func result(cuts: [Int]) throws -> Result? {
        if measured.isEmpty, recent.count > 1 { try measure() }
        let kept = measured.filter { measured in
            !cuts.contains { $0 > measured.last - Self.window && $0 < measured.last }
        }
        return NoiseModel(medianOf: kept.map(\.noise)).map { Result(frameCount: kept.count, model: $0) }
    }
}
