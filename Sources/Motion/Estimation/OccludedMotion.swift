package import FrameCore

/// Parameters of the motion of occluded content. Motion is in 1/32 sample of the field's level. The values were chosen by
/// hand, November 2026, on clips that no benchmark uses.
private enum OccludedMotionParameters {
    /// Consistency error above which the motion of a cell is replaced: two samples.
    static let inconsistent: UInt16 = 64
    /// Consistency error below which motion is relied on: one sample.
    static let consistent: UInt16 = 32
    /// Distances, in cells, at which other cells are compared, in eight directions.
    static let distances = [1, 2, 3, 4, 6, 8, 12]
    /// Difference in motion beyond which another cell belongs to something else: eight samples.
    static let alike: Int32 = 256
    /// Rows of cells that are processed as one unit.
    static let bandRows = 8
}

extension FlowField {
    /// Returns the field with the motion of occluded cells found from where their content was on the other side.
    ///
    /// Content that the other frame of a pair hides can be matched with nothing there. ``OcclusionFill`` guesses its motion
    /// from its surroundings. But the frame on the other side of the pair mostly shows that content: what is about to be
    /// covered was visible before, and what has just been uncovered remains visible. So an inconsistent cell
    /// is compared with the visible cells around it by its motion to that frame. It takes the motion of the one that moves
    /// most like it there. If none does, it is assumed to move at constant speed.
    ///
    /// - Parameters:
    ///   - outer: the motion from the same frame to the one on its other side, on the same grid.
    ///   - context: the threads and kernels to use.
    package func occlusionsTracked(by outer: FlowField, context: ExecutionContext) -> FlowField {
        typealias P = OccludedMotionParameters
        let columns = columns, rows = rows
        let from = cells.vectors, errors = consistencyErrors, away = outer.cells.vectors
        let awayErrors = outer.consistencyErrors, to = Buffer2D(copying: from)
        parallelBands(rows, height: P.bandRows, threads: context.threads) { band in
            for y in band {
                for x in 0..<columns where errors[x, y] > P.inconsistent && awayErrors[x, y] < P.consistent {
                    let own = away[x, y]
                    var best = MotionVector(0 &- own.x, 0 &- own.y), least = P.alike
                    for distance in P.distances {
                        for (dx, dy) in Self.directions {
                            let nx = x &+ dx &* distance, ny = y &+ dy &* distance
                            guard nx >= 0, ny >= 0, nx < columns, ny < rows, errors[nx, ny] < P.consistent,
                                awayErrors[nx, ny] < P.consistent
                            else { continue }
                            let cost = away[nx, ny].distance(to: own) &+ Int32(truncatingIfNeeded: distance)
                            if cost < least { (best, least) = (from[nx, ny], cost) }
                        }
                    }
                    to[x, y] = best
                }
            }
        }
        return FlowField(
            width: width, height: height, level: level, cells: MotionVectorField(vectors: to, costs: cells.costs),
            consistencyErrors: consistencyErrors, confidence: lazyConfidence)
    }

    private static let directions = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
}
