package import FrameCore
import Imaging
import Kernels

/// The luma of one frame at 8 bits, in full size and successively halved. Used for matching only.
package struct LumaPyramid: Sendable {
    /// Readable samples beyond each edge of every level.
    package static let margin = 48
    /// How far outside the plane a block may start, in samples: ``margin`` less 10 samples for sub-pixel sampling and
    /// the gradients of the block.
    package static let blockReach = 38
    /// Minimum length of a level's shorter side, in samples. Chosen by hand, November 2026.
    static let smallest = 16
    /// The maximum number of levels in a pyramid. Chosen by hand, November 2026.
    static let mostLevels = 9
    /// Rows that are copied or downsampled as one unit.
    private static let bandRows = 64
    /// Level 0 is full size; each further level is half as wide and high, rounded up.
    package let levels: [PaddedPlane]

    /// Returns the number of levels in the pyramid of a frame.
    package static func levelCount(width: Int, height: Int) -> Int {
        var side = min(width, height), count = 1
        while side >= 2 * smallest, count < mostLevels {
            side = (side + 1) / 2
            count += 1
        }
        return count
    }

    /// Creates a pyramid from its levels, finest first.
    private init(levels: [PaddedPlane]) { self.levels = levels }

    /// Builds the pyramid of a frame.
    package init(_ frame: PixelBuffer, context: ExecutionContext) throws(FrameError) {
        let picture = try frame.analysisPicture(context: context)
        let base = try PaddedPlane(
            width: picture.width, height: picture.height, bytesPerSample: 1, margin: Self.margin)
        let shift = Int32(picture.format.bitDepth - 8)
        let wide = picture.format.bytesPerSample == 2
        picture.withPlanes { planes in
            nonisolated(unsafe) let luma = planes[0]
            parallelBands(luma.height, height: Self.bandRows, threads: context.threads) { rows in
                for y in rows {
                    if wide {
                        context.kernels.pointee.reduce_depth(
                            base.bytes + y * base.stride, luma.row(y).assumingMemoryBound(to: UInt16.self),
                            Int32(luma.width), shift)
                    } else {
                        base.row(y).copyMemory(from: luma.row(y), byteCount: luma.width)
                    }
                }
                base.padSides(rows: rows)
            }
        }
        base.padEnds()
        var levels = [base]
        let count = Self.levelCount(width: picture.width, height: picture.height)
        while let above = levels.last, levels.count < count {
            let half = try PaddedPlane(
                width: (above.width + 1) / 2, height: (above.height + 1) / 2, bytesPerSample: 1, margin: Self.margin)
            parallelBands(half.height, height: Self.bandRows, threads: context.threads) { rows in
                context.kernels.pointee.downsample(
                    half.bytes + rows.lowerBound * half.stride, half.stride,
                    above.bytes + 2 * rows.lowerBound * above.stride, above.stride, Int32(half.width), Int32(rows.count)
                )
                half.padSides(rows: rows)
            }
            half.padEnds()
            levels.append(half)
        }
        self.levels = levels
    }

    /// Returns the mean brightness of each cell of a field on a level.
    ///
    /// - Parameters:
    ///   - level: the level of the field.
    ///   - columns: the columns of the field.
    ///   - rows: the rows of the field.
    ///   - border: cells on each side of the field that are added; they are 0.
    func cellBrightness(level: Int, columns: Int, rows: Int, border: Int) -> Buffer2D<UInt8> {
        // Two levels coarser, a sample is as large as a cell. The pyramid of a small frame may end before that.
        let used = min(level + 2, levels.count - 1), shift = level + 2 - used, stride = columns + 2 * border
        let result = Buffer2D<UInt8>(columns: stride, rows: rows + 2 * border, filledWith: 0)
        for y in 0..<rows {
            let row = levels[used].row(y << shift).assumingMemoryBound(to: UInt8.self)
            let out = result.base + (y + border) * stride + border
            for x in 0..<columns { out[x] = row[x << shift] }
        }
        return result
    }

    /// Returns the pyramid with each sample replaced by the element of `table` that it selects.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func mapped(by table: [UInt16], context: ExecutionContext) throws(FrameError) -> LumaPyramid {
        var mapped: [PaddedPlane] = []
        for level in levels { mapped.append(try level.mapped(by: table, context: context)) }
        return LumaPyramid(levels: mapped)
    }
}
