import FrameCore
import Motion

/// Parameters of the curvature of paths. The values were chosen by hand, November 2026, on clips that no benchmark uses.
private enum CurvatureParameters {
    /// Consistency error, in 1/32 sample of the flow's level, at or above which a cell's motion is not used: 4 samples.
    static let maximumError: Int32 = 128
    /// Consistency error at which a cell has half its weight, likewise.
    static let halfError: Int32 = 8
    /// Largest second difference in each component, in 1/32 sample of the flow's level: 128 samples.
    static let limit: Int32 = 4096
    /// Distance in cells up to which second differences are averaged.
    static let radius = 2
    /// The same where hardly any cell within ``radius`` is consistent.
    static let wideRadius = 6
    /// Mean weight of the cells around, of ``weightScale``, up to which the wider mean is taken.
    static let fewWeight: Int32 = 13
    /// Mean weight of the cells within ``wideRadius``, of ``weightScale``, up to which nothing is known.
    static let leastWeight: Int32 = 3
    /// Weight of a cell without a consistency error.
    static let weightScale: Int32 = 255
}

/// How the paths of content bend at the two frames of a pair: the second differences of its positions, from the motion of
/// this pair and of the pairs before and after it.
///
/// Motion from one frame to the next says nothing about the way between them; the simplest is a straight line at constant
/// speed. Content that speeds up, slows down or turns is elsewhere halfway. With its positions in four frames, its path is
/// the cubic polynomial through them (X. Xu, L. Siyao, W. Sun, Q. Yin and M.-H. Yang, *Quadratic video interpolation*,
/// NeurIPS 2019, with three).
struct PathCurvature {
    /// The pyramid level of the cells.
    let level: Int
    /// The second differences at the cells of the first frame; nil if the pair before is not known.
    let first: SecondDifferences?
    /// The second differences at the cells of the second frame; nil if the pair after is not known.
    let second: SecondDifferences?

    /// - Parameters:
    ///   - flow: the motion between the two frames.
    ///   - shown: the motion from which frames are made. Where it is another than `flow`, as under an overlay, the
    ///     curvature is that of the surroundings.
    ///   - outer: the motion from the two frames outwards.
    ///   - context: the threads and kernels to use.
    init(_ flow: OpticalFlow, shown: OpticalFlow, outer: OuterMotion, context: ExecutionContext) {
        func differences(_ flow: FlowField, _ shown: FlowField, _ away: FlowField?) -> SecondDifferences? {
            away.map { SecondDifferences(flow, shown: shown, away: $0, context: context) }
        }
        level = flow.forward.level
        first = differences(flow.forward, shown.forward, outer.first)
        second = differences(flow.backward, shown.backward, outer.second)
    }
}

/// The second differences of positions in three successive frames, at the cells of the middle one.
struct SecondDifferences {
    /// The sums of weighted second differences around each cell, in 1/32 sample of the level, and of the weights; zero
    /// where nothing is known.
    private let sums: Buffer2D<SIMD4<Int32>>

    /// - Parameters:
    ///   - flow: the motion from the middle frame to one of the others.
    ///   - shown: see ``PathCurvature/init(_:shown:outer:context:)``.
    ///   - away: the motion from the middle frame to the other one.
    fileprivate init(_ flow: FlowField, shown: FlowField, away: FlowField, context: ExecutionContext) {
        typealias P = CurvatureParameters
        let columns = flow.columns, rows = flow.rows
        let cells = Buffer2D<SIMD4<Int32>>(columns: columns, rows: rows, filledWith: .zero)
        parallelBands(rows, height: 16, threads: context.threads) { band in
            for i in band.lowerBound * columns..<band.upperBound * columns {
                let error = Int32(max(flow.consistencyErrors.base[i], away.consistencyErrors.base[i]))
                let v = flow.cells.vectors.base[i], w = away.cells.vectors.base[i]
                guard error < P.maximumError, v == shown.cells.vectors.base[i] else { continue }
                let weight = P.weightScale * P.halfError / (P.halfError + error)
                let limit = P.limit
                let x = min(max(Int32(v.x) + Int32(w.x), -limit), limit)
                let y = min(max(Int32(v.y) + Int32(w.y), -limit), limit)
                cells.base[i] = SIMD4(x &* weight, y &* weight, weight, 0)
            }
        }
        let near = cells.summed(radius: P.radius, context: context)
        func area(_ radius: Int) -> Int32 { Int32((2 * radius + 1) * (2 * radius + 1)) }
        let few = P.fewWeight * area(P.radius), least = P.leastWeight * area(P.wideRadius)
        if (0..<columns * rows).contains(where: { near.base[$0].z <= few }) {
            let far = cells.summed(radius: P.wideRadius, context: context)
            parallelBands(rows, height: 16, threads: context.threads) { band in
                for i in band.lowerBound * columns..<band.upperBound * columns where near.base[i].z <= few {
                    near.base[i] = far.base[i].z > least ? far.base[i] : .zero
                }
            }
        }
        sums = near
    }

    /// Returns the second difference at a position in cells, in samples of the level; nil where it is not known.
    @inline(__always)
    func at(_ position: SIMD2<Float>) -> SIMD2<Float>? {
        guard position.x >= 0, position.y >= 0, position.x < Float(sums.columns), position.y < Float(sums.rows) else {
            return nil
        }
        let sum = sums[Int(position.x), Int(position.y)]
        guard sum.z > 0 else { return nil }
        return SIMD2(Float(sum.x), Float(sum.y)) / (32 * Float(sum.z))
    }
}

extension Buffer2D where Element == SIMD4<Int32> {
    /// Returns the sums of the elements of squares around each element; beyond an edge, its elements are repeated.
    fileprivate func summed(radius: Int, context: ExecutionContext) -> Buffer2D {
        let across = Buffer2D(columns: columns, rows: rows), result = Buffer2D(columns: columns, rows: rows)
        parallelBands(rows, height: 16, threads: context.threads) { band in
            for y in band {
                let from = base + y * columns, to = across.base + y * columns
                var sum = Element.zero
                for x in -radius...radius { sum &+= from[Swift.min(Swift.max(x, 0), columns - 1)] }
                for x in 0..<columns {
                    to[x] = sum
                    sum &+= from[Swift.min(x + radius + 1, columns - 1)]
                    sum &-= from[Swift.max(x - radius, 0)]
                }
            }
        }
        parallelBands(rows, height: 32, threads: context.threads) { band in
            let sums = Scratch<Element>(columns, filledWith: .zero)
            func row(_ y: Int) -> UnsafePointer<Element> {
                UnsafePointer(across.base + Swift.min(Swift.max(y, 0), rows - 1) * columns)
            }
            for y in band.lowerBound - radius...band.lowerBound + radius {
                let row = row(y)
                for x in 0..<columns { sums.base[x] &+= row[x] }
            }
            for y in band {
                let to = result.base + y * columns, entering = row(y + radius + 1), leaving = row(y - radius)
                for x in 0..<columns {
                    to[x] = sums.base[x]
                    sums.base[x] = sums.base[x] &+ entering[x] &- leaving[x]
                }
            }
        }
        return result
    }
}
