import FrameCore
import Imaging
import Kernels
import Motion

/// Writes a frame as it would look with a long exposure, block by block.
struct BlurSynthesis {
    /// The properties of a plane that the kernels need.
    struct SourcePlane {
        let width: Int
        let height: Int
        let stride: Int
        /// log2 of the horizontal subsampling.
        let shiftX: Int
        /// log2 of the vertical subsampling.
        let shiftY: Int
        /// The first samples of the frame, the previous frame and the next frame.
        let origins: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)
    }

    /// The motion towards the previous frame and towards the next frame.
    let halves: (MotionLookup, MotionLookup)
    /// The pyramid level of the motion.
    let level: Int
    /// The length of each half of the exposure, in frame intervals.
    let reach: Float
    /// Planes in linear light; nil when code values are integrated.
    let light: LinearPlanes.Sources?
    let context: ExecutionContext

    /// log2 of the side of a block in luma samples. A block is as large as a cell of the motion, up to 8 samples.
    private var sideLog2: Int { min(Self.maximumSideLog2, level + 2) }
    /// log2 of the side of the largest block in luma samples. Chosen by hand, November 2026.
    private static let maximumSideLog2 = 3
    /// Rows of blocks that are written as one unit; even, since blocks are made in squares of 2×2.
    private static let bandRows = 16

    /// Overwrites `picture` with `current` as a long exposure would show it.
    func write(
        to picture: inout PixelBuffer, current: ReferenceFrame, previous: ReferenceFrame?, next: ReferenceFrame?
    ) throws(FrameError) {
        let side = 1 << sideLog2, format = picture.format
        let isOpaque = [current, previous, next].allSatisfy { $0?.isOpaque != false }
        let blockRows = (picture.height + side - 1) / side
        let count = isOpaque ? format.colorPlaneCount : format.planeCount
        nonisolated(unsafe) let sources = (0..<count).map { index in
            let plane = current.planes[index]
            return SourcePlane(
                width: plane.width, height: plane.height, stride: plane.stride,
                shiftX: format.shift(index).x, shiftY: format.shift(index).y,
                origins: (
                    UnsafeRawPointer(plane.origin), UnsafeRawPointer((previous ?? current).planes[index].origin),
                    UnsafeRawPointer((next ?? current).planes[index].origin)
                ))
        }
        defer { withExtendedLifetime((current, previous, next)) {} }
        try picture.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let planes = planes
            if isOpaque, let alpha = format.alphaPlane { planes[alpha].fill(alpha: nil, format) }
            parallelBands(blockRows, height: Self.bandRows, threads: context.threads) { rows in
                var work = Workspace()
                for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 2) {
                    write(row, planes, sources, &work)
                }
            }
        }
    }

    /// The memory of a thread.
    private struct Workspace: ~Copyable {
        var spread = PointSpreadFunction()
        /// The pieces of both halves of the exposure.
        let pieces = Scratch<ExposurePiece>(2 * ExposurePlan.capacity)
        /// The first samples of the frame, the previous frame and the next frame.
        let origins = Scratch<UnsafeRawPointer>(3)
        /// A block of blurred light, in rows of 16 values.
        let light = Scratch<UInt16>(16 * 16)
    }

    /// A single block, or a square of blocks that are blurred as one.
    private struct Square {
        /// The column of its first block.
        let column: Int
        /// The row of its first block.
        let row: Int
        /// log2 of its side in blocks.
        let log2: Int
    }

    /// Returns the centre of a square in 1/128 cells from the centre of the first cell, as
    /// ``MotionVectorField/sample(x:y:)`` takes it.
    private func centre(_ square: Square) -> SIMD2<Int32> {
        let side = Int32((128 << square.log2) >> (level + 2 - sideLog2))
        let column = Int32(truncatingIfNeeded: square.column >> square.log2),
            row = Int32(truncatingIfNeeded: square.row >> square.log2)
        return SIMD2(column, row) &* side &+ (side &- 128) / 2
    }

    private func write(
        _ row: Int, _ planes: MutablePlanes, _ sources: [SourcePlane], _ work: inout Workspace
    ) {
        var before = ExposurePlan(pieces: work.pieces.base),
            after = ExposurePlan(pieces: work.pieces.base + ExposurePlan.capacity)
        let columns = (sources[0].width + (2 << sideLog2) - 1) >> (sideLog2 + 1)
        let quarter = Int32(32 >> (level + 2 - sideLog2)) * 2
        for column in 0..<columns {
            let square = Square(column: 2 * column, row: row, log2: 1)
            let at = centre(square)
            if ExposurePlan.isEven(halves.0, around: at, distance: quarter),
                ExposurePlan.isEven(halves.1, around: at, distance: quarter)
            {
                before.make(halves.0, at: at, reach: reach)
                after.make(halves.1, at: at, reach: reach)
                if before.isCalm || before.isStill, after.isCalm || after.isStill {
                    write(before, after, square, planes, sources, &work)
                    continue
                }
            }
            for i in 0..<4 {
                let block = Square(column: 2 * column + (i & 1), row: row + (i >> 1), log2: 0)
                if block.column << sideLog2 >= sources[0].width || block.row << sideLog2 >= sources[0].height {
                    continue
                }
                let at = centre(block)
                before.make(halves.0, at: at, reach: reach)
                after.make(halves.1, at: at, reach: reach)
                write(before, after, block, planes, sources, &work)
            }
        }
    }

    private func write(
        _ before: ExposurePlan, _ after: ExposurePlan, _ square: Square, _ planes: MutablePlanes,
        _ sources: [SourcePlane], _ work: inout Workspace
    ) {
        let bytes = planes.format.bytesPerSample, maximum = Int32(planes.format.maximumValue)
        let isCopied = before.isStill && after.isStill
        var known: PointSpreadFunction.Place?
        for index in 0..<sources.count {
            let source = sources[index], plane = planes[index]
            let x = (square.column << sideLog2) >> source.shiftX, y = (square.row << sideLog2) >> source.shiftY
            let width = min(plane.width - x, (1 << (sideLog2 + square.log2)) >> source.shiftX)
            let height = min(plane.height - y, (1 << (sideLog2 + square.log2)) >> source.shiftY)
            guard width > 0, height > 0 else { continue }
            if isCopied {
                for y in y..<y + height {
                    (plane.row(y) + x * bytes).copyMemory(
                        from: source.origins.0 + (y * source.stride + x) * bytes, byteCount: width * bytes)
                }
                continue
            }
            // Planes that are laid out alike have the same taps, such as both of chroma.
            let lit = light.flatMap { index < $0.planes.count ? $0.planes[index] : nil }
            let rowLength = lit?.current.stride ?? source.stride
            let place = PointSpreadFunction.Place(
                x: x, y: y, width: source.width, height: source.height, rowLength: rowLength)
            if place != known {
                known = place
                let scaleX = halves.0.pixel / Float(1 << source.shiftX)
                let scaleY = halves.0.pixel / Float(1 << source.shiftY)
                work.spread.begin(place)
                work.spread.add(before, neighbour: 1, scaleX: scaleX, scaleY: scaleY, weight: 0.5)
                work.spread.add(after, neighbour: 2, scaleX: scaleX, scaleY: scaleY, weight: 0.5)
                work.spread.finish()
            }
            if let light, let lit {
                write(planes.format.sampleType, lit, light.curve, x, y, width, height, plane, source, work)
                continue
            }
            let kernel = KernelPair(
                context.kernels.pointee.motion_blur_block_8, context.kernels.pointee.motion_blur_block_16)[
                    bytesPerSample: bytes]
            for part in stride(from: 0, to: width, by: 8) {
                let by = part * bytes
                work.origins[0] = source.origins.0 + by
                work.origins[1] = source.origins.1 + by
                work.origins[2] = source.origins.2 + by
                kernel(
                    plane.row(y) + x * bytes + by, plane.stride / bytes, Int32(min(8, width - part)), Int32(height),
                    work.origins.base, source.stride, work.spread.taps.base, Int32(work.spread.count), maximum)
            }
        }
    }

    /// Writes samples integrated in linear light.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func write<Sample: PixelSample>(
        _: Sample.Type, _ light: LinearPlanes.Sources.Plane, _ curve: LinearLightTable, _ x: Int, _ y: Int,
        _ width: Int,
        _ height: Int, _ plane: MutablePlane, _ source: SourcePlane, _ work: borrowing Workspace
    ) {
        for part in stride(from: 0, to: width, by: 8) {
            work.origins[0] = UnsafeRawPointer(light.current.origin) + 2 * part
            work.origins[1] = UnsafeRawPointer(light.previous.origin) + 2 * part
            work.origins[2] = UnsafeRawPointer(light.next.origin) + 2 * part
            context.kernels.pointee.motion_blur_block_16(
                work.light.base + part, 16, Int32(min(8, width - part)), Int32(height), work.origins.base,
                light.current.stride, work.spread.taps.base, Int32(work.spread.count), 65535)
        }
        curve.write(
            work.light.base, source: source.origins.0.assumingMemoryBound(to: Sample.self) + y * source.stride + x,
            sourceStride: source.stride, to: plane.row(y).assumingMemoryBound(to: Sample.self) + x,
            targetStride: plane.stride / MemoryLayout<Sample>.size, width: width, height: height)
    }
}
