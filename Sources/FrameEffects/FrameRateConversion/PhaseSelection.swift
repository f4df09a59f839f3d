import FrameCore
import Kernels
import Motion

/// Compares both neighbours along a vector through a cell of the picture at a phase.
struct PhaseMatcher: Sendable {
    let a: PaddedPlane
    let b: PaddedPlane
    /// Phase in 1/1024.
    let t: Int32

    /// Mean absolute difference of 8×8 samples centred on the cell, in 1/16 grey level.
    @inline(__always)
    func difference(_ v: MotionVector, x: Int, y: Int) -> Int32 {
        let back = SIMD2<Int32>(truncatingIfNeeded: v) &* (0 &- t), ahead = SIMD2<Int32>(truncatingIfNeeded: v) &* (1024 &- t)
        let place = SIMD2<Int32>(Int32(x) * 4 - 2, Int32(y) * 4 - 2) &* 32
        let low = SIMD2<Int32>(repeating: -(Int32(LumaPyramid.margin) - 10) * 32)
        let high = (SIMD2<Int32>(Int32(a.width), Int32(a.height)) &- 8 &+ (Int32(LumaPyramid.margin) - 10)) &* 32
        let p = (place &+ (back &+ 512) &>> 10).clamped(lowerBound: low, upperBound: high)
        let q = (place &+ (ahead &+ 512) &>> 10).clamped(lowerBound: low, upperBound: high)
        var fractions = SIMD4<Int32>(p.x & 31, p.y & 31, q.x & 31, q.y & 31)
        let sum = withUnsafePointer(to: &fractions) {
            kernels.sad_subpixel_8x8(
                a.bytes + Int(p.y &>> 5) * a.stride + Int(p.x &>> 5), a.stride, b.bytes + Int(q.y &>> 5) * b.stride + Int(q.x &>> 5), b.stride,
                UnsafeRawPointer($0).assumingMemoryBound(to: Int32.self))
        }
        return Int32(sum >> 6)
    }
}

/// Lets cells whose motion does not match both neighbours try the motion of the cells around them.
struct PhaseSelection {
    let matcher: PhaseMatcher
    let columns: Int
    let rows: Int

    /// One round: reads `from`, writes `to`. Differences below `good` (1/16 grey level) are left alone.
    func run(
        rows band: Range<Int>, from: Grid<MotionVector>, _ fromDifference: Grid<Int32>, to: Grid<MotionVector>, _ toDifference: Grid<Int32>,
        rank: Grid<UInt32>, good: Int32, smoothness: Int32
    ) {
        for y in band {
            for x in 0..<columns {
                var best = from[x, y], bestDifference = fromDifference[x, y]
                if bestDifference > good, rank[x, y] > UInt32(knob(6, 128)) {
                    var bestCost = bestDifference &+ disagreement(best, x, y, from) &* smoothness >> 5
                    let own = best
                    for (dx, dy) in Self.around {
                        let nx = x + dx, ny = y + dy
                        guard nx >= 0, ny >= 0, nx < columns, ny < rows else { continue }
                        let v = from[nx, ny]
                        if distance(v, best) < 16 || distance(v, own) < 16 { continue }
                        let penalty = disagreement(v, x, y, from) &* smoothness >> 5
                        if penalty >= bestCost { continue }
                        let d = matcher.difference(v, x: x, y: y)
                        if d &+ penalty < bestCost {
                            bestCost = d &+ penalty
                            best = v
                            bestDifference = d
                        }
                    }
                }
                to[x, y] = best
                toDifference[x, y] = bestDifference
            }
        }
    }

    private static let around = [(-1, 0), (1, 0), (0, -1), (0, 1), (-2, -2), (2, -2), (-2, 2), (2, 2), (-3, 0), (3, 0), (0, -3), (0, 3)]

    @inline(__always)
    private func distance(_ v: MotionVector, _ w: MotionVector) -> Int32 {
        let d = SIMD2<Int32>(truncatingIfNeeded: v) &- SIMD2<Int32>(truncatingIfNeeded: w)
        return abs(d.x) &+ abs(d.y)
    }

    /// Mean capped distance to the four neighbours' motion, 1/32 sample.
    @inline(__always)
    private func disagreement(_ v: MotionVector, _ x: Int, _ y: Int, _ from: Grid<MotionVector>) -> Int32 {
        (min(distance(v, from.clamped(x - 1, y)), 256) &+ min(distance(v, from.clamped(x + 1, y)), 256)
            &+ min(distance(v, from.clamped(x, y - 1)), 256) &+ min(distance(v, from.clamped(x, y + 1)), 256)) >> 2
    }
}
