import FrameCore
import Kernels

/// Turns whole-pixel block matches into a sub-pixel field that is smooth within objects.
///
/// Each round solves, per cell, for the step that lowers the squared difference of its 8×8 patch (Lucas and Kanade 1981,
/// mean-normalised) plus the squared distance to the mean of its neighbours (Horn and Schunck 1981). Neighbours count by
/// likeness of brightness and motion, so smoothing stops at object edges. All cells step from the same state, so the
/// order and the number of threads do not matter. Plain IEEE single precision without contraction.
struct FlowRefinement {
    static let bandRows = 8

    let source: PaddedPlane
    let target: PaddedPlane
    let field: CellField
    private let columns: Int
    private let rows: Int
    private let gradients: Grid<Gradients>
    private let current: Grid<SIMD2<Float>>
    private let mean: Grid<SIMD2<Float>>
    private let difference: Grid<Float>

    /// Normal matrix of a patch, per pixel slope in grey levels.
    struct Gradients: BitwiseCopyable {
        var xx: Float = 0, xy: Float = 0, yy: Float = 0
        var x: Int32 = 0, y: Int32 = 0
        var brightness: Float = 0
        /// Smaller eigenvalue of the normal matrix over what noise alone gives: how well the patch pins its motion, 0…1.
        var texture: Float = 0
    }

    init(source: PaddedPlane, target: PaddedPlane, field: CellField) {
        self.source = source
        self.target = target
        self.field = field
        columns = field.columns
        rows = field.rows
        gradients = Grid(columns: columns, rows: rows, filledWith: Gradients())
        current = Grid(columns: columns, rows: rows, filledWith: .zero)
        mean = Grid(columns: columns, rows: rows, filledWith: .zero)
        difference = Grid(columns: columns, rows: rows, filledWith: 0)
    }

    var bands: Int { (rows + Self.bandRows - 1) / Self.bandRows }
    private func rows(of band: Int) -> Range<Int> { band * Self.bandRows..<min(rows, (band + 1) * Self.bandRows) }

    func prepare(band: Int) {
        let gradient = kernels.gradient_8x8
        for y in rows(of: band) {
            for x in 0..<columns {
                let patch = source.bytes + (y * 4 - 2) * source.stride + x * 4 - 2
                var s = vfx_gradient_sums()
                gradient(patch, source.stride, &s)
                let centre = patch + 3 * source.stride + 3
                let brightness = Int(centre[0]) + Int(centre[1]) + Int(centre[source.stride]) + Int(centre[source.stride + 1])
                // Kernel slopes are doubled, so squares are four times too large.
                var g = Gradients(
                    xx: (Float(s.xx) - Float(s.x) * Float(s.x) / 64) / 4, xy: (Float(s.xy) - Float(s.x) * Float(s.y) / 64) / 4,
                    yy: (Float(s.yy) - Float(s.y) * Float(s.y) / 64) / 4, x: s.x, y: s.y, brightness: Float(brightness) / 4)
                let half = (g.xx - g.yy) / 2
                let smaller = (g.xx + g.yy) / 2 - (half * half + g.xy * g.xy).squareRoot()
                g.texture = smaller / (smaller + knob(10, 200))
                gradients[x, y] = g
                let v = field.vectors[x, y]
                current[x, y] = SIMD2(Float(v.x), Float(v.y)) / 32
                difference[x, y] = Float(field.costs[x, y]) / 64
            }
        }
    }

    /// Mean of the eight neighbours' motion and the cell's own, by likeness.
    func average(band: Int) {
        for y in rows(of: band) {
            let ys = max(0, y - 1)...min(rows - 1, y + 1); let k4 = knob(4, 1/144), k5 = knob(5, 0.5), k6: Float = 1/36
            for x in 0..<columns {
                let v = current[x, y], g = gradients[x, y].brightness
                let texture = gradients[x, y].texture
                let own = knob(11, 0.5) * (texture + 0.02)
                var sum = v * own
                var total = own
                let k5 = k5 * (texture + knob(12, 0.02))
                for ny in ys {
                    for nx in max(0, x - 1)...min(columns - 1, x + 1) where nx != x || ny != y {
                        let i = ny &* columns &+ nx
                        let n = current.base[i]
                        let dg = gradients.base[i].brightness - g, dv = n - v
                        let d = difference.base[i]
                        let likeness = 1 + dg * dg * k4 + (dv * dv).sum() * k5 + d * d * k6
                        let w = (gradients.base[i].texture + 0.02) / (likeness * likeness)
                        sum += n * w
                        total += w
                    }
                }
                mean[x, y] = sum / total
            }
        }
    }

    /// One step of every cell of the band from the state that `average` saw.
    func step(band: Int, pull: Float) {
        let patch = kernels.patch_8x8
        let reach = Float(LumaPyramid.margin - 10); let k7: Float = 1/64
        for y in rows(of: band) {
            for x in 0..<columns {
                let g = gradients[x, y]
                let start = current[x, y]
                let px = Float(x * 4 - 2), py = Float(y * 4 - 2)
                let low = SIMD2<Float>(-reach - px, -reach - py)
                let high = SIMD2<Float>(Float(target.width) + reach - 8 - px, Float(target.height) + reach - 8 - py)
                let at = start.clamped(lowerBound: low, upperBound: high)
                let qx = Int((at.x * 32).rounded()), qy = Int((at.y * 32).rounded())
                let ix = qx >> 5, iy = qy >> 5
                var s = vfx_patch_sums()
                patch(
                    source.bytes + (y * 4 - 2) * source.stride + x * 4 - 2, source.stride,
                    target.bytes + (y * 4 - 2 + iy) * target.stride + x * 4 - 2 + ix, target.stride, Int32(qx & 31), Int32(qy & 31), &s)
                let quantised = SIMD2<Float>(Float(qx), Float(qy)) / 32
                let bx = (Float(s.dx) - Float(s.d) * Float(g.x) / 64) / 32
                let by = (Float(s.dy) - Float(s.d) * Float(g.y) / 64) / 32
                let d = Float(s.abs) / 1024
                // A poor match has little to say about direction.
                // Nor has the part of a patch that leaves the picture, where only replicated samples are compared.
                let outside = max(max(-(px + at.x), 0), px + at.x + 8 - Float(target.width)) + max(max(-(py + at.y), 0), py + at.y + 8 - Float(target.height))
                let inside = max(0, 1 - outside * 0.25)
                let trust = inside / (1 + d * d * k7)
                let pullNow = pull
                let towards = mean[x, y] - quantised
                let a = g.xx * trust + pullNow, b = g.xy * trust, c = g.yy * trust + pullNow
                let rx = pullNow * towards.x - bx * trust, ry = pullNow * towards.y - by * trust
                let determinant = a * c - b * b
                var move = SIMD2<Float>((c * rx - b * ry) / determinant, (a * ry - b * rx) / determinant)
                let most = SIMD2<Float>(repeating: 1)
                move = move.clamped(lowerBound: -most, upperBound: most)
                current[x, y] = (quantised + move).clamped(lowerBound: low, upperBound: high)
                difference[x, y] = d + (1 - inside) * 32
            }
        }
    }

    /// Writes the refined vectors and differences back to the field.
    func finish(band: Int) {
        for y in rows(of: band) {
            for x in 0..<columns {
                let v = (current[x, y] * 32).rounded(.toNearestOrAwayFromZero)
                let most = Float(MotionVector.limit)
                field.vectors[x, y] = MotionVector(Int16(min(max(v.x, -most), most)), Int16(min(max(v.y, -most), most)))
                field.costs[x, y] = UInt32(difference[x, y] * 64)
            }
        }
    }
}
