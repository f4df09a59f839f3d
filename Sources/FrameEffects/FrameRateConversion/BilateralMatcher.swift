import FrameCore
import Kernels
import Motion

/// Parameters of bilateral matching. The values were chosen by hand, November 2026.
private enum MatcherParameters {
    /// Difference of a vector that leaves the frame, in 1/16 grey level: four levels. There is nothing to compare, and
    /// a comparison with replicated edges would prefer any vector that stays inside.
    static let outsideDifference: Int32 = 64
    /// How far a block may extend outside the frame with its difference still counted in full, in 1/32 sample: half the
    /// block.
    static let freeOverhang: Int32 = 128
    /// Overhang beyond ``freeOverhang`` over which the difference blends into ``outsideDifference``, in 1/32 sample.
    /// 2^7, since the blend shifts by 7.
    static let overhangRamp: Int32 = 128
}

/// Bilateral matching: compares the two neighbours along a vector through a cell of the frame at a phase.
struct BilateralMatcher: Sendable {
    /// Luma of the first neighbour.
    let a: PaddedPlane
    /// Luma of the second neighbour.
    let b: PaddedPlane
    /// The phase in 1/1024.
    let t: Int32
    /// log2 of the side of a cell in samples of the planes.
    let cellLog2: Int

    /// Returns the mean absolute difference of 8×8 samples centred on the cell along `v`, in 1/16 grey level. For
    /// blocks 4 to 8 samples outside a frame, it blends into a fixed value.
    @inline(__always)
    func difference(_ v: MotionVector, x: Int, y: Int) -> Int32 {
        let reach = Int32(LumaPyramid.blockReach)
        let px = Int32(truncatingIfNeeded: (2 &* x &+ 1) << (cellLog2 &- 1)) &- 4
        let py = Int32(truncatingIfNeeded: (2 &* y &+ 1) << (cellLog2 &- 1)) &- 4
        let vx = Int32(v.x), vy = Int32(v.y), rest = 1024 &- t
        let low = -reach &* 32
        let highX = (Int32(a.width) &- 8 &+ reach) &* 32, highY = (Int32(a.height) &- 8 &+ reach) &* 32
        let backX = (vx &* t &+ 512) >> 10, backY = (vy &* t &+ 512) >> 10
        let aheadX = (vx &* rest &+ 512) >> 10, aheadY = (vy &* rest &+ 512) >> 10
        let outside = max(
            overhang(px &* 32 &- backX, a.width) &+ overhang(py &* 32 &- backY, a.height),
            overhang(px &* 32 &+ aheadX, b.width) &+ overhang(py &* 32 &+ aheadY, b.height))
        let ax = limit(px &* 32 &- backX, low, highX), ay = limit(py &* 32 &- backY, low, highY)
        let bx = limit(px &* 32 &+ aheadX, low, highX), by = limit(py &* 32 &+ aheadY, low, highY)
        var fractions = SIMD4<Int32>(ax & 31, ay & 31, bx & 31, by & 31)
        let sum = withUnsafePointer(to: &fractions) {
            let p = a.bytes + (Int(ay >> 5) &* a.stride &+ Int(ax >> 5)),
                q = b.bytes + (Int(by >> 5) &* b.stride &+ Int(bx >> 5))
            return kernels.sad_subpixel_8x8(
                p, a.stride, q, b.stride, UnsafeRawPointer($0).assumingMemoryBound(to: Int32.self))
        }
        let inside = Int32(truncatingIfNeeded: sum >> 6)
        if outside <= MatcherParameters.freeOverhang { return inside }
        let ramp = MatcherParameters.overhangRamp, share = min(outside &- MatcherParameters.freeOverhang, ramp)
        return (inside &* (ramp &- share) &+ MatcherParameters.outsideDifference &* share) >> 7
    }

    /// Returns how far a block that starts at `start` extends outside a side of `size` samples, in 1/32 sample.
    @inline(__always)
    private func overhang(_ start: Int32, _ size: Int) -> Int32 {
        max(0, -start) &+ max(0, start &+ 256 &- Int32(truncatingIfNeeded: size) &* 32)
    }

    @inline(__always)
    private func limit(_ v: Int32, _ low: Int32, _ high: Int32) -> Int32 { v < low ? low : v > high ? high : v }
}
