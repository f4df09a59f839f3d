import FrameCore
import Kernels
import Motion

/// Finds areas that are lit in every second field, such as a lamp that flickers, and fills their missing rows from the field
/// itself. The fields around hold the other light: woven, the two would be stripes.
///
/// Nothing distinguishes such an area from one that stands still with stripes a row high. These flicker on interlaced displays,
/// so makers of interlaced video avoid them.
struct FlickerRows {
    /// The plane of the field's picture, and those of the fields before and after.
    let bob: PaddedPlane
    let fields: (PaddedPlane, PaddedPlane)
    let rows: FieldRows
    let format: PixelFormat
    let context: ExecutionContext

    init(_ plane: MissingPlane, format: PixelFormat, context: ExecutionContext) {
        (bob, fields, rows) = (plane.bob, plane.fields, plane.rows)
        (self.format, self.context) = (format, context)
    }

    /// How much samples of a field that comes back differ, and by how much the field between differs from both, at 8 bits.
    private static let limit = 2, contrast = 16
    /// Samples looked at beyond each side, and missing rows above and below.
    private static let reach = 8, rowReach = 2

    /// Writes the missing rows of flickering areas.
    func write(to plane: MutablePlane) {
        let table = context.kernels.pointee, depth = format.bitDepth, width = bob.width
        let mark = KernelPair(table.deinterlace_flicker_row_8, table.deinterlace_flicker_row_16)[bitDepth: depth]
        let unweave = KernelPair(table.deinterlace_unweave_row_8, table.deinterlace_unweave_row_16)[bitDepth: depth]
        let limit = Int32(Self.limit << (depth - 8)), contrast = Int32(Self.contrast << (depth - 8))
        let reach = Self.reach, kept = 2 * Self.rowReach + 1
        nonisolated(unsafe) let plane = plane
        parallelBands(rows.missingCount, height: 32, threads: context.threads) { band in
            let pitch = width + 2 * reach, marks = Scratch<UInt8>(kept * pitch, filledWith: 0)
            let scratch = Scratch<UInt8>(2 * pitch)
            func marked(_ number: Int) -> UnsafeMutablePointer<UInt8> {
                marks.base + (number + kept) % kept * pitch + reach
            }
            func read(_ number: Int) {
                guard (0..<rows.missingCount).contains(number) else {
                    return marked(number).update(repeating: 0, count: width)
                }
                let y = rows.missing(number)
                mark(
                    marked(number), fields.0.row(y), fields.1.row(y), bob.row(rows.nearest(y - 1)),
                    bob.row(rows.nearest(y + 1)), Int32(width), limit, contrast)
            }
            for number in band.lowerBound - Self.rowReach..<band.lowerBound + Self.rowReach { read(number) }
            for number in band {
                read(number + Self.rowReach)
                let y = rows.missing(number)
                unweave(
                    plane.row(y), bob.row(y),
                    (number - Self.rowReach...number + Self.rowReach).map { UnsafePointer(marked($0)) }, scratch.base,
                    Int32(width))
            }
        }
    }
}
