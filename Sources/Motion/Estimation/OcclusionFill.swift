package import FrameCore
import Kernels

/// Parameters of filling occluded motion. The values were chosen by hand, November 2026.
private enum FillParameters {
    /// Largest consistency error, in 1/32 sample of the field's level, at which a cell keeps its own motion: 3/8 of a
    /// sample.
    static let tolerance: Int32 = 12
    /// The field is left unchanged if at least this many eighths of the cells are holes.
    static let hopelessEighths = 7
    /// Sweeps in each direction that propagate motion into the holes.
    static let sweeps = 2
    /// Length of a step to the next cell in a row or column. A change in brightness by d grey levels
    /// multiplies it by d + 1.
    static let straightStep: Int32 = 5
    /// Length of a step to the next cell on a diagonal, about √2 times ``straightStep``.
    static let diagonalStep: Int32 = 7
    /// Rounds of smoothing.
    static let smoothingRounds = 3
    /// Difference in brightness, in grey levels, at which a neighbour has half its weight in the smoothing.
    static let halfBrightness: Int32 = 2
    /// Difference in motion, in 1/32 sample, at which a neighbour has half its weight in the smoothing.
    static let halfMotion: Int32 = 16
}

/// Replaces the motion of occluded cells with the motion of visible surroundings.
///
/// Content that is hidden in the other frame, or has moved out of it, matches something unrelated, often far away. Such
/// a cell has a large forward–backward consistency error. It takes the motion of the nearest consistent cell, where a
/// path is longer the more the brightness changes along it (Revaud, Weinzaepfel, Harchaoui and Schmid 2015). Motion
/// thus spreads over an object and stops at its outline.
struct OcclusionFill {
    private let context: ExecutionContext
    private let plane: PaddedPlane
    private let consistencyErrors: Buffer2D<UInt16>
    private let columns: Int
    private let rows: Int
    /// The mean brightness of each cell. Has a border of one cell.
    private let brightness: Buffer2D<UInt8>
    /// The length of the path to the cell whose motion each cell has taken; 0 where it keeps its own. Has a border of
    /// one cell that is never reached.
    private let distance: Buffer2D<Int32>
    /// The filled field, after ``run()`` has returned.
    let field: MotionVectorField

    /// Prepares to fill a field.
    ///
    /// - Parameters:
    ///   - raw: the field that ``MotionEstimator`` found on `level` of `pyramid`.
    ///   - consistencyErrors: the errors of `raw` against the field in the opposite direction, in 1/32 sample.
    ///   - pyramid: the pyramid of the frame that the field starts from.
    ///   - level: the pyramid level of the field.
    ///   - context: the threads and kernels to use.
    init(
        _ raw: MotionVectorField, consistencyErrors: Buffer2D<UInt16>, pyramid: LumaPyramid, level: Int,
        context: ExecutionContext
    ) {
        self.context = context
        plane = pyramid.levels[level]
        self.consistencyErrors = consistencyErrors
        columns = raw.columns
        rows = raw.rows
        brightness = pyramid.cellBrightness(level: level, columns: columns, rows: rows, border: 1)
        distance = Buffer2D(columns: columns + 2, rows: rows + 2, filledWith: Int32(VFX_FILL_UNREACHED))
        field = MotionVectorField(copyingVectorsOf: raw)
    }

    /// Fills the holes.
    func run() {
        let holes = Scratch<vfx_fill_hole>(columns * rows), count = findHoles(holes.base)
        // If hardly any cell is consistent, as at a cut, there is no motion to spread.
        guard count > 0, count < columns * rows / 8 * FillParameters.hopelessEighths else { return }
        var cells = vfx_fill_field(
            vectors: field.kernelVectors, brightness: brightness.base, distance: distance.base,
            columns: Int32(columns), rows: Int32(rows))
        for _ in 0..<FillParameters.sweeps {
            for step: Int32 in [-1, 1] {
                context.kernels.pointee.fill_sweep(
                    &cells, holes.base, Int32(count), step, FillParameters.straightStep, FillParameters.diagonalStep)
            }
        }
        smooth(&cells, holes.base, count)
    }

    /// Finds the inconsistent cells and those whose motion leaves the frame, row by row, and marks all others as
    /// reached.
    ///
    /// - Returns: the number of these holes.
    private func findHoles(_ holes: UnsafeMutablePointer<vfx_fill_hole>) -> Int {
        var count = 0
        for y in 0..<rows {
            count += Int(
                context.kernels.pointee.fill_find_row(
                    field.kernelVectors + y * columns, consistencyErrors.base + y * columns, Int32(y), Int32(columns),
                    Int32(plane.width) * 32, Int32(plane.height) * 32, FillParameters.tolerance, holes + count,
                    distance.base + (y + 1) * (columns + 2) + 1))
        }
        return count
    }

    /// Smooths the motion where different paths meet, with weights for neighbours of similar brightness and motion.
    private func smooth(_ cells: inout vfx_fill_field, _ holes: UnsafePointer<vfx_fill_hole>, _ count: Int) {
        let means = Scratch<vfx_motion_vector>(count)
        for _ in 0..<FillParameters.smoothingRounds {
            context.kernels.pointee.fill_smooth(
                &cells, holes, Int32(count), FillParameters.halfBrightness, FillParameters.halfMotion, means.base)
            for index in 0..<count { cells.vectors[Int(holes[index].at)] = means[index] }
        }
    }
}

extension MotionPair {
    /// Returns the pair with the motion of occluded cells replaced by that of their surroundings.
    ///
    /// The fields of the coarser levels stay as they are: matches have proved to be better predictors than filled
    /// motion.
    ///
    /// - Parameter consistencyErrors: the errors of each field against the other (see
    ///   ``MotionVectorField/consistencyError(with:context:)``).
    package func filled(
        _ a: LumaPyramid, _ b: LumaPyramid,
        consistencyErrors: (forward: Buffer2D<UInt16>, backward: Buffer2D<UInt16>), context: ExecutionContext
    ) -> MotionPair {
        let fills = [
            OcclusionFill(
                forward, consistencyErrors: consistencyErrors.forward, pyramid: a, level: level, context: context),
            OcclusionFill(
                backward, consistencyErrors: consistencyErrors.backward, pyramid: b, level: level, context: context),
        ]
        parallelFor(2, threads: context.threads) { fills[$0].run() }
        return MotionPair(
            level: level, forward: fills[0].field, backward: fills[1].field, forwardLevels: forwardLevels,
            backwardLevels: backwardLevels)
    }
}
