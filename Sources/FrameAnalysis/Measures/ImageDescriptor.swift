internal import Glibc

/// The image descriptor of a feature print: five parts, quantised to bytes.
///
/// | part | bytes | contents |
/// |---|---|---|
/// | structure | 63 | signs and magnitudes of the lowest DCT frequencies of luma, with mean and contrast normalized |
/// | layout | 48 | luma and two color differences of 4 × 4 cells |
/// | edges | 128 | 8 edge directions in 4 × 4 cells |
/// | colors | 50 | histogram of 7 × 7 colors, and the overall amount of color |
/// | texture | 8 | steps between neighbouring samples at four scales, across and down |
enum ImageDescriptor {
    static let structureCount = 63, layoutCount = 48, edgeCount = 128, colorCount = 50, textureCount = 8
    static let count = structureCount + layoutCount + edgeCount + colorCount + textureCount

    /// Returns the descriptor of a picture.
    ///
    /// - Parameter margin: the fraction of each side to leave out.
    static func make(_ picture: AnalysisPicture, margin: Double) -> [UInt8] {
        func part(_ plane: FloatPlane, _ side: Int) -> FloatPlane {
            plane.reduced(
                width: side, height: side, left: margin, top: margin, right: 1 - margin, bottom: 1 - margin)
        }
        let square = part(picture.luma, 32)
        let (mean, deviation) = moments(square.values)
        // Normalizes mean and contrast; the lower limit keeps the noise of a flat picture small.
        let gain = 1 / max(6, deviation)
        let normal = FloatPlane(width: 32, height: 32, values: square.values.map { ($0 - mean) * gain })
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        bytes += structure(normal)
        let cells = normal.reduced(width: 4, height: 4)
        bytes += cells.values.map { byte(0.5 + 0.2 * $0) }
        let (blue, red) = (part(picture.chroma.blue, 4), part(picture.chroma.red, 4))
        bytes += blue.values.map { byte(0.5 + $0 / 128) }
        bytes += red.values.map { byte(0.5 + $0 / 128) }
        bytes += edges(part(picture.luma, 64), gain: gain)
        bytes += colors(part(picture.chroma.blue, 32), part(picture.chroma.red, 32))
        bytes += texture(part(picture.luma, 128), gain: gain)
        return bytes
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, (value * 255).rounded()))) }

    private static func moments(_ values: [Float]) -> (mean: Float, deviation: Float) {
        let mean = values.reduce(0, +) / Float(values.count)
        let variance = values.reduce(Float(0)) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
        return (mean, variance.squareRoot())
    }

    private static let cosines: [[Float]] = (0..<8).map { frequency in
        (0..<32).map { Float(cos(Double(frequency) * (Double($0) + 0.5) * Double.pi / 32)) }
    }

    private static func structure(_ plane: FloatPlane) -> [UInt8] {
        var rows = [Float](repeating: 0, count: 32 * 8)
        for y in 0..<32 {
            for k in 0..<8 {
                var sum: Float = 0
                for x in 0..<32 { sum += plane.values[y * 32 + x] * cosines[k][x] }
                rows[y * 8 + k] = sum
            }
        }
        var bytes: [UInt8] = []
        for j in 0..<8 {
            for k in 0..<8 where j + k > 0 {
                var sum: Float = 0
                for y in 0..<32 { sum += rows[y * 8 + k] * cosines[j][y] }
                // Coefficients differ by orders of magnitude; a soft sign function keeps the small ones relevant.
                let value = sum / 1024
                bytes.append(byte(0.5 + 0.5 * value / (abs(value) + 0.03)))
            }
        }
        return bytes
    }

    private static func edges(_ plane: FloatPlane, gain: Float) -> [UInt8] {
        var sums = [Float](repeating: 0, count: edgeCount)
        for y in 1..<63 {
            for x in 1..<63 {
                let gx = plane[x + 1, y] - plane[x - 1, y], gy = plane[x, y + 1] - plane[x, y - 1]
                let size = (gx * gx + gy * gy).squareRoot() * gain
                guard size > 0.05 else { continue }
                var angle = atan2(gy, gx) / Float.pi * 8
                if angle < 0 { angle += 8 }
                let lower = Int(angle), share = angle - Float(lower)
                let cell = (y / 16 * 4 + x / 16) * 8
                sums[cell + lower % 8] += size * (1 - share)
                sums[cell + (lower + 1) % 8] += size * share
            }
        }
        // Square roots, so that a few strong edges do not hide the rest; normalized over the whole picture, so that
        // empty cells stay empty.
        let total = sums.reduce(0, +) + 20
        return sums.map { byte(2.5 * ($0 / total).squareRoot()) }
    }

    private static func colors(_ blue: FloatPlane, _ red: FloatPlane) -> [UInt8] {
        var bins = [Float](repeating: 0, count: 49)
        var amount: Float = 0
        for (u, v) in zip(blue.values, red.values) {
            amount += (u * u + v * v).squareRoot()
            // Bins are finer near grey, where most colors are.
            func position(_ value: Float) -> Float {
                3 + 3 * (value < 0 ? -1 : 1) * min(1, (abs(value) / 72).squareRoot())
            }
            let (px, py) = (position(u), position(v))
            let (x, y) = (min(5, Int(px)), min(5, Int(py)))
            let (fx, fy) = (px - Float(x), py - Float(y))
            bins[y * 7 + x] += (1 - fx) * (1 - fy)
            bins[y * 7 + x + 1] += fx * (1 - fy)
            bins[y * 7 + 7 + x] += (1 - fx) * fy
            bins[y * 7 + 8 + x] += fx * fy
        }
        let count = Float(blue.values.count)
        return bins.map { byte(($0 / count).squareRoot()) } + [byte(min(1, amount / count / 64))]
    }

    private static func texture(_ plane: FloatPlane, gain: Float) -> [UInt8] {
        var bytes: [UInt8] = []
        var level = plane
        for _ in 0..<4 {
            var (across, down): (Float, Float) = (0, 0)
            for y in 1..<level.height {
                for x in 1..<level.width {
                    across += abs(level[x, y] - level[x - 1, y])
                    down += abs(level[x, y] - level[x, y - 1])
                }
            }
            let scale = gain / Float((level.width - 1) * (level.height - 1))
            bytes.append(byte((across * scale / 1.2).squareRoot()))
            bytes.append(byte((down * scale / 1.2).squareRoot()))
            level = level.halved()
        }
        return bytes
    }

    /// Returns the distance between two prints: 0 for the same image, about 1 for images of different things.
    static func distance(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Double {
        var index = (a.startIndex, b.startIndex)
        func next(_ count: Int) -> Double {
            var sum = 0
            for _ in 0..<count {
                let difference = Int(a[index.0]) - Int(b[index.1])
                sum += difference * difference
                index.0 += 1
                index.1 += 1
            }
            return Double(sum) / 65025
        }
        // Each part is divided by its median distance over pairs of real scenes, then weighted.
        let structure = (next(structureCount) / Double(structureCount)).squareRoot() / 0.33
        let layout = (next(layoutCount) / Double(layoutCount)).squareRoot() / 0.16
        let edges = next(edgeCount).squareRoot() / 1.74
        let colors = next(colorCount).squareRoot() / 0.98
        let texture = next(textureCount).squareRoot() / 0.375
        return 0.30 * structure + 0.20 * layout + 0.20 * edges + 0.20 * colors + 0.10 * texture
    }
}
