import FrameCore
import Motion

/// Weaves the two fields of a picture where it stands still: its samples are kept as they are.
struct StillRows {
    /// Planes of pictures, of the same size.
    struct Pair {
        let a: Plane
        let b: Plane
    }

    private let rows: FieldRows
    private let format: PixelFormat
    private let context: ExecutionContext
    /// Not 0 for the samples of the missing rows that stand still.
    private let still: Buffer2D<UInt8>

    /// How much samples of a still picture differ, at 8 bits: compression leaves as much.
    private static let limit = 2
    /// Samples looked at beyond each side.
    private static let reach = 2

    /// Finds what stands still; nil without pictures to compare.
    ///
    /// - Parameters:
    ///   - missing: the pictures in which the missing rows are compared.
    ///   - known: those for the rows of the field itself.
    ///   - rows: the rows of the field.
    ///   - format: the format of the picture.
    ///   - context: the threads and kernels to use.
    init?(
        missing: [Pair], known: [Pair], rows: FieldRows, format: PixelFormat, context: ExecutionContext
    ) {
        guard let width = missing.first?.a.width, !known.isEmpty else { return nil }
        (self.rows, self.format, self.context) = (rows, format, context)
        let table = context.kernels.pointee, depth = format.bitDepth
        let equal = KernelPair(table.deinterlace_equal_row_8, table.deinterlace_equal_row_16)[bitDepth: depth]
        let limit = Int32(Self.limit << (depth - 8)), reach = Self.reach
        let still = Buffer2D<UInt8>(columns: width, rows: rows.missingCount)
        self.still = still
        nonisolated(unsafe) let (missing, known) = (missing, known)
        parallelBands(rows.missingCount, height: 32, threads: context.threads) { band in
            let pitch = width + 2 * reach, marks = Scratch<UInt8>(4 * pitch, filledWith: 1)
            func markRow(_ index: Int) -> UnsafeMutablePointer<UInt8> { marks.base + (index + 3) % 3 * pitch + reach }
            func mark(_ index: Int) {
                let y = rows.missing(max(0, min(index, rows.missingCount - 1)))
                let above = rows.nearest(y - 1), below = rows.nearest(y + 1)
                let a = missing.map { $0.a.row(y) } + known.flatMap { [$0.a.row(above), $0.a.row(below)] }
                let b = missing.map { $0.b.row(y) } + known.flatMap { [$0.b.row(above), $0.b.row(below)] }
                equal(markRow(index), a, b, Int32(a.count), Int32(width), limit)
            }
            mark(band.lowerBound - 1)
            mark(band.lowerBound)
            for index in band {
                mark(index + 1)
                table.deinterlace_still_row(
                    still.base + index * width, (index - 1...index + 1).map { UnsafePointer(markRow($0)) },
                    marks.base + 3 * pitch, Int32(width))
            }
        }
    }

    /// Whether all samples of a part of a missing row stand still.
    func covers(_ columns: Range<Int>, row: Int) -> Bool {
        let marks = still.base + row * still.columns
        return columns.clamped(to: 0..<still.columns).allSatisfy { marks[$0] != 0 }
    }

    /// Copies the missing rows of the picture's other field to a plane where the picture stands still.
    func weave(_ frame: Plane, into plane: MutablePlane) {
        let table = context.kernels.pointee
        let weave = KernelPair(table.deinterlace_weave_row_8, table.deinterlace_weave_row_16)[
            bitDepth: format.bitDepth]
        nonisolated(unsafe) let (frame, plane) = (frame, plane)
        parallelBands(rows.missingCount, height: 32, threads: context.threads) { band in
            for index in band {
                let y = rows.missing(index)
                weave(plane.row(y), frame.row(y), still.base + index * still.columns, Int32(frame.width))
            }
        }
    }
}
