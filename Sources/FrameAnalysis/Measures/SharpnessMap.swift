internal import FrameCore
internal import Glibc
internal import Imaging

/// How much of the steps between neighbouring samples a blur would remove, per tile.
///
/// Crété's no-reference blur measure: blurring a picture that is already blurred removes little. The two directions are
/// measured separately, since motion blurs only one of them. Steps within the noise do not count.
struct SharpnessMap: Sendable {
    static let tile = 16

    let columns: Int
    let rows: Int
    /// Mean step between the samples of a tile, in 8-bit levels, horizontally and vertically.
    let steps: (across: [Float], down: [Float])
    /// The part of each mean step that a blur would remove.
    let losses: (across: [Float], down: [Float])

    init(_ picture: FloatPlane, noise: Float) {
        let (w, h) = (picture.width, picture.height)
        let tile = Self.tile
        let (columns, rows) = ((w + tile - 1) / tile, (h + tile - 1) / tile)
        (self.columns, self.rows) = (columns, rows)
        let threshold = 0.8 + 3 * noise
        var steps = ([Float](repeating: 0, count: columns * rows), [Float](repeating: 0, count: columns * rows))
        var losses = steps
        var stepRow = [Float](repeating: 0, count: w), lossRow = stepRow
        picture.values.withUnsafeBufferPointer { f in
            for y in 5..<h - 4 {
                let base = y * w
                for x in 5..<w - 4 {
                    let step = max(0, abs(f[base &+ x] - f[base &+ x &- 1]) - threshold)
                    let blurred = abs(f[base &+ x &+ 4] - f[base &+ x &- 5]) * (1 / 9)
                    stepRow[x] = step
                    lossRow[x] = max(0, step - blurred)
                }
                Self.add(stepRow, lossRow, row: y / tile * columns, &steps.0, &losses.0)
                for x in 5..<w - 4 {
                    let step = max(0, abs(f[base &+ x] - f[base &+ x &- w]) - threshold)
                    let blurred = abs(f[base &+ x &+ 4 &* w] - f[base &+ x &- 5 &* w]) * (1 / 9)
                    stepRow[x] = step
                    lossRow[x] = max(0, step - blurred)
                }
                Self.add(stepRow, lossRow, row: y / tile * columns, &steps.1, &losses.1)
            }
        }
        let scale = 1 / Float(tile * tile)
        self.steps = (steps.0.map { $0 * scale }, steps.1.map { $0 * scale })
        self.losses = (losses.0.map { $0 * scale }, losses.1.map { $0 * scale })
    }

    private static func add(
        _ steps: [Float], _ losses: [Float], row: Int, _ stepSums: inout [Float], _ lossSums: inout [Float]
    ) {
        for x in 5..<steps.count - 4 {
            stepSums[row + x / tile] += steps[x]
            lossSums[row + x / tile] += losses[x]
        }
    }

    /// Sharpness of a tile: 0 (a blur would change nothing) … 1 (crisp). Flat tiles count as blurred.
    func sharpness(_ index: Int) -> Float {
        let total = steps.across[index] + steps.down[index]
        return (losses.across[index] + losses.down[index]) / (total + 0.25)
    }

    /// The sharpness over all tiles in one direction, 0…1.
    func total(across: Bool) -> Float {
        let (s, l) = across ? (steps.across, losses.across) : (steps.down, losses.down)
        return l.reduce(0, +) / (s.reduce(0, +) + 0.05 * Float(s.count))
    }

    /// Weighted mean sharpness, in which tiles with more detail count more.
    func weighted(_ weights: [Float]) -> Float {
        var (sum, all): (Float, Float) = (0, 1e-6)
        for index in 0..<columns * rows {
            let energy = min(4, steps.across[index] + steps.down[index])
            let weight = weights[index] * (energy + 0.15)
            sum += weight * sharpness(index)
            all += weight
        }
        return sum / all
    }

    /// Mean step between samples, at most 4 levels per tile, with more weight in the center: how much there is to see.
    var centralDetail: Float {
        var (sum, all): (Float, Float) = (0, 0)
        for row in 0..<rows {
            for column in 0..<columns {
                let dx = (Float(column) + 0.5) / Float(columns) - 0.5, dy = (Float(row) + 0.5) / Float(rows) - 0.5
                let weight = exp(-(dx * dx + dy * dy) / (2 * 0.3 * 0.3))
                let index = row * columns + column
                sum += weight * min(4, steps.across[index] + steps.down[index])
                all += weight
            }
        }
        return sum / all
    }

    /// Returns the sharpness below which the given fraction of the tiles falls.
    func quantile(_ share: Float) -> Float {
        let sorted = (0..<columns * rows).map(sharpness).sorted()
        return sorted[min(sorted.count - 1, Int(share * Float(sorted.count)))]
    }
}

/// Sharpness of a frame relative to its neighbours, estimated from some of its rows and columns, for choosing among the
/// frames of one scene.
func quickSharpness(_ buffer: PixelBuffer) -> Float {
    // Without memory for another picture, the first plane has to do.
    let shown = (try? buffer.analysisPicture(context: .serial)) ?? buffer
    return shown.withPlanes { measure($0[0], $0.format.sampleType) }
}

/// Crété's measure in the less sharp of the two directions, since motion blurs only one of them.
@specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
private func measure<Sample: PixelSample>(_ plane: Plane, _ type: Sample.Type) -> Float {
    guard plane.width > 24, plane.height > 24 else { return 0 }
    // If a side has 1920 samples or more, steps span several samples.
    let unit = max(1, max(plane.width, plane.height) / 960)
    let reach = 4 * unit
    var (acrossSteps, acrossLosses, downSteps, downLosses) = (0, 0, 0, 0)
    let lines = max(1, plane.height / 180)
    for y in stride(from: reach + unit, to: plane.height - reach, by: lines) {
        let row = plane.row(y).assumingMemoryBound(to: Sample.self)
        let above = plane.row(y - unit).assumingMemoryBound(to: Sample.self)
        let farAbove = plane.row(y - reach - unit).assumingMemoryBound(to: Sample.self)
        let farBelow = plane.row(y + reach).assumingMemoryBound(to: Sample.self)
        for x in stride(from: reach + unit, to: plane.width - reach, by: unit) {
            let value = Int(row[x])
            let across = 9 &* abs(value &- Int(row[x &- unit]))
            let acrossBlurred = abs(Int(row[x &+ reach]) &- Int(row[x &- reach &- unit]))
            acrossSteps &+= across
            acrossLosses &+= max(0, across &- acrossBlurred)
            let down = 9 &* abs(value &- Int(above[x]))
            let downBlurred = abs(Int(farBelow[x]) &- Int(farAbove[x]))
            downSteps &+= down
            downLosses &+= max(0, down &- downBlurred)
        }
    }
    let floor = 1 + acrossSteps / 64 + downSteps / 64
    return min(Float(acrossLosses) / Float(acrossSteps + floor), Float(downLosses) / Float(downSteps + floor))
}
