import FrameCore
import Kernels
import Motion

/// A field of an interlaced picture as a whole picture: its rows, and those between interpolated from them.
struct FieldPicture {
    /// The interlaced picture.
    let frame: PixelBuffer
    /// 0 for the field of the even rows, 1 for that of the odd ones.
    let parity: Int
    /// The whole picture, prepared for matching and resampling.
    let reference: ReferenceFrame

    /// - Throws: `FrameError` if memory cannot be allocated.
    init(_ frame: PixelBuffer, parity: Int, context: ExecutionContext) throws(FrameError) {
        self.frame = frame
        self.parity = parity
        reference = try ReferenceFrame(
            Self.interpolated(frame, parity: parity, context: context), resamples: true, context: context)
    }

    /// Whether this is a field of a picture.
    func isField(_ parity: Int, of frame: PixelBuffer) -> Bool {
        self.parity == parity && self.frame.hasSameSamples(as: frame)
    }

    private static func interpolated(
        _ frame: PixelBuffer, parity: Int, context: ExecutionContext
    ) throws(FrameError) -> PixelBuffer {
        let format = frame.format, bytes = format.bytesPerSample
        let bob = KernelPair(
            context.kernels.pointee.deinterlace_bob_row_8, context.kernels.pointee.deinterlace_bob_row_16)[
                bitDepth: format.bitDepth]
        var picture = try PixelBuffer(format: format, width: frame.width, height: frame.height)
        try picture.withOverwrittenPlanes { targets in
            frame.withPlanes { sources in
                for index in 0..<sources.count {
                    nonisolated(unsafe) let (source, target) = (sources[index], targets[index])
                    let rows = FieldRows(parity: parity, height: source.height)
                    parallelBands(source.height, height: 64, threads: context.threads) { band in
                        for y in band {
                            if rows.holds(y) {
                                target.row(y).copyMemory(from: source.row(y), byteCount: source.width * bytes)
                            } else {
                                bob(
                                    target.row(y), source.row(rows.nearest(y - 3)), source.row(rows.nearest(y - 1)),
                                    source.row(rows.nearest(y + 1)), source.row(rows.nearest(y + 3)),
                                    Int32(source.width), Int32(format.maximumValue))
                            }
                        }
                    }
                }
            }
        }
        return picture
    }
}

/// Which rows of a plane a field holds.
struct FieldRows {
    /// 0 for the even rows, 1 for the odd ones.
    let parity: Int
    /// The rows of the plane.
    let height: Int

    /// The number of rows that the field does not hold.
    var missingCount: Int { (height + parity) / 2 }

    /// Returns a missing row of the plane by its number among them.
    func missing(_ index: Int) -> Int { 2 * index + 1 - parity }

    func holds(_ y: Int) -> Bool { y & 1 == parity }

    /// Returns the row of the field that is nearest to a place of a row of the field, which may be outside the plane. A plane
    /// of one row has none of the odd field; then that row stands in.
    func nearest(_ y: Int) -> Int {
        let last = height - 1 - ((height - 1 - parity) & 1)
        return max(0, min(max(y, parity), last))
    }
}
