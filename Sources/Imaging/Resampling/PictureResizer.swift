package import FrameCore

/// Brings pictures to another size, chroma subsampling and depth in one step, by a cubic filter that widens when it
/// shrinks. Matrix and range stay as they are.
///
/// Single precision throughout, in an order of its own: the result depends neither on threads nor on the machine.
package struct PictureResizer: Sendable {
    package let source: PixelFormat
    package let target: PixelFormat
    /// Columns and rows of the source that are shown, in luma samples.
    package let region: PictureRegion
    package let width: Int
    package let height: Int
    private let luma: PlaneFilter
    private let chroma: PlaneFilter?

    /// - Parameters:
    ///   - sourceSize: of the whole source, in luma samples.
    ///   - region: the part that is taken; nil takes all.
    ///   - color: tells where the source's chroma samples lie.
    ///   - targetLocation: where those of the result shall lie.
    /// - Throws: `FrameError` for a size that no buffer may have.
    package init(
        from source: PixelFormat, sourceSize: (width: Int, height: Int), region: PictureRegion? = nil,
        color: ColorDescription, to target: PixelFormat, width: Int, height: Int,
        targetLocation: ColorDescription.ChromaLocation
    ) throws(FrameError) {
        guard PixelBuffer.sizeRange.contains(width), PixelBuffer.sizeRange.contains(height) else {
            throw FrameError(
                .unsupportedSize,
                "\(width)x\(height) is no size of a picture; each side must be \(PixelBuffer.sizeRange.lowerBound) to \(PixelBuffer.sizeRange.upperBound) pixels"
            )
        }
        self.source = source
        self.target = target
        self.width = width
        self.height = height
        let whole = PictureRegion(x: 0, y: 0, width: Double(sourceSize.width), height: Double(sourceSize.height))
        let region = region ?? whole
        self.region = region
        let known = color.resolved(height: sourceSize.height).chromaLocation
        // One step of brightness must stay one: limited range scales by powers of two, full range by its ends.
        let scale: Float =
            color.range == .full
            ? Float(target.maximumValue) / Float(source.maximumValue)
            : Float(1 << target.bitDepth) / Float(1 << source.bitDepth)
        luma = PlaneFilter(
            columns: AxisFilter(
                sourceCount: sourceSize.width, start: region.x, length: region.width, count: width),
            rows: RowMapping(
                sourceCount: sourceSize.height, start: region.y, length: region.height, count: height),
            scale: scale, isWide: source.bytesPerSample == 2)
        guard source.planeCount == 3, target.planeCount == 3 else {
            chroma = nil
            return
        }
        let from = source.subsampling, to = target.subsampling
        func axis(
            _ fromShift: Int, _ toShift: Int, _ size: Int, _ start: Double, _ length: Double, _ count: Int,
            _ fromOffset: Double, _ toOffset: Double
        ) -> RowMapping {
            let fromStep = Double(1 << fromShift), toStep = Double(1 << toShift)
            let planeCount = (count + (1 << toShift) - 1) >> toShift
            return RowMapping(
                sourceCount: (size + (1 << fromShift) - 1) >> fromShift, start: start / fromStep,
                // Odd sizes round up, so the plane may cover a little more than the picture.
                length: length / fromStep * Double(planeCount) * toStep / Double(count), count: planeCount,
                sourceOffset: fromShift == 0 ? 0 : fromOffset, targetOffset: toShift == 0 ? 0 : toOffset)
        }
        let (a, b) = (known.chromaOffset, targetLocation.chromaOffset)
        chroma = PlaneFilter(
            columns: axis(
                from.horizontalShift, to.horizontalShift, sourceSize.width, region.x, region.width, width,
                a.horizontal, b.horizontal
            ).filter(summing: 1),
            rows: axis(
                from.verticalShift, to.verticalShift, sourceSize.height, region.y, region.height, height, a.vertical,
                b.vertical),
            scale: scale, isWide: source.bytesPerSample == 2)
    }

    /// - Parameter buffer: of the source's format and size.
    package func resized(_ buffer: PixelBuffer, threads: Int = 1) throws(FrameError) -> PixelBuffer {
        var result = try PixelBuffer(format: target, width: width, height: height)
        let most = Float(target.maximumValue)
        try result.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                let plane = planes[index]
                guard let filter = index == 0 ? luma : chroma, index < buffer.format.planeCount else {
                    fill(plane, with: 1 << (target.bitDepth - 1))
                    continue
                }
                buffer.withPlanes {
                    filter.apply(
                        $0[index], isWide: source.bytesPerSample == 2, to: plane,
                        targetIsWide: target.bytesPerSample == 2, most: most)
                }
            }
        }
        return result
    }

    private func fill(_ plane: MutablePlane, with value: Int) {
        for y in 0..<plane.height {
            if target.bytesPerSample == 2 {
                plane.row(y).assumingMemoryBound(to: UInt16.self).update(repeating: UInt16(value), count: plane.width)
            } else {
                plane.row(y).assumingMemoryBound(to: UInt8.self).update(repeating: UInt8(value), count: plane.width)
            }
        }
    }
}

/// A part of a picture, in luma samples; sides need not be whole.
public struct PictureRegion: Sendable, Hashable {
    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// From the left edge to the right.
    public var width: Double
    /// From the upper edge to the lower.
    public var height: Double

    /// A part of a picture.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension ColorDescription.ChromaLocation {
    /// How far chroma samples lie from the middle of the luma samples they stand for, in chroma samples.
    var chromaOffset: (horizontal: Double, vertical: Double) {
        switch self {
        case .unspecified, .left: (-0.25, 0)
        case .center: (0, 0)
        case .topLeft: (-0.25, -0.25)
        case .top: (0, -0.25)
        case .bottomLeft: (-0.25, 0.25)
        case .bottom: (0, 0.25)
        }
    }
}

/// Which source samples make each target sample along one axis, and with what weight.
struct AxisFilter: Sendable {
    /// First source sample of each target sample.
    let starts: [Int32]
    /// ``taps`` weights for each target sample, their sum 1.
    let weights: [Float]
    let taps: Int

    var count: Int { starts.count }

    /// - Parameters:
    ///   - start: edge of the first target sample, in source samples.
    ///   - length: source samples that all target samples cover.
    init(
        sourceCount: Int, start: Double, length: Double, count: Int, sourceOffset: Double = 0, targetOffset: Double = 0
    ) {
        let step = length / Double(count)
        let width = max(1, step)
        let taps = min(sourceCount, Int((4 * width).rounded(.up)) + 1)
        var starts: [Int32] = [], weights: [Float] = []
        for index in 0..<count {
            let center = start + (Double(index) + 0.5 + targetOffset) * step - 0.5 - sourceOffset
            let first = Int((center - 2 * width).rounded(.up))
            let clamped = max(0, min(sourceCount - taps, first))
            var row = [Double](repeating: 0, count: taps)
            // Weights beyond the edge go to the sample at the edge.
            for place in first...max(first, Int((center + 2 * width).rounded(.down))) {
                let inside = max(0, min(sourceCount - 1, place))
                let slot = max(0, min(taps - 1, inside - clamped))
                row[slot] += Self.cubic((Double(place) - center) / width)
            }
            let sum = row.reduce(0, +)
            starts.append(Int32(clamped))
            weights += row.map { Float(sum == 0 ? 1 / Double(taps) : $0 / sum) }
        }
        self.starts = starts
        self.weights = weights
        self.taps = taps
    }

    /// Catmull-Rom's spline: sharp, and a picture of the same size stays the same.
    private static func cubic(_ x: Double) -> Double {
        let x = abs(x)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }
}

/// What the rows of a plane become, before it is known how they are filtered.
struct RowMapping {
    var sourceCount: Int
    var start: Double
    var length: Double
    var count: Int
    var sourceOffset = 0.0
    var targetOffset = 0.0

    /// The filter over sums of `group` rows each.
    func filter(summing group: Int) -> AxisFilter {
        let size = Double(group)
        return AxisFilter(
            sourceCount: sourceCount / group, start: start / size, length: length / size, count: count,
            sourceOffset: sourceOffset / size, targetOffset: targetOffset)
    }
}

/// Both axes of one plane.
struct PlaneFilter: Sendable {
    private let columns: AxisFilter
    private let rows: AxisFilter
    private let scale: Float
    /// Source rows that are added up before the filter where it shrinks much: far fewer products, hardly another picture.
    private let group: Int

    /// - Parameter isWide: whether the source's samples take 16 bits; sums of such are not made.
    init(columns: AxisFilter, rows: RowMapping, scale: Float, isWide: Bool) {
        let step = rows.length / Double(rows.count)
        let group = [4, 3, 2].first { rows.sourceCount % $0 == 0 && step >= 1.9 * Double($0) } ?? 1
        self.group = isWide ? 1 : group
        self.columns = columns
        self.rows = rows.filter(summing: self.group)
        self.scale = scale / Float(self.group)
    }

    /// Rows first: that inner loop runs along memory, and few rows are left for the other.
    func apply(_ source: Plane, isWide: Bool, to target: MutablePlane, targetIsWide: Bool, most: Float) {
        guard group > 1 else {
            return filter(
                source.base, stride: source.stride, width: source.width, isWide: isWide, to: target, targetIsWide, most)
        }
        let width = source.width, height = source.height / group
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width * height) { sums in
            guard let sums = sums.baseAddress else { return }
            for y in 0..<height {
                let line = sums + y * width
                line.update(repeating: 0, count: width)
                for part in 0..<group {
                    let row = source.row(y * group + part).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<width { line[x] &+= UInt16(row[x]) }
                }
            }
            filter(
                UnsafeRawPointer(sums), stride: 2 * width, width: width, isWide: true, to: target, targetIsWide, most)
        }
    }

    private func filter(
        _ base: UnsafeRawPointer, stride: Int, width: Int, isWide: Bool, to target: MutablePlane, _ targetIsWide: Bool,
        _ most: Float
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { line in
            guard let line = line.baseAddress else { return }
            for y in 0..<target.height {
                line.update(repeating: 0, count: width)
                for tap in 0..<rows.taps {
                    let weight = rows.weights[y * rows.taps + tap] * scale
                    if weight == 0 { continue }
                    let row = base + (Int(rows.starts[y]) + tap) * stride
                    if isWide {
                        let samples = row.assumingMemoryBound(to: UInt16.self)
                        for x in 0..<width { line[x] += weight * Float(samples[x]) }
                    } else {
                        let samples = row.assumingMemoryBound(to: UInt8.self)
                        for x in 0..<width { line[x] += weight * Float(samples[x]) }
                    }
                }
                across(line, target.row(y), target.width, targetIsWide, most)
            }
        }
    }

    private func across(
        _ line: UnsafeMutablePointer<Float>, _ row: UnsafeMutableRawPointer, _ width: Int, _ isWide: Bool, _ most: Float
    ) {
        columns.weights.withUnsafeBufferPointer { weights in
            columns.starts.withUnsafeBufferPointer { starts in
                let taps = columns.taps
                let words = row.assumingMemoryBound(to: UInt16.self), bytes = row.assumingMemoryBound(to: UInt8.self)
                for x in 0..<width {
                    let start = Int(starts[x]), first = x * taps
                    // Four sums side by side: one alone would wait for each addition.
                    var sums = SIMD4<Float>.zero
                    var tap = 0
                    while tap + 4 <= taps {
                        let (w, l) = (first + tap, start + tap)
                        sums +=
                            SIMD4(weights[w], weights[w + 1], weights[w + 2], weights[w + 3])
                            * SIMD4(line[l], line[l + 1], line[l + 2], line[l + 3])
                        tap += 4
                    }
                    var sum = (sums.x + sums.y) + (sums.z + sums.w)
                    while tap < taps {
                        sum += weights[first + tap] * line[start + tap]
                        tap += 1
                    }
                    let value = max(0, min(most, sum + 0.5))
                    if isWide { words[x] = UInt16(value) } else { bytes[x] = UInt8(value) }
                }
            }
        }
    }
}
