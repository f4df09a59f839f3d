import FrameCore
import Motion

/// Motion and blending weights for the picture at one phase, on a grid of square cells.
struct PhaseField {
    /// Side of a cell in luma samples, as a power of two.
    let sideLog2: Int
    /// Components of the vector from the first to the second neighbour, in 1/32 luma sample divided by 2^`level`.
    let vx: CellGrid<Int16>
    let vy: CellGrid<Int16>
    let level: Int
    /// Share of the second neighbour, 0…256.
    let weight: CellGrid<Int16>
    let fallbacks: FallbackCounts

    /// Splats both fields forward to the phase, resolves collisions, fills holes and weighs what either neighbour shows.
    init(
        _ flow: OpticalFlow, a: LumaPyramid, b: LumaPyramid, phase: Float, threads: Int
    ) {
        let t = Int32((phase * 1024).rounded()), coarsest = flow.forward.level
        let splat = ForwardSplat(
            forward: (flow.forward.cells, flow.forward.consistencyErrors),
            backward: (flow.backward.cells, flow.backward.consistencyErrors),
            t: t)
        parallelFor(splat.bands, threads: threads) { splat.splat(band: $0) }
        var cells = PhaseCells(
            vectors: splat.filled(),
            matcher: PhaseMatcher(a: a.levels[coarsest], b: b.levels[coarsest], t: t, cellLog2: 2),
            threads: threads)
        cells.measure()
        for _ in 0..<2 { cells.select(rank: splat.rank) }
        var level = coarsest
        // Cells half as large follow object edges better; a finer level of the pyramid serves if there is one.
        if level > 0 {
            level -= 1
            cells = cells.refined(PhaseMatcher(a: a.levels[level], b: b.levels[level], t: t, cellLog2: 2), scale: 2)
        } else {
            cells = cells.refined(PhaseMatcher(a: a.levels[0], b: b.levels[0], t: t, cellLog2: 1), scale: 1)
        }
        cells.straighten(rounds: 2)
        cells.preferStill()
        self.level = level
        sideLog2 = level + cells.matcher.cellLog2
        let columns = cells.columns, rows = cells.rows
        vx = CellGrid(columns: columns, rows: rows, filledWith: 0)
        vy = CellGrid(columns: columns, rows: rows, filledWith: 0)
        weight = CellGrid(columns: columns, rows: rows, filledWith: 0)
        let vx = vx, vy = vy, weight = weight, final = cells
        let visibility = PhaseVisibility(
            forward: flow.forward.cells, backward: flow.backward.cells, t: t, cellLog2: sideLog2 - coarsest,
            vectorShift: coarsest - level)
        let counts = CellGrid<CellCounts>(columns: 1, rows: rows, filledWith: CellCounts())
        parallelFor((rows + 15) / 16, threads: threads) { band in
            for y in band * 16..<min(rows, band * 16 + 16) {
                var row = CellCounts()
                for x in 0..<columns {
                    let v = final.vectors[x, y]
                    vx[x, y] = v.x
                    vy[x, y] = v.y
                    let share = visibility.weight(v, x: x, y: y, difference: final.difference[x, y])
                    weight[x, y] = share.second
                    row.count(share)
                }
                counts[0, y] = row
            }
        }
        var total = CellCounts()
        for y in 0..<rows { total.add(counts[0, y]) }
        fallbacks = Self.fallBack(
            total, cells: columns * rows, sideLog2: sideLog2, t: t, vx: vx, vy: vy, weight: weight)
    }

    /// Where motion explains too little of the picture, it is not used at all: more than two cells in five unexplained
    /// give a cross-fade, more than four in five the nearer neighbour.
    private static func fallBack(
        _ total: CellCounts, cells: Int, sideLog2: Int, t: Int32, vx: CellGrid<Int16>, vy: CellGrid<Int16>,
        weight: CellGrid<Int16>
    ) -> FallbackCounts {
        // Reported in cells of 8×8.
        func scaled(_ count: Int) -> Int {
            sideLog2 >= 3 ? count << (2 * (sideLog2 - 3)) : count >> (2 * (3 - sideLog2))
        }
        var result = FallbackCounts()
        let lost = Int(total.unexplained) * 5
        if lost > 2 * cells {
            let repeats = lost > 4 * cells
            let share: Int16 = repeats ? (t < 512 ? 0 : 256) : Int16((t + 2) >> 2)
            vx.base.update(repeating: 0, count: cells)
            vy.base.update(repeating: 0, count: cells)
            weight.base.update(repeating: share, count: cells)
            if repeats { result.repeated = scaled(cells) } else { result.blended = scaled(cells) }
            return result
        }
        result.oneSide = scaled(Int(total.oneSide))
        result.bothSides = scaled(cells) - result.oneSide
        return result
    }
}

/// How the cells of a row were filled.
struct CellCounts: BitwiseCopyable {
    var oneSide: Int32 = 0
    var unexplained: Int32 = 0

    mutating func count(_ share: PhaseVisibility.Share) {
        if share.second < 26 || share.second > 230 { oneSide &+= 1 }
        if share.isUnexplained { unexplained &+= 1 }
    }

    mutating func add(_ other: CellCounts) {
        oneSide &+= other.oneSide
        unexplained &+= other.unexplained
    }
}

/// Visibility of a cell in either neighbour, by whether the thing found there moves the way the cell does.
struct PhaseVisibility: Sendable {
    let forward: CellField
    let backward: CellField
    /// Phase in 1/1024.
    let t: Int32
    /// Side of the cells in samples of the motion's level, as a power of two.
    let cellLog2: Int
    /// Power of two by which their vectors are longer than the motion's.
    let vectorShift: Int

    struct Share {
        /// Share of the second neighbour, 0…256.
        var second: Int16
        /// Neither neighbour shows anything that moves like this, and they do not look alike either.
        var isUnexplained: Bool
    }

    /// - Parameter difference: of both neighbours along `v`, as by ``PhaseMatcher``.
    @inline(__always)
    func weight(_ v: MotionVector, x: Int, y: Int, difference: Int32) -> Share {
        let wide = SIMD2<Int32>(truncatingIfNeeded: v) &>> Int32(vectorShift)
        // Centre of the cell in 1/128 motion cells from the centre of the first one.
        let cx = Int32((2 * x + 1) << (cellLog2 + 4)) &- 64, cy = Int32((2 * y + 1) << (cellLog2 + 4)) &- 64
        let ax = cx &- (wide.x &* t) >> 10, ay = cy &- (wide.y &* t) >> 10
        let bx = ax &+ wide.x, by = ay &+ wide.y
        let fromA = forward.sample(x: ax, y: ay) &- wide
        let fromB = backward.sample(x: bx, y: by) &+ wide
        let d = Float(difference) * Float(difference) * (1 / 4096)
        let limitX = Int32(forward.columns) &* 128 &- 64, limitY = Int32(forward.rows) &* 128 &- 64
        func isSeen(_ x: Int32, _ y: Int32) -> Bool { x >= -64 && y >= -64 && x <= limitX && y <= limitY }
        let isSeenByBoth = isSeen(ax, ay) && isSeen(bx, by)
        // Where one neighbour shows nothing the difference says nothing; only the motion found there can explain it.
        let matched: Float = isSeenByBoth ? 0.001 + 0.3 / (1 + d * d) : 0.001
        func trust(_ e: SIMD2<Int32>, _ x: Int32, _ y: Int32) -> Float {
            guard isSeen(x, y) else { return 0.0001 }
            let q = 1 + (Float(e.x) * Float(e.x) + Float(e.y) * Float(e.y)) * (1 / 1024)
            return 1 / (q * q) + matched
        }
        let phase = Float(t) / 1024
        let trustA = trust(fromA, ax, ay), trustB = trust(fromB, bx, by)
        let w0 = trustA * (1 - phase), w1 = trustB * phase
        return Share(
            second: Int16(256 * w1 / (w0 + w1) + 0.5),
            isUnexplained: (difference > 192 || !isSeenByBoth) && max(trustA, trustB) < 0.1)
    }
}
