import FrameCore

/// The noise of a block of a plane, with its surroundings, in 8-bit code values.
///
/// With n the noise of the source and r what a filter leaves of it, players have to add noise with the covariance of n
/// minus that of r. The difference of the two frames is n − r, and their sum is n + r plus twice the picture, of which a
/// plane is subtracted. The product of both is n² − r², as far as noise and picture are independent.
struct GrainPatch {
    /// How far the surroundings reach: the largest distance that is measured.
    private static let reach = (x: 2 * GrainLag.reach, y: GrainLag.reach)

    private let width: Int
    private let height: Int
    /// What has been removed, and the sum of what is left and what was there, row by row with the surroundings.
    private var difference: [Double]
    private var sum: [Double]

    private var stride: Int { width + 2 * Self.reach.x }

    private init(width: Int, height: Int, difference: [Double], sum: [Double]) {
        self.width = width
        self.height = height
        self.difference = difference
        self.sum = sum
    }

    /// - Parameters:
    ///   - source: the plane with noise.
    ///   - filtered: the plane after the filter.
    ///   - x: the column of the block's first sample; the surroundings must lie inside the plane, as for `y`.
    ///   - y: the row of the block's first sample.
    ///   - width: the width of the block.
    ///   - height: the height of the block.
    ///   - scale: the number of code values per 8-bit code value.
    init(_ source: Plane, _ filtered: Plane, x: Int, y: Int, width: Int, height: Int, scale: Double) {
        self.init(width: width, height: height, difference: [], sum: [])
        let columns = width + 2 * Self.reach.x, rows = height + 2 * Self.reach.y
        difference.reserveCapacity(columns * rows)
        sum.reserveCapacity(columns * rows)
        let bytes = scale == 1 ? 1 : 2
        for row in y - Self.reach.y..<y + height + Self.reach.y {
            for column in x - Self.reach.x..<x + width + Self.reach.x {
                let first = source.sample(column, row, bytes: bytes)
                let second = filtered.sample(column, row, bytes: bytes)
                difference.append(Double(first - second) / scale)
                sum.append(Double(first + second) / scale)
            }
        }
        subtractTrend()
    }

    /// Subtracts the plane that fits the sum best, so that little is left of the picture.
    private mutating func subtractTrend() {
        let rows = height + 2 * Self.reach.y
        let middleX = Double(stride - 1) / 2, middleY = Double(rows - 1) / 2
        var mean = 0.0, slopeX = 0.0, slopeY = 0.0, spreadX = 0.0, spreadY = 0.0
        for y in 0..<rows {
            for x in 0..<stride {
                let value = sum[y * stride + x], dx = Double(x) - middleX, dy = Double(y) - middleY
                mean += value
                slopeX += value * dx
                slopeY += value * dy
                spreadX += dx * dx
                spreadY += dy * dy
            }
        }
        mean /= Double(sum.count)
        slopeX /= spreadX
        slopeY /= spreadY
        for y in 0..<rows {
            for x in 0..<stride {
                sum[y * stride + x] -= mean + slopeX * (Double(x) - middleX) + slopeY * (Double(y) - middleY)
            }
        }
    }

    /// Returns the covariance of the noise with that of another patch of this size, `x` columns to the right and `y` rows
    /// below.
    ///
    /// - Parameter other: the other patch; nil for this one.
    func covariance(_ x: Int, _ y: Int, with other: GrainPatch? = nil) -> Double {
        let other = other ?? self, stride = stride
        var total = 0.0
        difference.withUnsafeBufferPointer { d in
            sum.withUnsafeBufferPointer { s in
                other.difference.withUnsafeBufferPointer { otherD in
                    other.sum.withUnsafeBufferPointer { otherS in
                        for row in Self.reach.y..<Self.reach.y + height {
                            let at = row * stride + Self.reach.x, to = at + y * stride + x
                            var line = 0.0
                            for column in 0..<width {
                                line += d[at + column] * otherS[to + column] + s[at + column] * otherD[to + column]
                            }
                            total += line
                        }
                    }
                }
            }
        }
        return total / Double(2 * width * height)
    }

    /// Returns a patch of lower resolution, without meaningful surroundings.
    func reduced(_ shiftX: Int, _ shiftY: Int) -> GrainPatch {
        guard shiftX + shiftY > 0 else { return self }
        var result = GrainPatch(width: width >> shiftX, height: height >> shiftY, difference: [], sum: [])
        let count = result.stride * (result.height + 2 * Self.reach.y)
        result.difference = [Double](repeating: 0, count: count)
        result.sum = result.difference
        let part = 1 / Double(1 << (shiftX + shiftY))
        for y in 0..<height {
            for x in 0..<width {
                let from = (y + Self.reach.y) * stride + x + Self.reach.x
                let to = (y >> shiftY + Self.reach.y) * result.stride + x >> shiftX + Self.reach.x
                result.difference[to] += part * difference[from]
                result.sum[to] += part * sum[from]
            }
        }
        return result
    }
}
