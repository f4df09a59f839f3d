import Motion

/// Parameters of the motion of the ground under overlays. Motion is in 1/32 luma sample. The values were chosen by hand,
/// November 2026.
private enum OverlayFlowParameters {
    /// Cells round an overlay whose blocks reach into it.
    static let reach = 2
    /// Further cells round it whose motion is doubted where it differs from that of the ground.
    static let doubt = 4
    /// Distance from the motion of the ground up to which a motion is not doubted: one sample, and half its length.
    static let agreement: Int32 = 32
}

extension OpticalFlow {
    /// Returns the motion of the ground: the cells of an overlay, and those beside it that have taken its motion, get the
    /// motion of the cells round them.
    func withoutOverlay(_ grid: OverlayGrid, _ ground: GroundMotion) -> OpticalFlow {
        func cleaned(_ field: FlowField, _ sign: Int32) -> FlowField {
            let covered = Buffer2D<UInt8>(columns: field.columns, rows: field.rows, filledWith: 0)
            let side = field.level + 2
            for run in grid.runs {
                let last = min((run.columns.upperBound - 1) >> side, field.columns - 1)
                for x in run.columns.lowerBound >> side...last { covered[x, min(run.y >> side, field.rows - 1)] = 1 }
            }
            typealias P = OverlayFlowParameters
            let near = covered.dilated(by: P.reach), far = near.dilated(by: P.doubt)
            for y in 0..<field.rows {
                for x in 0..<field.columns where far[x, y] != 0 && near[x, y] == 0 {
                    guard let motion = ground.motion(x / GroundMotion.side, y / GroundMotion.side) else { continue }
                    let v = SIMD2<Int32>(truncatingIfNeeded: field.cells.vectors[x, y]) &<< Int32(field.level)
                    let distance = GroundMotion.length(v &- motion &* sign)
                    if distance > P.agreement + GroundMotion.length(motion) / 2 { near[x, y] = 1 }
                }
            }
            return field.filled(where: near)
        }
        let there = cleaned(forward, 1), back = cleaned(backward, -1)
        // Both have the size and the cells of the fields they come from.
        return (try? OpticalFlow(forward: there, backward: back)) ?? self
    }
}

extension Buffer2D<UInt8> {
    /// Returns 1 for each element that has one other than 0 at most `distance` away in each direction.
    func dilated(by distance: Int) -> Buffer2D<UInt8> {
        let wide = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        for y in 0..<rows {
            for x in 0..<columns where self[x, y] != 0 {
                for i in Swift.max(0, x - distance)...Swift.min(columns - 1, x + distance) { wide[i, y] = 1 }
            }
        }
        let result = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        for y in 0..<rows {
            for x in 0..<columns where wide[x, y] != 0 {
                for j in Swift.max(0, y - distance)...Swift.min(rows - 1, y + distance) { result[x, j] = 1 }
            }
        }
        return result
    }
}
