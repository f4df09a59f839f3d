import FrameCore
import Kernels
import Motion

/// Compares both neighbours along a vector through a cell of the picture at a phase.
struct PhaseMatcher: Sendable {
    let a: PaddedPlane
    let b: PaddedPlane
    /// Phase in 1/1024.
    let t: Int32
    /// Side of a cell in samples of the planes, as a power of two.
    let cellLog2: Int

    /// Mean absolute difference of 8×8 samples centred on the cell, in 1/16 grey level.
    @inline(__always)
    func difference(_ v: MotionVector, x: Int, y: Int) -> Int32 {
        let reach = Int32(LumaPyramid.margin) &- 10
        let px = Int32(truncatingIfNeeded: (2 &* x &+ 1) << (cellLog2 &- 1)) &- 4
        let py = Int32(truncatingIfNeeded: (2 &* y &+ 1) << (cellLog2 &- 1)) &- 4
        let vx = Int32(v.x), vy = Int32(v.y), rest = 1024 &- t
        let low = -reach &* 32
        let highX = (Int32(a.width) &- 8 &+ reach) &* 32, highY = (Int32(a.height) &- 8 &+ reach) &* 32
        let backX = (vx &* t &+ 512) >> 10, backY = (vy &* t &+ 512) >> 10
        let aheadX = (vx &* rest &+ 512) >> 10, aheadY = (vy &* rest &+ 512) >> 10
        let ax = limit(px &* 32 &- backX, low, highX), ay = limit(py &* 32 &- backY, low, highY)
        let bx = limit(px &* 32 &+ aheadX, low, highX), by = limit(py &* 32 &+ aheadY, low, highY)
        var fractions = SIMD4<Int32>(ax & 31, ay & 31, bx & 31, by & 31)
        let sum = withUnsafePointer(to: &fractions) {
            let p = a.bytes + (Int(ay >> 5) &* a.stride &+ Int(ax >> 5)), q = b.bytes + (Int(by >> 5) &* b.stride &+ Int(bx >> 5))
            return kernels.sad_subpixel_8x8(p, a.stride, q, b.stride, UnsafeRawPointer($0).assumingMemoryBound(to: Int32.self))
        }
        return Int32(truncatingIfNeeded: sum >> 6)
    }

    @inline(__always)
    private func limit(_ v: Int32, _ low: Int32, _ high: Int32) -> Int32 { v < low ? low : v > high ? high : v }
}
