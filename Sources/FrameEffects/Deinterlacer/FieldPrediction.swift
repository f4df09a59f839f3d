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

/// The missing rows of planes of a field, predicted from a neighbouring field along the motion.
struct FieldPrediction {
    /// The predicted rows of each plane, of the depth ``PixelFormat/predictionDepth``; their width is even.
    private let samples: [PaddedPlane]
    /// Vertical motion, in 1/32 row of the planes, for each of the samples; without rows if it is not wanted.
    private let vertical: Buffer2D<Int16>

    /// - Parameters:
    ///   - motion: the motion to the neighbouring field.
    ///   - planes: planes of the same size.
    ///   - rows: the rows of these planes.
    ///   - keepsVertical: whether to keep the vertical motion.
    /// - Throws: `FrameError` if memory cannot be allocated.
    init(
        _ motion: FieldMotion, planes: Range<Int>, rows: FieldRows, keepsVertical: Bool, format: PixelFormat,
        context: ExecutionContext
    ) throws(FrameError) {
        let sources = planes.map { motion.field.reference.planes[$0] }, width = (sources[0].width + 1) / 2 * 2
        let shift = format.shift(planes.lowerBound)
        var samples: [PaddedPlane] = []
        for _ in planes {
            samples.append(try PaddedPlane(width: width, height: rows.missingCount, bytesPerSample: 2, margin: 0))
        }
        let vertical = Buffer2D<Int16>(columns: width, rows: keepsVertical ? rows.missingCount : 0)
        let targets = samples
        parallelBands(rows.missingCount, height: 16, threads: context.threads) { band in
            let room = width + 64, memory = Scratch<Int16>(2 * room + motion.columns + 64)
            let vx = memory.base, vy = vx + room, scratch = vy + room
            let warps = sources.map { RowWarp($0, scale: motion.scale, format: format, context: context) }
            for number in band {
                let y = rows.missing(number)
                motion.upsampling.row(y, shift: shift, count: width, outX: vx, outY: vy, scratch: scratch)
                for (warp, target) in zip(warps, targets) {
                    warp.row(y, count: width, into: target.row(number), vx: vx, vy: vy)
                }
                guard keepsVertical else { continue }
                let row = vertical.base + number * width
                for x in 0..<width {
                    row[x] = Int16(truncatingIfNeeded: (Int32(vy[x]) &* motion.scale &+ (1 << 13)) >> 14)
                }
            }
        }
        self.samples = samples
        self.vertical = vertical
    }

    /// The samples of a missing row, by its number among them, of one of the planes.
    func row(_ number: Int, plane: Int = 0) -> UnsafePointer<UInt16> {
        UnsafePointer(samples[plane].row(number).assumingMemoryBound(to: UInt16.self))
    }

    /// The vertical motion in a missing row, which must have been kept.
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
