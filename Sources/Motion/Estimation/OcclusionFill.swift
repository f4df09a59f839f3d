import FrameCore

/// Parameters of filling occluded motion. The values were chosen by hand, November 2026.
private enum FillParameters {
    /// Largest consistency error, in 1/32 sample of the field's level, at which a cell keeps its own motion: 3/8 of a
    /// sample.
    static let tolerance: UInt16 = 12
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
    /// 1024 / (1 + d / 2) for a difference d in brightness, in grey levels.
    private static let likeness: [Int32] = (0..<256).map {
        1024 * FillParameters.halfBrightness / (FillParameters.halfBrightness + $0)
    }
    /// 256 / (1 + d / 16) for a difference d in motion, in 1/32 sample. The last entry applies to all larger
    /// differences.
    private static let agreement: [Int32] = (0..<1024).map {
        256 * FillParameters.halfMotion / (FillParameters.halfMotion + $0)
    }

    private let plane: PaddedPlane
    private let consistencyErrors: Buffer2D<UInt16>
    private let columns: Int
    private let rows: Int
    /// The mean brightness of each cell.
    private let brightness: Buffer2D<UInt8>
    /// The length of the path to the cell whose motion each cell has taken; 0 where it keeps its own. Has a border of
    /// one cell that is never reached.
    private let distance: Buffer2D<Int32>
    /// The filled field, after ``run()`` has returned.
    let field: MotionVectorField

    private struct Hole {
        /// Index of the cell in the field.
        let at: Int
        /// Index of the cell in the grid with a border.
        let bordered: Int
    }

    /// Prepares to fill a field.
    ///
    /// - Parameters:
    ///   - raw: the field that ``MotionEstimator`` found on `level` of `pyramid`.
    ///   - consistencyErrors: the errors of `raw` against the field in the opposite direction, in 1/32 sample.
    ///   - pyramid: the pyramid of the frame that the field starts from.
    ///   - level: the pyramid level of the field.
    init(_ raw: MotionVectorField, consistencyErrors: Buffer2D<UInt16>, pyramid: LumaPyramid, level: Int) {
        plane = pyramid.levels[level]
        self.consistencyErrors = consistencyErrors
        columns = raw.columns
        rows = raw.rows
        // Two levels coarser, a sample is as large as a cell. The pyramid of a small frame may end before that.
        let used = min(level + 2, pyramid.levels.count - 1), shift = level + 2 - used
        brightness = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        let cells = pyramid.levels[used]
        for y in 0..<rows {
            let row = cells.row(y << shift).assumingMemoryBound(to: UInt8.self)
            for x in 0..<columns { brightness[x, y] = row[x << shift] }
        }
        distance = Buffer2D(columns: columns + 2, rows: rows + 2, filledWith: Self.unreached)
        field = MotionVectorField(copyingVectorsOf: raw)
    }

    /// The distance of cells not yet reached: longer than any path, with headroom for additions.
    private static let unreached: Int32 = 1 << 30

    /// Fills the holes.
    func run() {
        let holes = unseen()
        // If hardly any cell is consistent, as at a cut, there is no motion to spread.
        guard !holes.isEmpty, holes.count < columns * rows / 8 * FillParameters.hopelessEighths else { return }
        for _ in 0..<FillParameters.sweeps {
            for hole in holes { reach(hole, step: -1) }
            for hole in holes.reversed() { reach(hole, step: 1) }
        }
        smooth(holes)
    }

    /// Returns the inconsistent cells and those whose motion leaves the frame, row by row, and marks all others as
    /// reached.
    private func unseen() -> [Hole] {
        var holes: [Hole] = []
        let width = Int32(plane.width) * 32, height = Int32(plane.height) * 32,
            half = Int32(MotionVectorField.cellSize * 16)
        for y in 0..<rows {
            for x in 0..<columns {
                let v = field.vectors[x, y]
                let endX = Int32(2 * x + 1) * half + Int32(v.x), endY = Int32(2 * y + 1) * half + Int32(v.y)
                let inside = endX >= 0 && endY >= 0 && endX < width && endY < height
                let hole = Hole(at: y * columns + x, bordered: (y + 1) * (columns + 2) + x + 1)
                if inside && consistencyErrors[x, y] <= FillParameters.tolerance {
                    distance.base[hole.bordered] = 0
                } else {
                    holes.append(hole)
                }
            }
        }
        return holes
    }

    /// Takes the motion of a preceding neighbour if the path through it is shorter.
    @inline(__always)
    private func reach(_ hole: Hole, step: Int) {
        let distance = distance.base, brightness = brightness.base
        let own = Int32(brightness[hole.at])
        var best = distance[hole.bordered], from = hole.at
        @inline(__always) func look(_ dx: Int, _ dy: Int, length: Int32) {
            let before = distance[hole.bordered &+ dy &* (columns &+ 2) &+ dx]
            guard before < best else { return }
            let at = hole.at &+ dy &* columns &+ dx
            // Crossing an edge of 8 grey levels costs as much as nine steps without an edge.
            let path = before &+ (1 &+ abs(own &- Int32(brightness[at]))) &* length
            guard path < best else { return }
            best = path
            from = at
        }
        look(step, 0, length: FillParameters.straightStep)
        look(0, step, length: FillParameters.straightStep)
        look(step, step, length: FillParameters.diagonalStep)
        look(-step, step, length: FillParameters.diagonalStep)
        distance[hole.bordered] = best
        field.vectors.base[hole.at] = field.vectors.base[from]
    }

    /// Smooths the motion where different paths meet, with weights for neighbours of similar brightness and motion.
    private func smooth(_ holes: [Hole]) {
        let vectors = field.vectors.base, brightness = brightness.base, distance = distance.base
        var evened = [MotionVector](repeating: .zero, count: holes.count)
        Self.likeness.withUnsafeBufferPointer { likeness in
            Self.agreement.withUnsafeBufferPointer { agreement in
                for _ in 0..<FillParameters.smoothingRounds {
                    for (index, hole) in holes.enumerated() {
                        let own = Int32(brightness[hole.at]), motion = vectors[hole.at]
                        var total: Int32 = 1024, sum = SIMD2<Int32>(truncatingIfNeeded: motion) &* 1024
                        @inline(__always) func add(_ dx: Int, _ dy: Int) {
                            guard distance[hole.bordered &+ dy &* (columns &+ 2) &+ dx] != Self.unreached else {
                                return
                            }
                            let at = hole.at &+ dy &* columns &+ dx
                            let v = vectors[at]
                            let like = likeness[Int(abs(own &- Int32(brightness[at])))]
                            let weight = (like &* agreement[Int(min(v.distance(to: motion), 1023))]) &>> 8
                            total &+= weight
                            sum &+= SIMD2<Int32>(truncatingIfNeeded: v) &* weight
                        }
                        add(-1, -1)
                        add(0, -1)
                        add(1, -1)
                        add(-1, 0)
                        add(1, 0)
                        add(-1, 1)
                        add(0, 1)
                        add(1, 1)
                        evened[index] = MotionVector(truncatingIfNeeded: sum / total)
                    }
                    for (index, hole) in holes.enumerated() { vectors[hole.at] = evened[index] }
                }
            }
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
    ///   ``MotionVectorField/consistencyError(with:threads:)``).
    package func filled(
        _ a: LumaPyramid, _ b: LumaPyramid,
        consistencyErrors: (forward: Buffer2D<UInt16>, backward: Buffer2D<UInt16>), threads: Int
    ) -> MotionPair {
        let fills = [
            OcclusionFill(forward, consistencyErrors: consistencyErrors.forward, pyramid: a, level: level),
            OcclusionFill(backward, consistencyErrors: consistencyErrors.backward, pyramid: b, level: level),
        ]
        parallelFor(2, threads: threads) { fills[$0].run() }
        return MotionPair(
            level: level, forward: fills[0].field, backward: fills[1].field, forwardLevels: forwardLevels,
            backwardLevels: backwardLevels)
    }
}
