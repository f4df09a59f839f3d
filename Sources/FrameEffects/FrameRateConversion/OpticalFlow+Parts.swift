package import Motion
import FrameCore

extension OpticalFlow {
    /// The motion between neighbours of a row of pictures: the source, one at each phase, the next.
    ///
    /// What moves from the source to the next passes the phases on its way, so nothing need be looked for again.
    ///
    /// - Parameter phases: ascending, between 0 and 1.
    /// - Returns: one more than there are phases.
    package func parts(at phases: [Float], threads: Int) -> [OpticalFlow] {
        let columns = forward.columns, rows = forward.rows
        // Motion over the whole way, where it stands at each picture.
        var stations: [(time: Float, whole: CellGrid<MotionVector>)] = [(0, forward.cells.vectors)]
        for phase in phases {
            let splat = ForwardSplat(
                forward: (forward.cells, forward.consistencyErrors),
                backward: (backward.cells, backward.consistencyErrors),
                t: Int32((phase * 1024).rounded()))
            parallelFor(splat.bands, threads: threads) { splat.splat(band: $0) }
            stations.append((phase, splat.filled()))
        }
        let reversed = CellGrid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        for i in 0..<columns * rows { reversed.base[i] = .zero &- backward.cells.vectors.base[i] }
        stations.append((1, reversed))
        func share(_ whole: CellGrid<MotionVector>, _ part: Float) -> CellGrid<MotionVector> {
            let result = CellGrid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
            let factor = Int32((part * 1024).rounded())
            for i in 0..<columns * rows {
                let v = SIMD2<Int32>(truncatingIfNeeded: whole.base[i])
                result.base[i] = MotionVector(clamping: (v &* factor &+ 512) &>> 10)
            }
            return result
        }
        return zip(stations, stations.dropFirst()).map { from, to in
            OpticalFlow(
                width: width, height: height, level: forward.level, forward: share(from.whole, to.time - from.time),
                backward: share(to.whole, from.time - to.time), threads: threads)
        }
    }
}
