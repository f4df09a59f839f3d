import FrameCore
import Kernels

/// Parameters of the sub-pixel refinement; those of its kernels are in `Kernels/flow/flow_tuning.h`.
///
/// The values were chosen by hand, November 2026.
enum RefinementParameters {
    /// Weight of the squared distance to the neighbours' mean, in the units of the structure tensor: Horn and Schunck's
    /// α².
    static let pull: Float = 100
    /// The maximum number of rounds on one level; it limits the doubling of rounds with each coarser level.
    static let maximumRounds = 32
    /// Cell rows that are refined as one unit.
    static let bandRows = 8
}

/// Refines whole-pixel block matches to a sub-pixel field that is smooth within objects.
///
/// Each round takes one step per cell that lowers the squared difference of its 8×8 patch (Lucas and Kanade 1981,
/// mean-normalised) plus the squared distance to the mean of its neighbours (Horn and Schunck 1981). Neighbours are
/// weighted by their texture and by how similar their brightness and motion are, so flat areas follow their
/// surroundings and smoothing stops at object edges. All cells step from the same state, so the result does not depend
/// on the order or the number of threads.
struct FlowRefinement {
    let source: PaddedPlane
    let target: PaddedPlane
    let field: MotionVectorField
    private let columns: Int
    private let rows: Int
    private let equations: Buffer2D<vfx_flow_equation>
    // Cells with a border of one cell, where support stays zero.
    private let vx: Buffer2D<Float>
    private let vy: Buffer2D<Float>
    private let brightness: Buffer2D<Float>
    private let support: Buffer2D<Float>
    private let difference: Buffer2D<Float>
    private let meanX: Buffer2D<Float>
    private let meanY: Buffer2D<Float>

    init(source: PaddedPlane, target: PaddedPlane, field: MotionVectorField) {
        self.source = source
        self.target = target
        self.field = field
        columns = field.columns
        rows = field.rows
        func bordered(_ field: MotionVectorField) -> Buffer2D<Float> {
            Buffer2D(columns: field.columns + 2, rows: field.rows + 2, filledWith: 0)
        }
        equations = Buffer2D(columns: columns, rows: rows, filledWith: vfx_flow_equation())
        vx = bordered(field)
        vy = bordered(field)
        brightness = bordered(field)
        support = bordered(field)
        difference = bordered(field)
        meanX = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        meanY = Buffer2D(columns: columns, rows: rows, filledWith: 0)
    }

    var bands: Int { (rows + RefinementParameters.bandRows - 1) / RefinementParameters.bandRows }
    private func rows(of band: Int) -> Range<Int> {
        band * RefinementParameters.bandRows..<min(rows, (band + 1) * RefinementParameters.bandRows)
    }
    /// The first cell of row `y` in a grid with a border.
    private func first(_ grid: Buffer2D<Float>, _ y: Int) -> UnsafeMutablePointer<Float> {
        grid.base + (y + 1) * (columns + 2) + 1
    }

    /// Computes the structure tensors of the band and converts its vectors to samples.
    func prepare(band: Int) {
        for y in rows(of: band) {
            kernels.flow_prepare_row(
                source.bytes + y * 4 * source.stride, source.stride, Int32(columns), kernels.lk_structure_tensor_8x8,
                equations.base + y * columns,
                first(brightness, y), first(support, y))
            let vx = first(vx, y), vy = first(vy, y), difference = first(difference, y)
            let vectors = field.vectors.base + y * columns, costs = field.costs.base + y * columns
            for x in 0..<columns {
                vx[x] = Float(vectors[x].x) * (1 / 32)
                vy[x] = Float(vectors[x].y) * (1 / 32)
                difference[x] = Float(costs[x]) * (1 / 64)
            }
        }
    }

    /// Computes the weighted mean motion around every cell of the band.
    func average(band: Int) {
        let kernel = kernels.flow_average_row
        for y in rows(of: band) {
            var row = vfx_flow_row(
                vx: first(vx, y), vy: first(vy, y), brightness: first(brightness, y), support: first(support, y),
                difference: first(difference, y), stride: columns + 2)
            kernel(&row, meanX.base + y * columns, meanY.base + y * columns, Int32(columns))
        }
    }

    /// Takes one step in every cell of the band, from the state that ``average(band:)`` read.
    func step(band: Int, pull: Float) {
        var place = vfx_warp_source(
            origin: target.origin, stride: target.stride, width: Int32(target.width), height: Int32(target.height),
            margin: Int32(LumaPyramid.blockReach))
        let measure = kernels.flow_measure_row, solve = kernels.flow_solve_row, residual = kernels.lk_residual_8x8
        withUnsafeTemporaryAllocation(of: vfx_flow_residual.self, capacity: columns) { patches in
            guard let patches = patches.baseAddress else { return }
            for y in rows(of: band) {
                measure(
                    source.bytes + y * 4 * source.stride, source.stride, &place, Int32(y), Int32(columns), first(vx, y),
                    first(vy, y), residual,
                    patches)
                solve(
                    patches, equations.base + y * columns, meanX.base + y * columns, meanY.base + y * columns,
                    first(vx, y), first(vy, y),
                    first(difference, y), Int32(columns), pull)
            }
        }
    }

    /// Writes the refined vectors and differences back to the field.
    func finish(band: Int) {
        let most = Float(MotionVector.limit)
        for y in rows(of: band) {
            let vx = first(vx, y), vy = first(vy, y), difference = first(difference, y)
            for x in 0..<columns {
                let x32 = min(max(vx[x] * 32, -most), most), y32 = min(max(vy[x] * 32, -most), most)
                // Rounded by hand: `rounded()` is a function call per value.
                field.vectors.base[y * columns + x] = MotionVector(
                    Int16(x32 + (x32 < 0 ? -0.5 : 0.5)), Int16(y32 + (y32 < 0 ? -0.5 : 0.5)))
                field.costs.base[y * columns + x] = UInt32(difference[x] * 64)
            }
        }
    }
}
