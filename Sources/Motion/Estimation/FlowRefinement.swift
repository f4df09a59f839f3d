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
    /// Fields with no more cells than this are refined as a whole by one thread: their rounds take less time than
    /// threads need to meet after each.
    static let wholeFieldCells = 3000
}

/// Refines whole-pixel block matches to a sub-pixel field that is smooth within objects.
///
/// Each round takes one step per cell that lowers the squared difference of its 8×8 patch (Lucas and Kanade 1981,
/// mean-normalised) plus the squared distance to the mean of its neighbours (Horn and Schunck 1981). Neighbours are
/// weighted by their texture and by how similar their brightness and motion are, so flat areas follow their
/// surroundings and smoothing stops at object edges. All cells step from the same state, so the result does not depend
/// on the order or the number of threads.
struct FlowRefinement {
    /// The part of a cell's state that changes with each round, with a border of one cell.
    private struct State {
        let vx: Buffer2D<Float>
        let vy: Buffer2D<Float>
        let difference: Buffer2D<Float>

        init(_ bordered: () -> Buffer2D<Float>) {
            vx = bordered()
            vy = bordered()
            difference = bordered()
        }
    }

    let source: PaddedPlane
    let target: PaddedPlane
    let field: MotionVectorField
    let rounds: Int
    let context: ExecutionContext
    private let columns: Int
    private let rows: Int
    /// Five values for each cell, row by row in the layout of the kernels.
    private let equations: Buffer2D<Float>
    // Cells with a border of one cell, where support stays zero.
    private let brightness: Buffer2D<Float>
    private let support: Buffer2D<Float>
    /// The state before and after a round, in turns: rows do not depend on the order in which they step.
    private let states: (State, State)

    init(source: PaddedPlane, target: PaddedPlane, field: MotionVectorField, rounds: Int, context: ExecutionContext) {
        self.source = source
        self.target = target
        self.field = field
        self.rounds = rounds
        self.context = context
        columns = field.columns
        rows = field.rows
        func bordered() -> Buffer2D<Float> {
            Buffer2D(columns: field.columns + 2, rows: field.rows + 2, filledWith: 0)
        }
        equations = Buffer2D(columns: 5 * columns, rows: rows)
        brightness = bordered()
        support = bordered()
        states = (State(bordered), State(bordered))
    }

    var bands: Int { (rows + RefinementParameters.bandRows - 1) / RefinementParameters.bandRows }
    private func rows(of band: Int) -> Range<Int> {
        band * RefinementParameters.bandRows..<min(rows, (band + 1) * RefinementParameters.bandRows)
    }
    /// The first cell of row `y` in a grid with a border.
    private func first(_ grid: Buffer2D<Float>, _ y: Int) -> UnsafeMutablePointer<Float> {
        grid.base + (y + 1) * (columns + 2) + 1
    }
    private func state(_ round: Int) -> State { round & 1 == 0 ? states.0 : states.1 }

    /// Calls `body` for each row of the band with the tiles of its patches.
    private func withTiles(band: Int, _ body: (_ y: Int, _ tiles: UnsafePointer<vfx_flow_tiles>) -> Void) {
        let count = 6 * 8 * (columns + 1), kernel = context.kernels.pointee.flow_tiles_row
        let memory = Scratch<Int16>(2 * count)
        // Tiles begin two samples above and to the left of the cells.
        func make(_ y: Int, _ out: UnsafeMutablePointer<Int16>) {
            kernel(source.bytes + (4 * y - 2) * source.stride - 2, source.stride, Int32(columns + 1), out)
        }
        var upper = memory.base, lower = memory.base + count
        let rows = rows(of: band)
        make(rows.lowerBound, upper)
        for y in rows {
            make(y + 1, lower)
            var tiles = vfx_flow_tiles(upper: upper, lower: lower)
            body(y, &tiles)
            swap(&upper, &lower)
        }
    }

    /// Computes the equations of the band and converts its vectors to samples.
    func prepare(band: Int) {
        let prepare = context.kernels.pointee.flow_prepare_row, load = context.kernels.pointee.flow_load_row,
            state = state(0)
        withTiles(band: band) { y, tiles in
            prepare(
                tiles, Int32(columns), equations.base + 5 * columns * y, first(brightness, y), first(support, y))
            load(
                field.kernelVectors + y * columns, field.costs.base + y * columns, first(state.vx, y),
                first(state.vy, y), first(state.difference, y), Int32(columns))
        }
    }

    /// Takes one step in every cell of the band; the last round writes the result to the field.
    func step(band: Int, round: Int) {
        let before = state(round), after = state(round + 1), count = Int32(columns)
        let average = context.kernels.pointee.flow_average_row, measure = context.kernels.pointee.flow_measure_row,
            solve = context.kernels.pointee.flow_solve_row
        let store = context.kernels.pointee.flow_store_row
        var place = vfx_warp_source(
            origin: target.origin, stride: target.stride, width: Int32(target.width), height: Int32(target.height),
            margin: Int32(LumaPyramid.blockReach))
        let residuals = Scratch<vfx_flow_residual>(columns), floats = Scratch<Float>(5 * columns)
        let meanX = floats.base, meanY = meanX + columns, sampled = meanY + columns
        withTiles(band: band) { y, tiles in
            let vx = first(before.vx, y), vy = first(before.vy, y)
            var row = vfx_flow_row(
                vx: vx, vy: vy, brightness: first(brightness, y), support: first(support, y),
                difference: first(before.difference, y), stride: columns + 2)
            average(&row, meanX, meanY, count)
            measure(tiles, &place, Int32(y), count, vx, vy, residuals.base, sampled)
            let newX = first(after.vx, y), newY = first(after.vy, y), difference = first(after.difference, y)
            solve(
                residuals.base, sampled, equations.base + 5 * columns * y, meanX, meanY, newX, newY, difference, count,
                RefinementParameters.pull)
            guard round == rounds - 1 else { return }
            store(newX, newY, difference, field.kernelVectors + y * columns, field.costs.base + y * columns, count)
        }
    }
}
