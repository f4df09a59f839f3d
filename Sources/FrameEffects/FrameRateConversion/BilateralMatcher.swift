import FrameCore
import Kernels
import Motion

/// Parameters of bilateral matching. The values were chosen by hand, November 2026.
private enum MatcherParameters {
    /// Difference of a vector that leaves the frame, in 1/16 grey level: four levels. There is nothing to compare, and
    /// a comparison with replicated edges would prefer any vector that stays inside.
    static let outsideDifference: Int32 = 64
    /// How far a block may extend outside the frame with its difference still counted in full, in 1/32 sample: half the
    /// block.
    static let freeOverhang: Int32 = 128
    /// log2 of the overhang beyond ``freeOverhang`` over which the difference blends into ``outsideDifference``, in
    /// 1/32 sample.
    static let overhangRampLog2: Int32 = 7
}

/// Bilateral matching: compares the two neighbours along a vector through a cell of the frame at a phase.
struct BilateralMatcher: Sendable {
    /// Luma of the first neighbour.
    let a: PaddedPlane
    /// Luma of the second neighbour.
    let b: PaddedPlane
    /// The phase in 1/1024.
    let t: Int32
    /// log2 of the side of a cell in samples of the planes.
    let cellLog2: Int
    let context: ExecutionContext

    /// Returns the mean absolute difference of 8×8 samples centred on the cell along `v`, in 1/16 grey level. For
    /// blocks 4 to 8 samples outside a frame, it blends into a fixed value.
    func difference(_ v: MotionVector, x: Int, y: Int) -> Int32 {
        var match = kernelMatch, cell = vfx_matched_cell(x: x, v: v), difference: Int32 = 0
        context.kernels.pointee.bilateral_match_row(&match, Int32(y), &cell, 1, &difference)
        return difference
    }

    /// Compares the neighbours for the cells of a row, as ``difference(_:x:y:)`` does, in less time.
    ///
    /// - Parameters:
    ///   - y: the row.
    ///   - columns: the columns of the cells.
    ///   - vector: returns the vector along which to compare the cell in a column; nil for no comparison.
    ///   - body: called with the column, vector and difference of each cell that was compared.
    @inline(__always)
    func compare(
        row y: Int, _ columns: some Collection<Int>, along vector: (Int) -> MotionVector?,
        body: (Int, MotionVector, Int32) -> Void
    ) {
        let cells = Scratch<vfx_matched_cell>(columns.count), differences = Scratch<Int32>(columns.count)
        var count = 0
        for x in columns {
            guard let v = vector(x) else { continue }
            cells[count] = vfx_matched_cell(x: x, v: v)
            count += 1
        }
        if count == 0 { return }
        var match = kernelMatch
        context.kernels.pointee.bilateral_match_row(&match, Int32(y), cells.base, Int32(count), differences.base)
        for i in 0..<count {
            body(Int(cells[i].x), MotionVector(cells[i].v.x, cells[i].v.y), differences[i])
        }
    }

    private var kernelMatch: vfx_bilateral_match {
        func source(_ plane: PaddedPlane) -> vfx_warp_source {
            vfx_warp_source(
                origin: plane.origin, stride: plane.stride, width: Int32(plane.width), height: Int32(plane.height),
                margin: Int32(LumaPyramid.blockReach))
        }
        return vfx_bilateral_match(
            a: source(a), b: source(b), t: t, cell_log2: Int32(cellLog2),
            outside_difference: MatcherParameters.outsideDifference, free_overhang: MatcherParameters.freeOverhang,
            ramp_log2: MatcherParameters.overhangRampLog2)
    }
}

extension vfx_matched_cell {
    fileprivate init(x: Int, v: MotionVector) {
        self.init(x: Int32(truncatingIfNeeded: x), v: vfx_motion_vector(x: v.x, y: v.y))
    }
}
