package import FrameCore
import Imaging
import Kernels
import Motion

/// Removes noise from a frame with the help of its neighbours, and keeps what the next frame can reuse.
///
/// Not `Sendable`: one caller at a time. A result depends only on the frames and the noise level of its call, not on
/// earlier calls, the thread count or the instruction set.
package final class TemporalNoiseFilterEngine {
    private let width: Int
    private let height: Int
    /// What is filtered: YCbCr, in which noise is removed better than in RGB, and alpha.
    private let format: PixelFormat
    /// Converts RGB frames to it; nil for YCbCr.
    private let converter: RGBConverter?
    private let quality: QualityPrioritization
    private let deblocking: Deblocking
    private let context: ExecutionContext
    private let pool: PixelBufferPool
    /// Buffers in the format of the frames.
    private let results: PixelBufferPool
    private let estimator: MotionEstimator
    /// The pyramid level of the motion.
    private let level: Int
    /// What later frames can reuse.
    private var memory = NoiseFilterMemory()
    /// The sums of blocks, reused for each plane.
    private let sums: AggregationBuffer
    /// The latest frame's noise in code values of the frames' depth: estimated or as specified.
    private var found = NoiseModel(planes: [])
    /// The clearest trace of quantization that the latest call knew.
    package private(set) var trace = QuantizationTrace()
    /// The standard deviation of the quantization error that the latest call removed from luma, in 8-bit code values.
    package private(set) var deblockedSigma = 0.0

    /// Returns the maximum number of reference frames used on each side of the filtered frame.
    package static func maximumReferences(_ quality: QualityPrioritization) -> Int {
        quality == .quality ? 2 * reach(quality) : reach(quality)
    }

    /// The distance between blocks, in samples.
    private static let step = 4
    /// The distance between blocks of a pilot: wider in luma, for the second round averages once more. Chroma, with few
    /// samples in strong noise, would lose by it.
    private static let pilotStep = (luma: 5, chroma: step)
    /// The standard deviation below which a frame counts as free of noise, in 8-bit code values.
    private static let leastSigma: Float = 0.05
    /// How many times the measured standard deviation is removed: `white` of white noise, and more the more of the high
    /// frequencies is missing, because encoders turn noise into few, large coefficients, for which the thresholds of
    /// Gaussian noise are too low. Chroma has little texture to lose. At `quality`, the factor of the plane is multiplied
    /// by another, in both rounds. Chosen by hand on synthetic noise, coded and not, November 2026.
    private struct Emphasis {
        var white: Float
        var smooth: Float

        static let luma = Emphasis(white: 0.97, smooth: 1.07)
        static let chroma = Emphasis(white: 1.12, smooth: 1.4)
        static let qualityLuma = Emphasis(white: 1.02, smooth: 1.18)
        static let qualityChroma = Emphasis(white: 0.97, smooth: 1.12)
        /// Noise that has lost this part of its high frequencies is smooth.
        private static let smoothness: Float = 0.6

        func factor(_ noise: PlaneNoise) -> Float {
            white + (smooth - white) * min(max(noise.smoothness / Self.smoothness, 0), 1)
        }
    }

    private enum Round { case only, pilot, second }

    /// Returns the threshold of a round. What a pilot keeps, the second round takes for signal, so a pilot of luma keeps
    /// less, above all of smooth noise, whose few coefficients are large. Chroma would lose by it where noise is white.
    /// Chosen by hand on synthetic noise, coded and not, November 2026.
    private static func threshold(isLuma: Bool, _ round: Round, _ noise: PlaneNoise) -> Float {
        guard isLuma, round == .pilot else { return CollaborativeFilter.usualThreshold }
        return 3.5 + 0.6 * min(max(noise.smoothness / 0.6, 0), 1)
    }

    /// Returns the factor on the variance of what is constant over the frames. What repeats along the motion is texture
    /// more often than noise, and noise left there has the variance divided by the number of frames, so lower thresholds
    /// lose little and keep faint texture. Chosen by hand on synthetic noise, coded and not, November 2026.
    private static func constantScale(isLuma: Bool, _ round: Round, frames: Int) -> Float {
        let scale: Float =
            switch round {
            case .only: isLuma ? 0.6 : 0.8
            case .pilot: isLuma ? 0.7 : 1
            case .second: isLuma ? 0.3 : 0.7
            }
        // A single frame is constant by definition.
        let full = 2 * reach(.normal) + 1
        return 1 - (1 - scale) * Float(min(frames, full) - 1) / Float(full - 1)
    }

    /// The largest change of contrast between frames that is undone before they are matched, as by a flash.
    private static let largestGain: Float = 4
    /// The number of frames on each side from which the noise is estimated.
    private static let estimationReach = 3

    /// Returns the number of frames on each side that one round filters together. At `quality` there are two rounds.
    private static func reach(_ quality: QualityPrioritization) -> Int { quality == .quality ? 4 : 3 }

    /// - Parameters:
    ///   - deblocking: whether calls of a session remove quantization error, too.
    ///   - context: the threads and kernels to use.
    package init(
        format: PixelFormat, width: Int, height: Int, quality: QualityPrioritization, deblocking: Deblocking = .off,
        context: ExecutionContext
    ) throws(FrameError) {
        try WorkingSize.check(width, height, of: "frames")
        converter = format.isRGB ? try RGBConverter(format.withoutAlpha, context: context) : nil
        let filtered = converter?.yCbCr ?? format.withoutAlpha
        self.format = format.hasAlpha ? filtered.withAlpha : filtered
        self.width = width
        self.height = height
        self.quality = quality
        self.deblocking = deblocking
        self.context = context
        pool = try PixelBufferPool(format: self.format, width: width, height: height)
        results = try PixelBufferPool(format: format, width: width, height: height)
        // Luma has the most samples.
        sums = AggregationBuffer(
            for: [Self.step, Self.pilotStep.luma].map { BlockGrid(width: width, height: height, step: $0) })
        // Coarse levels average out noise, and whole blocks need no finer motion.
        level = min(
            width * height > (quality == .quality ? 2560 * 1600 : 1280 * 720) ? 2 : 1,
            LumaPyramid.levelCount(width: width, height: height) - 1)
        estimator = MotionEstimator(
            effort: MotionEffort(finestLevel: level, refinements: 1, coarseRefinements: 2), context: context)
    }

    /// The number of pilots kept for neighbouring frames.
    package var pilotCount: Int { memory.pilots.count }

    /// - Parameters:
    ///   - previous: frames before `current` in presentation order, of which the nearest are used. Without any
    ///     reference, the frame is filtered on its own.
    ///   - next: frames after `current` in presentation order.
    ///   - noise: how much noise to remove; a strength of 0 returns `current` itself.
    ///   - deblocking: whether quantization error is removed, too.
    ///   - known: the clearest trace of quantization in earlier frames of the scene.
    package func filter(
        _ current: PixelBuffer, previous: [PixelBuffer], next: [PixelBuffer], noise: NoiseLevel,
        deblocking: Deblocking = .off, known: QuantizationTrace = QuantizationTrace()
    ) throws(FrameError) -> PixelBuffer {
        trace = known
        deblockedSigma = 0
        if noise.amount <= 0 || (noise.isNothing && deblocking == .off) {
            found = NoiseModel(planes: [])
            return current
        }
        let most = Self.maximumReferences(quality)
        let before = previous.suffix(most), after = next.prefix(most)
        var pictures: [NoisyPicture] = []
        for buffer in before + [current] + after { pictures.append(try picture(of: buffer)) }
        memory.forgetAll(but: pictures.map(\.id))
        let fixed = noise.fixedSigma.map { sigma in
            withoutNoiseInAlpha(.init(repeating: PlaneNoise(sigma: sigma * scale), count: format.colorPlaneCount))
        }
        let model = try noise.model.map { model throws(FrameError) in try given(model) }
        memory.keepPilots(of: fixed ?? model)
        let centre = before.count
        if let known = fixed ?? model { found = known } else { found = try self.noise(pictures, centre) }
        if deblocking == .automatic { measureQuantization(pictures) }
        guard max(found.most, Float(deblockedSigma) * scale) >= Self.leastSigma * scale else { return current }
        let window = Self.window(centre, pictures.count, Self.reach(quality))
        func removed(_ index: Int) throws(FrameError) -> NoiseModel {
            var noise: NoiseModel
            if let fixed {
                noise = fixed
            } else {
                if let model { noise = model } else { noise = try self.noise(pictures, index) }
                noise = emphasised(noise)
            }
            return deblocking == .off ? noise : withQuantizationError(noise)
        }
        var filtered: PixelBuffer
        if quality == .quality {
            var pilots: [Int: [PaddedPlane]] = [:]
            for index in window {
                // Use the noise of the pilot's own frame, so that the pilot is the same for every frame that uses it.
                pilots[index] = try pilot(
                    pictures, index, Self.window(index, pictures.count, Self.reach(quality)), removed(index))
            }
            filtered = try round(pictures, centre, window, try removed(centre), pilots: pilots)
        } else {
            filtered = try round(pictures, centre, window, try removed(centre), pilots: nil)
        }
        let source = pictures[centre]
        filtered =
            try converter?.keepingAlpha(
                toRGB: filtered, keeping: source.premultiplied, whereUnchangedFrom: source.filterable) ?? filtered
        if !current.isOpaque || !filtered.isOpaque {
            filtered = try filtered.straightened(
                keeping: current, whereUnchangedFrom: source.premultiplied, context: context)
        }
        return noise.amount >= 1 ? filtered : try mixed(current, filtered, amount: noise.amount)
    }

    /// Returns noise that was measured beforehand, in code values of the frames' depth.
    private func given(_ model: NoiseModel) throws(FrameError) -> NoiseModel {
        try model.check(format)
        return withoutNoiseInAlpha(Array(model.planes.prefix(format.colorPlaneCount))).scaled(by: scale)
    }

    private func withoutNoiseInAlpha(_ colors: [PlaneNoise]) -> NoiseModel {
        NoiseModel(planes: colors + (format.hasAlpha ? [PlaneNoise(sigma: 0)] : []))
    }

    /// Whether a plane has the detail of luma: alpha has it, too.
    private func isLuma(_ plane: Int) -> Bool { plane == 0 || plane == format.alphaPlane }

    private func picture(of buffer: PixelBuffer) throws(FrameError) -> NoisyPicture {
        try memory.picture(of: buffer, converter: converter, context: context)
    }

    /// Returns the noise of one of these frames, estimated from it and its neighbours, in 8-bit code values.
    package func estimate(_ frames: [PixelBuffer], at index: Int) throws(FrameError) -> NoiseModel {
        var pictures: [NoisyPicture] = []
        for buffer in frames { pictures.append(try picture(of: buffer)) }
        memory.forgetAll(but: pictures.map(\.id))
        return try noise(pictures, index).scaled(by: 1 / scale)
    }

    /// The standard deviation of the latest frame's luma noise, in 8-bit code values: estimated or as specified.
    package var estimatedSigma: Double { Double((found.planes.first?.overall ?? 0) / scale) }

    /// The latest frame's noise, estimated or as specified.
    package var estimatedNoise: EstimatedNoise { EstimatedNoise(found, scale: scale) }

    /// Finds the clearest trace of quantization in these pictures and the ones before.
    private func measureQuantization(_ pictures: [NoisyPicture]) {
        for picture in pictures where trace.evidence < QuantizationTrace.enough {
            let found =
                memory.traces[picture.id]
                ?? QuantizationEstimator.trace(picture.planes[0], scale: scale, context: context)
            memory.traces[picture.id] = found
            trace = trace.joined(found)
        }
        deblockedSigma = Double(trace.deviation(isLuma: true, quality))
    }

    /// Returns noise that is at least as strong as the quantization error in each coefficient.
    private func withQuantizationError(_ noise: NoiseModel) -> NoiseModel {
        NoiseModel(
            planes: noise.planes.enumerated().map { plane, noise in
                plane == format.alphaPlane
                    ? noise : noise.with(atLeast: trace.deviation(isLuma: isLuma(plane), quality) * scale)
            })
    }

    private func emphasised(_ noise: NoiseModel) -> NoiseModel {
        NoiseModel(
            planes: noise.planes.enumerated().map { plane, noise in
                let factor = (isLuma(plane) ? Emphasis.luma : .chroma).factor(noise)
                guard quality == .quality else { return noise.scaled(by: factor) }
                let more = (isLuma(plane) ? Emphasis.qualityLuma : .qualityChroma).factor(noise)
                return noise.scaled(by: factor * more)
            })
    }

    /// Returns the source frame with this part of the difference to the filtered frame.
    private func mixed(
        _ source: PixelBuffer, _ filtered: PixelBuffer, amount: Float
    ) throws(FrameError) -> PixelBuffer {
        var result = try results.makeBuffer()
        let blend = KernelPair(context.kernels.pointee.blend_row_8, context.kernels.pointee.blend_row_16)[
            bitDepth: source.format.bitDepth]
        let weights = [UInt16](repeating: UInt16((amount * 256).rounded()), count: width), context = context
        try result.withOverwrittenPlanes { planes in
            for plane in 0..<format.planeCount {
                nonisolated(unsafe) let target = planes[plane]
                source.withPlanes { a in
                    filtered.withPlanes { b in
                        nonisolated(unsafe) let a = a[plane], b = b[plane]
                        parallelFor(target.height, threads: context.threads) { y in
                            blend(target.row(y), a.row(y), b.row(y), weights, Int32(target.width))
                        }
                    }
                }
            }
        }
        return result
    }

    /// The number of code values per 8-bit code value.
    private var scale: Float { Float(1 << (format.bitDepth - 8)) }

    private static func window(_ centre: Int, _ count: Int, _ reach: Int) -> Range<Int> {
        max(0, centre - reach)..<min(count, centre + reach + 1)
    }

    // MARK: - Rounds

    /// Returns the pilot of a frame, which is kept for its neighbours.
    private func pilot(
        _ pictures: [NoisyPicture], _ index: Int, _ window: Range<Int>, _ noise: NoiseModel
    ) throws(FrameError) -> [PaddedPlane] {
        let key = NoiseFilterMemory.PilotKey(
            place: .init(centre: index - window.lowerBound, window: pictures[window].map(\.id)), noise: noise)
        if let pilot = memory.pilots[key] { return pilot }
        let pilot = try NoisyPicture.planes(
            of: round(pictures, index, window, noise, pilots: nil), context: context)
        memory.pilots[key] = pilot
        return pilot
    }

    private func round(
        _ pictures: [NoisyPicture], _ centre: Int, _ window: Range<Int>, _ noise: NoiseModel,
        pilots: [Int: [PaddedPlane]]?
    ) throws(FrameError) -> PixelBuffer {
        var result = try pool.makeBuffer()
        let format = format
        let filters = try (0..<format.planeCount).map { plane throws(FrameError) in
            // Drawn alpha has no noise.
            plane == format.alphaPlane && noise.planes[plane].isNothing
                ? nil : try filter(plane, pictures, centre, window, noise.planes[plane], pilots: pilots)
        }
        let context = context, sums = sums
        try result.withOverwrittenPlanes { planes in
            for (plane, filter) in filters.enumerated() {
                if let filter {
                    filter.write(to: planes[plane], sums: sums, context: context)
                } else {
                    pictures[centre].filterable.withPlanes { planes[plane].copy($0[plane], format) }
                }
            }
        }
        return result
    }

    private func filter(
        _ plane: Int, _ pictures: [NoisyPicture], _ centre: Int, _ window: Range<Int>, _ noise: PlaneNoise,
        pilots: [Int: [PaddedPlane]]?
    ) throws(FrameError) -> CollaborativeFilter {
        let round: Round = pilots != nil ? .second : quality == .quality ? .pilot : .only
        let pilotStep = isLuma(plane) ? Self.pilotStep.luma : Self.pilotStep.chroma
        let blocks = BlockGrid(
            width: format.planeWidth(plane, width: width), height: format.planeHeight(plane, height: height),
            step: round == .pilot ? pilotStep : Self.step)
        let sigma: CollaborativeFilter.Sigma
        if let first = noise.deviations.first, noise.deviations.allSatisfy({ $0 == first }) {
            sigma = { _, _ in first }
        } else {
            let brightness = brightness(of: blocks, plane, pictures[centre])
            let deviations = (0...UInt8.max).map { noise.deviation(at: Float($0)) }
            sigma = { deviations[Int(brightness.mean($0, $1))] }
        }
        let motion = try motion(of: blocks, plane, pictures, from: centre, to: window)
        let planes: [PaddedPlane] = window.map { pictures[$0].planes[plane] }
        var others: [PaddedPlane]?
        if let pilots { others = window.compactMap { pilots[$0]?[plane] } }
        return CollaborativeFilter(
            blocks: blocks, planes: planes, pilots: others, motion: motion, centre: centre - window.lowerBound,
            maximum: format.maximumValue, spectrum: noise.spectrum,
            threshold: Self.threshold(isLuma: isLuma(plane), round, noise),
            constantScale: Self.constantScale(isLuma: isLuma(plane), round, frames: window.count), sigma: sigma)
    }

    // MARK: - Motion

    /// Returns the motion from one frame to another, found in the same light; nil if they are the same.
    private func field(_ pictures: [NoisyPicture], from a: Int, to b: Int) throws(FrameError) -> MotionVectorField? {
        let first = pictures[min(a, b)], second = pictures[max(a, b)]
        if first.id == second.id { return nil }
        let key = NoiseFilterMemory.Pair(earlier: first.id, later: second.id)
        let motion: MotionPair
        if let known = memory.motion[key] {
            motion = known
        } else {
            let change = BrightnessChange(
                from: first.pyramid, to: second.pyramid, largestGain: Self.largestGain)
            let target = try change?.undone(in: second.pyramid, context: context) ?? second.pyramid
            motion = estimator.estimate(first.pyramid, target, previous: nil)
            memory.motion[key] = motion
        }
        return a < b ? motion.forward : motion.backward
    }

    /// Returns the motion of a plane's blocks to each frame of a window.
    private func motion(
        of blocks: BlockGrid, _ plane: Int, _ pictures: [NoisyPicture], from centre: Int, to window: Range<Int>
    ) throws(FrameError) -> [BlockMotion] {
        let shift = format.shift(plane)
        return try window.map { index throws(FrameError) in
            BlockMotion(
                field: try field(pictures, from: centre, to: index), level: level, blocks: blocks,
                horizontalShift: shift.x, verticalShift: shift.y)
        }
    }

    private func brightness(of blocks: BlockGrid, _ plane: Int, _ picture: NoisyPicture) -> BlockBrightness {
        let shift = format.shift(plane)
        return BlockBrightness(blocks, picture.pyramid, horizontalShift: shift.x, verticalShift: shift.y)
    }

    // MARK: - Noise

    /// Returns the noise of a frame, estimated from it and its neighbours.
    private func noise(_ pictures: [NoisyPicture], _ centre: Int) throws(FrameError) -> NoiseModel {
        let window = Self.window(centre, pictures.count, Self.estimationReach)
        let place = NoiseFilterMemory.Place(centre: centre - window.lowerBound, window: pictures[window].map(\.id))
        if let noise = memory.noise[place] { return noise }
        let noise = NoiseModel(
            planes: try (0..<format.planeCount).map { plane throws(FrameError) in
                let blocks = NoiseEstimator.grid(
                    width: format.planeWidth(plane, width: width), height: format.planeHeight(plane, height: height),
                    isLuma: isLuma(plane))
                return NoiseEstimator(
                    blocks, isLuma: isLuma(plane), planes: window.map { pictures[$0].planes[plane] },
                    motion: try motion(of: blocks, plane, pictures, from: centre, to: window),
                    brightness: brightness(of: blocks, plane, pictures[centre]), scale: scale, context: context
                ).noise()
            })
        memory.noise[place] = noise
        return noise
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
            next: parameters.nextFrames.map { try $0.buffer }, noise: parameters.noiseLevel, deblocking: deblocking)
        results.complete(0, with: picture)
    }
}
