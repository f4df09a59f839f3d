package import FrameCore
import Motion

/// Removes noise from a frame with the help of its neighbours, and keeps what the next frame can reuse.
///
/// Not `Sendable`: one caller at a time. A result depends only on the frames and the noise level of its call, not on
/// earlier calls, the thread count or the instruction set.
package final class TemporalNoiseFilterEngine {
    private let width: Int
    private let height: Int
    private let format: PixelFormat
    private let quality: QualityPrioritization
    private let threads: Int
    private let pool: PixelBufferPool
    private let estimator: MotionEstimator
    /// The pyramid level of the motion.
    private let level: Int
    /// What later frames can reuse.
    private var memory = NoiseFilterMemory()
    /// The sums of blocks, reused for each plane.
    private let sums: AggregationBuffer
    /// The standard deviation of the latest frame's luma noise, in 8-bit code values: estimated or as specified.
    package private(set) var estimatedSigma: Double = 0

    /// Returns the maximum number of reference frames used on each side of the filtered frame.
    package static func maximumReferences(_ quality: QualityPrioritization) -> Int {
        quality == .quality ? 2 * reach(quality) : reach(quality)
    }

    /// The distance between blocks, in samples.
    private static let step = 4
    /// The standard deviation below which a frame counts as free of noise, in 8-bit code values.
    private static let leastSigma: Float = 0.05

    /// Returns the number of frames on each side that one round filters together. At `quality` there are two rounds.
    private static func reach(_ quality: QualityPrioritization) -> Int { quality == .quality ? 4 : 3 }

    package init(format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, threads: Int)
        throws(FrameError)
    {
        try WorkingSize.check(width, height, of: "frames")
        self.format = format
        self.width = width
        self.height = height
        self.quality = quality
        self.threads = threads
        pool = try PixelBufferPool(format: format, width: width, height: height)
        // Luma has the most samples.
        sums = AggregationBuffer(for: BlockGrid(width: width, height: height, step: Self.step))
        // Coarse levels average out noise, and whole blocks need no finer motion.
        level = min(
            width * height > (quality == .quality ? 2560 * 1600 : 1280 * 720) ? 2 : 1,
            LumaPyramid.levelCount(width: width, height: height) - 1)
        estimator = MotionEstimator(
            effort: MotionEffort(finestLevel: level, refinements: 1, coarseRefinements: 2), threads: threads)
    }

    /// The number of pilots kept for neighbouring frames.
    package var pilotCount: Int { memory.pilots.count }

    /// - Parameters:
    ///   - previous: frames before `current` in presentation order, of which the nearest are used. Without any
    ///     reference, the frame is filtered on its own.
    ///   - next: frames after `current` in presentation order.
    ///   - noise: how much noise to remove; a level of 0 returns `current` itself.
    package func filter(
        _ current: PixelBuffer, previous: [PixelBuffer], next: [PixelBuffer], noise: NoiseLevel
    ) throws(FrameError) -> PixelBuffer {
        if let fixed = noise.fixedSigma, fixed <= 0 {
            estimatedSigma = 0
            return current
        }
        let most = Self.maximumReferences(quality)
        let before = previous.suffix(most), after = next.prefix(most)
        var pictures: [NoisyPicture] = []
        for buffer in before + [current] + after { pictures.append(try memory.picture(of: buffer, threads: threads)) }
        memory.forgetAll(but: pictures.map(\.id))
        let fixed = noise.fixedSigma.map { NoiseProfile(sigma: $0 * scale) }
        memory.keepPilots(of: fixed)
        let centre = before.count
        let profile = fixed ?? self.profile(pictures, centre)
        estimatedSigma = Double(profile.meanLuma / scale)
        guard profile.most >= Self.leastSigma * scale else { return current }
        let window = Self.window(centre, pictures.count, Self.reach(quality))
        guard quality == .quality else { return try round(pictures, centre, window, profile, pilots: nil) }
        var pilots: [Int: [PaddedPlane]] = [:]
        for index in window {
            // Use the noise level of the pilot's own frame, so that the pilot is the same for every frame that uses it.
            pilots[index] = try pilot(
                pictures, index, Self.window(index, pictures.count, Self.reach(quality)),
                fixed ?? self.profile(pictures, index))
        }
        return try round(pictures, centre, window, profile, pilots: pilots)
    }

    /// The number of code values per 8-bit code value.
    private var scale: Float { Float(1 << (format.bitDepth - 8)) }

    private static func window(_ centre: Int, _ count: Int, _ reach: Int) -> Range<Int> {
        max(0, centre - reach)..<min(count, centre + reach + 1)
    }

    // MARK: - Rounds

    /// Returns the pilot of a frame, which is kept for its neighbours.
    private func pilot(
        _ pictures: [NoisyPicture], _ index: Int, _ window: Range<Int>, _ profile: NoiseProfile
    ) throws(FrameError) -> [PaddedPlane] {
        let key = NoiseFilterMemory.PilotKey(
            place: .init(centre: index - window.lowerBound, window: pictures[window].map(\.id)), profile: profile)
        if let pilot = memory.pilots[key] { return pilot }
        let pilot = try NoisyPicture.planes(
            of: round(pictures, index, window, profile, pilots: nil), threads: threads)
        memory.pilots[key] = pilot
        return pilot
    }

    private func round(
        _ pictures: [NoisyPicture], _ centre: Int, _ window: Range<Int>, _ profile: NoiseProfile,
        pilots: [Int: [PaddedPlane]]?
    ) throws(FrameError) -> PixelBuffer {
        var result = try pool.makeBuffer()
        let filters = (0..<format.planeCount).map { plane in
            filter(plane, pictures, centre, window, profile, pilots: pilots)
        }
        let threads = threads, sums = sums
        try result.withOverwrittenPlanes { planes in
            for (plane, filter) in filters.enumerated() {
                filter.write(to: planes[plane], sums: sums, threads: threads)
            }
        }
        return result
    }

    private func filter(
        _ plane: Int, _ pictures: [NoisyPicture], _ centre: Int, _ window: Range<Int>, _ profile: NoiseProfile,
        pilots: [Int: [PaddedPlane]]?
    ) -> CollaborativeFilter {
        let isLuma = plane == 0
        let shiftX = isLuma ? 0 : format.subsampling.horizontalShift
        let shiftY = isLuma ? 0 : format.subsampling.verticalShift
        let blocks = BlockGrid(
            width: format.planeWidth(plane, width: width), height: format.planeHeight(plane, height: height),
            step: Self.step)
        let sigma: CollaborativeFilter.Sigma
        if isLuma {
            sigma = profile.lumaSigma(blocks, pictures[centre].pyramid)
        } else {
            let chroma = profile.chroma[plane - 1]
            sigma = { _, _ in chroma }
        }
        let motion = window.map { index in
            BlockMotion(
                field: field(pictures, from: centre, to: index), level: level, blocks: blocks,
                horizontalShift: shiftX, verticalShift: shiftY)
        }
        let planes: [PaddedPlane] = window.map { pictures[$0].planes[plane] }
        var others: [PaddedPlane]?
        if let pilots { others = window.compactMap { pilots[$0]?[plane] } }
        return CollaborativeFilter(
            blocks: blocks, planes: planes, pilots: others, motion: motion, centre: centre - window.lowerBound,
            maximum: format.maximumValue, sigma: sigma)
    }

    // MARK: - Motion

    /// Returns the motion from one frame to another; nil if they are the same.
    private func field(_ pictures: [NoisyPicture], from a: Int, to b: Int) -> MotionVectorField? {
        let first = pictures[min(a, b)], second = pictures[max(a, b)]
        if first.id == second.id { return nil }
        let key = NoiseFilterMemory.Pair(earlier: first.id, later: second.id)
        let motion =
            memory.motion[key]
            ?? estimator.estimate(first.pyramid, second.pyramid, previous: nil)
        memory.motion[key] = motion
        return a < b ? motion.forward : motion.backward
    }

    // MARK: - Noise

    /// Returns the noise of a frame, estimated from it and its neighbours.
    private func profile(_ pictures: [NoisyPicture], _ centre: Int) -> NoiseProfile {
        let window = Self.window(centre, pictures.count, 3)
        let place = NoiseFilterMemory.Place(centre: centre - window.lowerBound, window: pictures[window].map(\.id))
        if let profile = memory.profiles[place] { return profile }
        let profile = measuredProfile(pictures, centre, window)
        memory.profiles[place] = profile
        return profile
    }

    /// Estimates the noise as the median over a frame's differences from its neighbours.
    private func measuredProfile(_ pictures: [NoisyPicture], _ centre: Int, _ window: Range<Int>) -> NoiseProfile {
        let current = pictures[centre]
        var luma: [[Float]] = .init(repeating: [], count: NoiseProfile.binCount), whole: [Float] = []
        var chroma: [[Float]] = [[], []]
        let others = window.filter { pictures[$0].id != current.id }
        for index in others.isEmpty ? [centre] : others {
            let field = field(pictures, from: centre, to: index)
            for plane in 0..<format.planeCount {
                var measured = NoiseEstimator.measure(
                    current.planes[plane], pictures[index].planes[plane], field, level: level,
                    horizontalShift: plane == 0 ? 0 : format.subsampling.horizontalShift,
                    verticalShift: plane == 0 ? 0 : format.subsampling.verticalShift, threads: threads)
                // In a single frame, texture looks like noise: assume that half of the standard deviation is noise.
                if others.isEmpty { measured.temporal = measured.spatial.map { $0 * 0.25 } }
                guard plane == 0 else {
                    if let sigma = NoiseEstimator.sigma(measured, scale: scale) { chroma[plane - 1].append(sigma) }
                    continue
                }
                if let sigma = NoiseEstimator.sigma(measured, scale: scale) { whole.append(sigma) }
                let width = 256 / Float(NoiseProfile.binCount) * scale
                for bin in 0..<NoiseProfile.binCount {
                    let range = Float(bin) * width..<Float(bin + 1) * width
                    if let sigma = NoiseEstimator.sigma(measured, scale: scale, brightness: range) {
                        luma[bin].append(sigma)
                    }
                }
            }
        }
        func median(_ values: [Float]) -> Float? {
            values.isEmpty ? nil : values.sorted()[values.count / 2]
        }
        let overall = median(whole) ?? 0
        // The texture of a brightness range without flat blocks must not be mistaken for noise.
        let bins = luma.map { min(max(median($0) ?? overall, overall * 0.5), overall * 1.5) }
        return NoiseProfile(luma: bins, chroma: chroma.map { median($0) ?? overall })
    }
}

extension TemporalNoiseFilterEngine: FrameProcessorEffect {
    package func process(
        _ parameters: TemporalNoiseFilterParameters, relation: PairRelation, results: CallResults
    ) throws {
        try parameters.checkNoiseLevel()
        let previous = parameters.hasDiscontinuity ? [] : parameters.previousFrames
        let picture = try filter(
            try parameters.sourceFrame.buffer, previous: previous.map { try $0.buffer },
            next: parameters.nextFrames.map { try $0.buffer }, noise: parameters.noiseLevel)
        results.complete(0, with: picture)
    }
}
