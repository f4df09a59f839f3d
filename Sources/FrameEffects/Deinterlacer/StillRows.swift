import FrameCore
import Kernels

/// Weaves the two fields of a picture where it stands still: its samples are kept as they are.
struct StillRows {
    /// Planes of pictures, of the same size.
    struct Pair {
        let a: Plane
        let b: Plane
    }

    /// The pictures in which the missing rows are compared, and those for the rows of the field itself.
    let missing: [Pair]
    let known: [Pair]
    /// The interlaced picture.
    let frame: Plane
    let rows: FieldRows
    let format: PixelFormat
    let context: ExecutionContext

    /// How much samples of a still picture differ, at 8 bits: compression leaves as much.
    private static let limit = 2
    /// Samples looked at beyond each side.
    private static let reach = 2

    /// Copies the missing rows of the picture's other field to a plane where the picture stands still.
    func weave(into plane: MutablePlane) {
        guard !missing.isEmpty, !known.isEmpty else { return }
        let table = context.kernels.pointee, depth = format.bitDepth, width = frame.width
        let still = KernelPair(table.deinterlace_still_row_8, table.deinterlace_still_row_16)[bitDepth: depth]
        let weave = KernelPair(table.deinterlace_weave_row_8, table.deinterlace_weave_row_16)[bitDepth: depth]
        let limit = Int32(Self.limit << (depth - 8)), reach = Self.reach
        nonisolated(unsafe) let (plane, this) = (plane, self)
        parallelBands(rows.missingCount, height: 32, threads: context.threads) { band in
            let pitch = width + 2 * reach, marks = Scratch<UInt8>(3 * pitch, filledWith: 1)
            func markRow(_ index: Int) -> UnsafeMutablePointer<UInt8> { marks.base + (index + 3) % 3 * pitch + reach }
            func mark(_ index: Int) {
                let y = this.rows.missing(max(0, min(index, this.rows.missingCount - 1)))
                let above = this.rows.nearest(y - 1), below = this.rows.nearest(y + 1)
                let a = this.missing.map { $0.a.row(y) } + this.known.flatMap { [$0.a.row(above), $0.a.row(below)] }
                let b = this.missing.map { $0.b.row(y) } + this.known.flatMap { [$0.b.row(above), $0.b.row(below)] }
                still(markRow(index), a, b, Int32(a.count), Int32(width), limit)
            }
            mark(band.lowerBound - 1)
            mark(band.lowerBound)
            for index in band {
                mark(index + 1)
                let y = this.rows.missing(index)
                weave(
                    plane.row(y), this.frame.row(y),
                    (index - 1...index + 1).map { UnsafePointer(markRow($0)) }, Int32(width))
            }
        }
    }
}
