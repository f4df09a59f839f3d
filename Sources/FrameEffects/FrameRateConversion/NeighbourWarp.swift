import FrameCore
import Kernels
import Motion

/// Resamples a plane of both neighbours along the motion from the first to the second, as seen from a phase.
///
/// The resampled rows, predictions of the frame at the phase, have the depth ``PixelFormat/predictionDepth``.
struct NeighbourWarp {
    private let a: vfx_warp_source
    private let b: vfx_warp_source
    /// The scale with which vectors are added as they are.
    private static let wholeScale: Int32 = 16384
    private let scaleA: Int32
    private let scaleB: Int32
    private let format: PixelFormat
    private let context: ExecutionContext

    init(_ a: PaddedPlane, _ b: PaddedPlane, format: PixelFormat, phase: Float, context: ExecutionContext) {
        func source(_ plane: PaddedPlane) -> vfx_warp_source {
            vfx_warp_source(
                origin: plane.origin, stride: plane.stride, width: Int32(plane.width), height: Int32(plane.height),
                margin: Int32(ReferenceFrame.margin))
        }
        (self.a, self.b, self.format, self.context) = (source(a), source(b), format, context)
        scaleA = -Int32((phase * 16384).rounded())
        scaleB = scaleA + 16384
    }

    /// Resamples a part of a row of both neighbours.
    ///
    /// - Parameters:
    ///   - rowA: receives the samples of the first neighbour, 16 bits each.
    ///   - rowB: receives the samples of the second neighbour, likewise.
    ///   - vx: horizontal motion of each sample, in 1/32 sample of the plane.
    ///   - vy: vertical motion of each sample, likewise.
    ///   - offsets: where paths bend, by how much each sample is read elsewhere in both neighbours.
    func row(
        _ y: Int, columns: Range<Int>, into rowA: UnsafeMutableRawPointer, _ rowB: UnsafeMutableRawPointer,
        vx: UnsafePointer<Int16>, vy: UnsafePointer<Int16>, offsets: PathOffsets.Row? = nil
    ) {
        let warp = KernelPair(context.kernels.pointee.warp_row_8_to_12, context.kernels.pointee.warp_row_16)[
            bitDepth: format.bitDepth]
        let x = Int32(columns.lowerBound), count = Int32(columns.count)
        let maximum = Int32(format.maximumValue) << Int32(format.predictionDepth - format.bitDepth)
        guard let offsets else {
            withUnsafePointer(to: a) { warp(rowA, $0, x, Int32(y), count, vx, vy, scaleA, maximum) }
            withUnsafePointer(to: b) { warp(rowB, $0, x, Int32(y), count, vx, vy, scaleB, maximum) }
            return
        }
        let (px, py) = offsets.places
        let displace = context.kernels.pointee.displace_row
        for (source, scale, row) in [(a, scaleA, rowA), (b, scaleB, rowB)] {
            displace(px, vx, offsets.x, count, scale)
            displace(py, vy, offsets.y, count, scale)
            withUnsafePointer(to: source) { warp(row, $0, x, Int32(y), count, px, py, Self.wholeScale, maximum) }
        }
    }
}

extension PixelFormat {
    /// Bits of a predicted sample. Those of 8-bit formats have four more, so that samples are rounded once: after
    /// blending. Rounded before as well, their error is a third larger, and blended samples are 0.15 too bright.
    var predictionDepth: Int { bitDepth == 8 ? 12 : bitDepth }
}
