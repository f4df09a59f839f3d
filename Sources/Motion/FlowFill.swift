import FrameCore

/// Replaces motion that the pair does not show by that of surroundings it does show.
///
/// What the other frame hides, or has lost past its edge, matches something else there, often far away. Such a cell misses
/// its way back. It takes the motion of the cell that is nearest along a path on which brightness changes little
/// (Revaud, Weinzaepfel, Harchaoui and Schmid 2015), so that motion spreads over an object and stops at its outline.
struct FlowFill {
    /// Largest miss of the way back that is still believed: 3/8 of a sample of the field's level.
    private static let tolerance: UInt16 = 12
    private static let rounds = 8

    private let plane: PaddedPlane
    private let inconsistency: CellGrid<UInt16>
    private let columns: Int
    private let rows: Int
    /// Mean brightness of each cell.
    private let brightness: CellGrid<UInt8>
    /// Length of the path to the cell whose motion this one has; 0 where it is its own.
    private let distance: CellGrid<Int32>
    /// The filled field, once `run` has returned.
    let field: CellField

    /// - Parameters:
    ///   - raw: as found by ``MotionEstimator`` on `level` of `pyramid`.
    ///   - inconsistency: of `raw` with the field in the opposite direction.
    init(_ raw: CellField, inconsistency: CellGrid<UInt16>, pyramid: LumaPyramid, level: Int) {
        plane = pyramid.levels[level]
        self.inconsistency = inconsistency
        columns = raw.columns
        rows = raw.rows
        // Two levels further a sample is a cell; the pyramid of a small picture may end before.
        let used = min(level + 2, pyramid.levels.count - 1), shift = level + 2 - used
        brightness = CellGrid(columns: columns, rows: rows, filledWith: 0)
        let cells = pyramid.levels[used]
        for y in 0..<rows {
            let row = cells.row(y << shift).assumingMemoryBound(to: UInt8.self)
            for x in 0..<columns { brightness[x, y] = row[x << shift] }
        }
        distance = CellGrid(columns: columns, rows: rows, filledWith: 0)
        field = CellField(copying: raw)
    }

    func run() {
        let holes = unseen()
        // Where next to nothing is seen twice, as at a cut, there is nothing to go by.
        guard !holes.isEmpty, holes.count < columns * rows / 8 * 7 else { return }
        for _ in 0..<2 {
            for at in holes { reach(at, step: -1) }
            for at in holes.reversed() { reach(at, step: 1) }
        }
        smooth(holes)
    }

    /// Cells that miss their way back or lead out of the picture, in order of rows.
    private func unseen() -> [Int] {
        var holes: [Int] = []
        let width = Int32(plane.width) * 32, height = Int32(plane.height) * 32
        for y in 0..<rows {
            for x in 0..<columns {
                let v = field.vectors[x, y]
                let half = Int32(CellField.cellSize * 16)
                let endX = Int32(2 * x + 1) * half + Int32(v.x), endY = Int32(2 * y + 1) * half + Int32(v.y)
                let inside = endX >= 0 && endY >= 0 && endX < width && endY < height
                guard !inside || inconsistency[x, y] > Self.tolerance else { continue }
                distance[x, y] = .max
                holes.append(y * columns + x)
            }
        }
        return holes
    }

    /// Takes the motion of a neighbour earlier in the sweep if the path through it is shorter.
    @inline(__always)
    private func reach(_ at: Int, step: Int) {
        let x = at % columns, y = at / columns
        let own = Int32(brightness[x, y])
        var best = distance[x, y]
        @inline(__always) func look(_ nx: Int, _ ny: Int, length: Int32) {
            guard nx >= 0, ny >= 0, nx < columns, ny < rows, distance[nx, ny] != .max else { return }
            // An edge of 8 levels is as far as nine cells without one.
            let path = distance[nx, ny] &+ (1 &+ abs(own &- Int32(brightness[nx, ny]))) &* length
            guard path < best else { return }
            best = path
            field.vectors[x, y] = field.vectors[nx, ny]
        }
        look(x + step, y, length: 5)
        look(x, y + step, length: 5)
        look(x + step, y + step, length: 7)
        look(x - step, y + step, length: 7)
        distance[x, y] = best
    }

    /// Evens out what came by different paths, each cell with neighbours of its brightness and motion.
    private func smooth(_ holes: [Int]) {
        var evened = holes.map { field.vectors[$0 % columns, $0 / columns] }
        for _ in 0..<Self.rounds {
            for (index, at) in holes.enumerated() {
                let x = at % columns, y = at / columns
                let own = Int32(brightness[x, y]), motion = field.vectors[x, y]
                var total: Int32 = 0, sum = SIMD2<Int32>(0, 0)
                for j in max(y - 1, 0)...min(y + 1, rows - 1) {
                    for i in max(x - 1, 0)...min(x + 1, columns - 1) {
                        let v = field.vectors[i, j]
                        let weight =
                            2048 / (2 + abs(own - Int32(brightness[i, j]))) * 16 / (16 + v.distance(to: motion))
                        total += weight
                        sum &+= SIMD2<Int32>(truncatingIfNeeded: v) &* weight
                    }
                }
                evened[index] = MotionVector(truncatingIfNeeded: sum / total)
            }
            for (index, at) in holes.enumerated() { field.vectors[at % columns, at / columns] = evened[index] }
        }
    }
}

extension MotionPair {
    /// The pair with a guess, taken from the surroundings, at the motion of what is seen in one of the frames only.
    ///
    /// The fields of the coarser levels stay as they are: as predictors, matches have proved better than guesses.
    ///
    /// - Parameter inconsistency: of each field with the other, as ``CellField/inconsistency(with:threads:)`` gives it.
    package func filled(
        _ a: LumaPyramid, _ b: LumaPyramid,
        inconsistency: (forward: CellGrid<UInt16>, backward: CellGrid<UInt16>), threads: Int
    ) -> MotionPair {
        let fills = [
            FlowFill(forward, inconsistency: inconsistency.forward, pyramid: a, level: level),
            FlowFill(backward, inconsistency: inconsistency.backward, pyramid: b, level: level),
        ]
        parallelFor(2, threads: threads) { fills[$0].run() }
        return MotionPair(
            level: level, forward: fills[0].field, backward: fills[1].field, forwardLevels: forwardLevels,
            backwardLevels: backwardLevels)
    }
}
