package import FrameCore

/// Collects statistics of the noise that a filter has removed from a frame, in blocks where the filtered picture is
/// flat: elsewhere, the difference contains texture, and noise is left in the picture.
package struct GrainSampler: Sendable {
    /// The side of a block in luma samples.
    private static let side = 32
    /// The distance of the blocks from the picture's edges in luma samples: covariances reach over 6 samples of any
    /// plane.
    private static let margin = (x: 12, y: 6)
    /// The largest texture relative to the noise: both are variances.
    private static let mostTexture = 0.35
    /// The same where a range of brightness has hardly any flat blocks; such blocks tell the grain's strength only.
    private static let mostTextureForStrength = 4.0
    /// The part of the blocks in a range of brightness that are used: those with the least texture, and how many at
    /// least.
    private static let usedPart = 0.4
    private static let leastUsed = 6
    /// Blocks with this many times the median variance contain something else than noise.
    private static let outlier = 2.5
    /// Below this variance, in 8-bit code values squared, rounding hides the shape of the grain.
    private static let leastVariance = 0.25

    private struct Block {
        var x: Int
        var y: Int
        /// The mean of luma, 0…255.
        var brightness: Double
        /// The variance of the filtered luma around a plane.
        var texture: Double
        /// The mean square of the difference.
        var variance: Double
        var isFlat = false
    }

    private let format: PixelFormat
    private let width: Int
    private let height: Int

    /// - Parameters:
    ///   - format: the format of the frames.
    ///   - width: the width of the frames in luma samples.
    ///   - height: the height of the frames in luma rows.
    package init(format: PixelFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// The number of code values per 8-bit code value.
    private var scale: Double { Double(1 << (format.bitDepth - 8)) }

    /// Returns the statistics of the difference between a frame and the same frame without noise.
    package func statistics(of source: PixelBuffer, filtered: PixelBuffer) -> GrainStatistics {
        source.withPlanes { source in
            filtered.withPlanes { filtered in
                let blocks = flatBlocks(source[0], filtered[0])
                return GrainStatistics(
                    planes: (0..<format.colorPlaneCount).map { sums(of: $0, source, filtered, blocks) })
            }
        }
    }

    // MARK: - Blocks

    private func flatBlocks(_ source: Plane, _ filtered: Plane) -> [Block] {
        var blocks: [Block] = []
        for y in stride(from: Self.margin.y, through: height - Self.side - Self.margin.y, by: Self.side) {
            for x in stride(from: Self.margin.x, through: width - Self.side - Self.margin.x, by: Self.side) {
                blocks.append(block(x, y, source, filtered))
            }
        }
        // Where everything is textured, the least textured blocks must do.
        let limit = blocks.map(\.texture).sorted().prefix(Self.leastUsed).last ?? 0
        for index in blocks.indices {
            let block = blocks[index]
            blocks[index].isFlat = block.texture <= max(1, Self.mostTexture * block.variance)
        }
        if blocks.count(where: \.isFlat) < Self.leastUsed {
            for index in blocks.indices { blocks[index].isFlat = blocks[index].texture <= limit }
        }
        return Dictionary(grouping: blocks) { Int($0.brightness) / 32 }.sorted { $0.key < $1.key }
            .flatMap { Self.reliable($0.value) }
    }

    /// Returns the blocks of one range of brightness that have little texture and nothing but noise.
    private static func reliable(_ blocks: [Block]) -> [Block] {
        let isScarce = blocks.count(where: \.isFlat) < leastUsed
        let candidates = blocks.filter { $0.isFlat || (isScarce && $0.texture <= mostTextureForStrength * $0.variance) }
        guard !candidates.isEmpty else { return [] }
        let count = isScarce ? leastUsed : max(leastUsed, Int(Double(blocks.count) * usedPart))
        let flat = candidates.sorted { ($0.texture, $0.y, $0.x) < ($1.texture, $1.y, $1.x) }.prefix(count)
        let median = flat.map(\.variance).sorted()[flat.count / 2]
        return flat.filter { $0.variance <= max(outlier * median, leastVariance) }
    }

    private func block(_ left: Int, _ top: Int, _ source: Plane, _ filtered: Plane) -> Block {
        let side = Self.side, bytes = format.bytesPerSample
        // Sums of the samples, of their squares and of their products with the distance from the centre in half samples.
        var sum = 0, squares = 0, slopeX = 0, slopeY = 0, noise = 0
        for y in 0..<side {
            for x in 0..<side {
                let value = filtered.sample(left + x, top + y, bytes: bytes)
                let removed = source.sample(left + x, top + y, bytes: bytes) - value
                sum += value
                squares += value * value
                slopeX += value * (2 * x + 1 - side)
                slopeY += value * (2 * y + 1 - side)
                noise += removed * removed
            }
        }
        let count = Double(side * side)
        // The sum of the squared distances from the centre in half samples.
        let spread = count * Double(side * side - 1) / 3
        let mean = Double(sum) / count
        let trend = (Double(slopeX) * Double(slopeX) + Double(slopeY) * Double(slopeY)) / (spread * count)
        let texture = Double(squares) / count - mean * mean - trend
        return Block(
            x: left, y: top, brightness: min(mean / scale, 255), texture: max(0, texture) / (scale * scale),
            variance: Double(noise) / count / (scale * scale))
    }

    // MARK: - Sums

    private func sums(
        of plane: Int, _ source: Planes, _ filtered: Planes, _ blocks: [Block]
    ) -> GrainStatistics.PlaneSums {
        let (shiftX, shiftY) = format.shift(plane)
        var sums = GrainStatistics.PlaneSums()
        let ranges = GrainStatistics.PlaneSums.rangeCount
        for block in blocks {
            let patch = GrainPatch(
                source[plane], filtered[plane], x: block.x >> shiftX, y: block.y >> shiftY,
                width: Self.side >> shiftX, height: Self.side >> shiftY, scale: scale)
            let variance = max(0, patch.covariance(0, 0))
            let range = min(Int(block.brightness) * ranges / 256, ranges - 1)
            sums.variance[range] += variance
            sums.count[range] += 1
            guard block.isFlat, variance >= Self.leastVariance else { continue }
            sums.blocks += 1
            for lag in GrainLag.measured {
                sums.covariance[GrainLag.index(lag.x, lag.y)] += patch.covariance(lag.x, lag.y) / variance
            }
            // The decoder's rounding adds white noise.
            sums.covariance[GrainLag.index(0, 0)] -= min(0.5, 1 / (12 * scale * scale * variance))
            guard plane > 0 else { continue }
            let luma = GrainPatch(
                source[0], filtered[0], x: block.x, y: block.y, width: Self.side, height: Self.side, scale: scale)
            let lumaVariance = luma.covariance(0, 0)
            guard lumaVariance >= Self.leastVariance else { continue }
            addLuma(luma.reduced(shiftX, shiftY), lumaVariance, patch, variance, to: &sums)
        }
        return sums
    }

    /// Adds the covariance of a chroma block with luma.
    private func addLuma(
        _ luma: GrainPatch, _ lumaVariance: Double, _ patch: GrainPatch, _ variance: Double,
        to sums: inout GrainStatistics.PlaneSums
    ) {
        let scale = (variance * lumaVariance).squareRoot()
        for (index, neighbour) in GrainLag.neighbours.enumerated() {
            sums.withLuma[index] += luma.covariance(neighbour.x, neighbour.y, with: patch) / scale
        }
        sums.withLuma[GrainLag.neighbours.count] += luma.covariance(0, 0, with: patch) / scale
        sums.withLuma[GrainLag.neighbours.count + 1] += luma.covariance(0, 0) / lumaVariance
    }
}
