import FrameCore
import Kernels
import Motion

/// Where a field's picture is found in a neighbouring field.
struct FieldMotion {
    /// The neighbouring field.
    let field: FieldPicture
    /// Motion between two fields of the same parity, upsampled to samples.
    let upsampling: MotionUpsampling
    /// What the vectors are multiplied by, in 1/16384.
    let scale: Int32
    /// The number of cells in a row of the motion.
    let columns: Int
}

/// The missing rows of a plane of a field, predicted from a neighbouring field along the motion.
struct FieldPrediction {
    /// The predicted rows, of the depth ``PixelFormat/predictionDepth``; their width is even.
    private let samples: PaddedPlane
    /// Vertical motion, in 1/32 row of the plane, for each of the samples.
    private let vertical: Buffer2D<Int16>

    /// - Throws: `FrameError` if memory cannot be allocated.
    init(
        _ motion: FieldMotion, plane index: Int, rows: FieldRows, format: PixelFormat, context: ExecutionContext
    ) throws(FrameError) {
        let plane = motion.field.reference.planes[index], width = (plane.width + 1) / 2 * 2
        let shift =
            index == 0 ? (x: 0, y: 0) : (x: format.subsampling.horizontalShift, y: format.subsampling.verticalShift)
        let samples = try PaddedPlane(width: width, height: rows.missingCount, bytesPerSample: 2, margin: 0)
        let vertical = Buffer2D<Int16>(columns: width, rows: rows.missingCount)
        parallelBands(rows.missingCount, height: 16, threads: context.threads) { band in
            let room = width + 64, memory = Scratch<Int16>(2 * room + motion.columns + 64)
            let vx = memory.base, vy = vx + room, scratch = vy + room
            let warp = RowWarp(plane, scale: motion.scale, format: format, context: context)
            for number in band {
                let y = rows.missing(number)
                motion.upsampling.row(y, shift: shift, count: width, outX: vx, outY: vy, scratch: scratch)
                warp.row(y, count: width, into: samples.row(number), vx: vx, vy: vy)
                let row = vertical.base + number * width
                for x in 0..<width {
                    row[x] = Int16(truncatingIfNeeded: (Int32(vy[x]) &* motion.scale &+ (1 << 13)) >> 14)
                }
            }
        }
        self.samples = samples
        self.vertical = vertical
    }

    /// The samples of a missing row, by its number among them.
    func row(_ number: Int) -> UnsafePointer<UInt16> {
        UnsafePointer(samples.row(number).assumingMemoryBound(to: UInt16.self))
    }

    /// The vertical motion in a missing row.
    func vertical(_ number: Int) -> UnsafePointer<Int16> {
        UnsafePointer(vertical.base + number * vertical.columns)
    }
}

/// Resamples rows of a plane along motion.
private struct RowWarp {
    private let source: vfx_warp_source
    private let scale: Int32
    private let warp: vfx_warp_row_fn
    private let maximum: Int32

    init(_ plane: PaddedPlane, scale: Int32, format: PixelFormat, context: ExecutionContext) {
        source = vfx_warp_source(
            origin: plane.origin, stride: plane.stride, width: Int32(plane.width), height: Int32(plane.height),
            margin: Int32(ReferenceFrame.margin))
        self.scale = scale
        warp =
            KernelPair(context.kernels.pointee.warp_row_8_to_12, context.kernels.pointee.warp_row_16)[
                bitDepth: format.bitDepth]
        maximum = Int32(format.maximumValue) << Int32(format.predictionDepth - format.bitDepth)
    }

    func row(
        _ y: Int, count: Int, into row: UnsafeMutableRawPointer, vx: UnsafePointer<Int16>, vy: UnsafePointer<Int16>
    ) {
        withUnsafePointer(to: source) { warp(row, $0, 0, Int32(y), Int32(count), vx, vy, scale, maximum) }
    }
}
