import FrameCore
import Motion

/// Motion and blending weights for the picture at one phase, on the cells of the motion fields.
struct PhaseField {
    /// Components of the vector from the first to the second neighbour, in 1/32 sample of the field's level.
    let vx: Grid<Int16>
    let vy: Grid<Int16>
    /// Share of the second neighbour, 0…256.
    let weight: Grid<Int16>

    /// Carries both fields to the phase, settles collisions, fills holes and judges what either neighbour shows.
    init(_ motion: MotionPair, errors: (forward: Grid<UInt16>, backward: Grid<UInt16>), a: LumaPyramid, b: LumaPyramid, phase: Float, threads: Int) {
        let columns = motion.forward.columns, rows = motion.forward.rows
        vx = Grid(columns: columns, rows: rows, filledWith: 0)
        vy = Grid(columns: columns, rows: rows, filledWith: 0)
        weight = Grid(columns: columns, rows: rows, filledWith: 0)
        let t = Int32((phase * 1024).rounded())
        let landing = Landing(columns: columns, rows: rows)
        let count = (rows + Landing.bandRows - 1) / Landing.bandRows
        parallelFor(count, threads: threads) { band in
            landing.settle(band: band, motion.forward, errors.forward, share: t, sign: 1)
            landing.settle(band: band, motion.backward, errors.backward, share: 1024 - t, sign: -1)
            landing.collect(band: band, motion.forward, errors.forward, share: t, sign: 1)
            landing.collect(band: band, motion.backward, errors.backward, share: 1024 - t, sign: -1)
        }
        var chosen = landing.filled()
        let matcher = PhaseMatcher(a: a.levels[motion.level], b: b.levels[motion.level], t: t)
        var difference = Grid<Int32>(columns: columns, rows: rows, filledWith: 0)
        do {
            let chosen = chosen, difference = difference
            parallelFor(count, threads: threads) { band in
                for y in band * Landing.bandRows..<min(rows, (band + 1) * Landing.bandRows) {
                    for x in 0..<columns { difference[x, y] = matcher.difference(chosen[x, y], x: x, y: y) }
                }
            }
        }
        let selection = PhaseSelection(matcher: matcher, columns: columns, rows: rows)
        var spare = Grid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        var spareDifference = Grid<Int32>(columns: columns, rows: rows, filledWith: 0)
        for _ in 0..<Int(knob(14, 2)) {
            let from = chosen, fromDifference = difference, to = spare, toDifference = spareDifference
            parallelFor(count, threads: threads) { band in
                selection.run(
                    rows: band * Landing.bandRows..<min(rows, (band + 1) * Landing.bandRows), from: from, fromDifference, to: to,
                    toDifference, rank: landing.rank, good: Int32(knob(15, 32)), smoothness: Int32(knob(7, 32)))
            }
            swap(&chosen, &spare)
            swap(&difference, &spareDifference)
        }
        let filled = chosen, match = difference
        let vx = vx, vy = vy, weight = weight
        parallelFor(count, threads: threads) { band in
            for y in band * Landing.bandRows..<min(rows, (band + 1) * Landing.bandRows) {
                for x in 0..<columns {
                    let v = filled[x, y]
                    vx[x, y] = v.x
                    vy[x, y] = v.y
                    weight[x, y] = PhaseField.weight(motion, v, x: x, y: y, t: t, difference: match[x, y])
                }
            }
        }
    }

    /// What a neighbour shows is judged by whether the thing found there moves the way this cell does.
    private static func weight(_ motion: MotionPair, _ v: MotionVector, x: Int, y: Int, t: Int32, difference: Int32) -> Int16 {
        let d = Float(difference) / 16
        let matched = 0.001 + knob(8, 0.3) / (1 + d * d / 16 * d * d / 16)
        let wide = SIMD2<Int32>(truncatingIfNeeded: v)
        let ax = Int32(x) * 128 - (wide.x * t) >> 10, ay = Int32(y) * 128 - (wide.y * t) >> 10
        let bx = ax + wide.x, by = ay + wide.y
        let fromA = motion.forward.sample(x: ax, y: ay) &- wide
        let fromB = motion.backward.sample(x: bx, y: by) &+ wide
        func trust(_ e: SIMD2<Int32>, _ x: Int32, _ y: Int32) -> Float {
            let limitX = Int32(motion.forward.columns) * 128 - 64, limitY = Int32(motion.forward.rows) * 128 - 64
            guard x >= -64, y >= -64, x <= limitX, y <= limitY else { return 0.0001 }
            let square = Float(e.x) * Float(e.x) + Float(e.y) * Float(e.y)
            let q = 1 + square * (1 / 1024)
            return 1 / (q * q) + matched
        }
        let phase = Float(t) / 1024
        let w0 = trust(fromA, ax, ay) * (1 - phase), w1 = trust(fromB, bx, by) * phase
        return Int16((256 * w1 / (w0 + w1)).rounded())
    }
}

/// Collects vectors where they land at the phase.
struct Landing {
    static let bandRows = 16

    let columns: Int
    let rows: Int
    /// Rank of the vector that owns the cell, lower is better.
    let rank: Grid<UInt32>
    private let owner: Grid<MotionVector>
    /// Sums of weight and weighted vector of all that agree with the owner.
    private let sum: Grid<SIMD4<Int32>>

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        rank = Grid(columns: columns, rows: rows, filledWith: .max)
        owner = Grid(columns: columns, rows: rows, filledWith: .zero)
        sum = Grid(columns: columns, rows: rows, filledWith: .zero)
    }

    @inline(__always)
    private func visit(
        band: Int, _ field: CellField, share: Int32, _ body: (_ from: Int, _ v: MotionVector, _ x: Int, _ y: Int, _ weight: Int32) -> Void
    ) {
        let first = band * Self.bandRows, last = min(rows, first + Self.bandRows)
        for y in 0..<rows {
            for x in 0..<columns {
                let v = field.vectors.base[y &* columns &+ x]
                let py = Int32(truncatingIfNeeded: y) &* 128 &+ (Int32(v.y) &* share) &>> 10
                let cy = Int(py &>> 7)
                if cy &+ 1 < first || cy >= last { continue }
                let px = Int32(truncatingIfNeeded: x) &* 128 &+ (Int32(v.x) &* share) &>> 10
                let cx = Int(px &>> 7), fx = px & 127, fy = py & 127
                for (dy, wy) in [(0, 128 - fy), (1, fy)] where cy + dy >= first && cy + dy < last {
                    for (dx, wx) in [(0, 128 - fx), (1, fx)] where cx + dx >= 0 && cx + dx < columns {
                        body(y &* columns &+ x, v, cx + dx, cy + dy, wx * wy)
                    }
                }
            }
        }
    }

    func settle(band: Int, _ field: CellField, _ errors: Grid<UInt16>, share: Int32, sign: Int16) {
        visit(band: band, field, share: share) { from, v, x, y, weight in
            guard weight >= 3000 else { return }
            let key = UInt32(errors.base[from]) &* 4 &+ UInt32(truncatingIfNeeded: (16384 - weight) >> 9) &+ field.costs.base[from] >> 3
            if key < rank[x, y] {
                rank[x, y] = key
                owner[x, y] = sign < 0 ? .zero &- v : v
            }
        }
    }

    func collect(band: Int, _ field: CellField, _ errors: Grid<UInt16>, share: Int32, sign: Int16) {
        visit(band: band, field, share: share) { from, v, x, y, weight in
            guard rank[x, y] != .max else { return }
            let v = sign < 0 ? .zero &- v : v
            let away = SIMD2<Int32>(truncatingIfNeeded: v) &- SIMD2<Int32>(truncatingIfNeeded: owner[x, y])
            guard abs(away.x) + abs(away.y) <= 40 else { return }
            let w = weight / (64 + Int32(min(errors.base[from], 2000)) * 4) 
            let s = SIMD4<Int32>(w, w &* Int32(v.x), w &* Int32(v.y), 0)
            sum[x, y] = sum[x, y] &+ s
        }
    }

    /// Mean vectors; cells where nothing landed take the mean of the nearest ring of settled ones.
    func filled() -> Grid<MotionVector> {
        let result = Grid<MotionVector>(columns: columns, rows: rows, filledWith: .zero)
        var holes: [(Int, Int)] = []
        for y in 0..<rows {
            for x in 0..<columns {
                let s = sum[x, y]
                if s.x > 0 {
                    result[x, y] = MotionVector(Int16(s.y / s.x), Int16(s.z / s.x))
                } else {
                    holes.append((x, y))
                }
            }
        }
        for (x, y) in holes {
            var radius = 1
            while radius < max(columns, rows) {
                var total = SIMD2<Int32>.zero, count: Int32 = 0
                for ny in max(0, y - radius)...min(rows - 1, y + radius) {
                    for nx in max(0, x - radius)...min(columns - 1, x + radius) where sum[nx, ny].x > 0 {
                        total = total &+ SIMD2<Int32>(truncatingIfNeeded: result[nx, ny])
                        count += 1
                    }
                }
                if count > 0 {
                    result[x, y] = MotionVector(truncatingIfNeeded: total / count)
                    break
                }
                radius *= 2
            }
        }
        return result
    }
}
