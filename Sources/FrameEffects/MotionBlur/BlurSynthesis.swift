import FrameCore
import Kernels
import Motion

/// Writes the long exposure of a picture, block by block.
struct BlurSynthesis {
    /// What the kernels need of a plane.
    struct SourcePlane {
        let width: Int
        let height: Int
        let stride: Int
        let shiftX: Int
        let shiftY: Int
        /// First samples of the picture, its previous and its next one.
        let origins: (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer)
    }

    /// Towards the previous and the next picture.
    let halves: (HalfExposure, HalfExposure)
    /// Level of the motion.
    let level: Int
    /// Length of either half of the exposure in frames.
    let reach: Float

    /// Side of a block in luma samples, as a power of two: the cells of the motion, at most 8 samples.
    private var sideLog2: Int { min(3, level + 2) }

    func write(
        to picture: inout PixelBuffer, current: ReferenceFrame, previous: ReferenceFrame?, next: ReferenceFrame?,
        threads: Int
    ) throws(FrameError) {
        let side = 1 << sideLog2, format = picture.format
        let blockRows = (picture.height + side - 1) / side
        nonisolated(unsafe) let sources = (0..<format.planeCount).map { index in
            let plane = current.planes[index]
            return SourcePlane(
                width: plane.width, height: plane.height, stride: plane.stride,
                shiftX: index == 0 ? 0 : format.subsampling.horizontalShift,
                shiftY: index == 0 ? 0 : format.subsampling.verticalShift,
                origins: (
                    UnsafeRawPointer(plane.origin), UnsafeRawPointer((previous ?? current).planes[index].origin),
                    UnsafeRawPointer((next ?? current).planes[index].origin)
                ))
        }
        defer { withExtendedLifetime((current, previous, next, halves)) {} }
        try picture.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let planes = planes
            parallelFor((blockRows + 7) / 8, threads: threads) { band in
                withUnsafeTemporaryAllocation(of: vfx_gather_tap.self, capacity: GatherTaps.capacity) { taps in
                    withUnsafeTemporaryAllocation(of: Float.self, capacity: GatherTaps.lineCapacity) { lines in
                        withUnsafeTemporaryAllocation(
                            of: ExposurePiece.self, capacity: 4 * ExposurePlan.maximumPieces
                        ) { pieces in
                            lines.initialize(repeating: 0)
                            guard let t = taps.baseAddress, let l = lines.baseAddress, let p = pieces.baseAddress
                            else { return }
                            var gather = GatherTaps(taps: t, lines: l)
                            for row in band * 8..<min(blockRows, band * 8 + 8) {
                                write(row, planes, sources, &gather, p)
                            }
                        }
                    }
                }
            }
        }
    }

    private func write(
        _ row: Int, _ planes: MutablePlanes, _ sources: [SourcePlane], _ gather: inout GatherTaps,
        _ memory: UnsafeMutablePointer<ExposurePiece>
    ) {
        let side = 1 << sideLog2, blocks = (sources[0].width + side - 1) / side
        // Places are in 1/128 cells.
        let perBlock = Int32(128 >> (level + 2 - sideLog2)), first = (perBlock &- 128) / 2
        var before = ExposurePlan(pieces: memory),
            after = ExposurePlan(pieces: memory + 2 * ExposurePlan.maximumPieces)
        var copied = 0
        for column in 0..<blocks {
            let at = SIMD2(Int32(truncatingIfNeeded: column), Int32(truncatingIfNeeded: row)) &* perBlock &+ first
            before.make(halves.0, at: at, reach: reach)
            after.make(halves.1, at: at, reach: reach)
            if before.isStill && after.isStill { continue }
            copy(copied..<column, row, planes, sources)
            copied = column + 1
            for index in 0..<sources.count {
                write(before, after, column, row, planes[index], index, sources[index], planes.format, &gather)
            }
        }
        copy(copied..<blocks, row, planes, sources)
    }

    private func write(
        _ before: ExposurePlan, _ after: ExposurePlan, _ column: Int, _ row: Int, _ plane: MutablePlane, _ index: Int,
        _ source: SourcePlane, _ format: PixelFormat, _ gather: inout GatherTaps
    ) {
        let x = (column << sideLog2) >> source.shiftX, y = (row << sideLog2) >> source.shiftY
        let width = min(plane.width - x, (1 << sideLog2) >> source.shiftX)
        let height = min(plane.height - y, (1 << sideLog2) >> source.shiftY)
        guard width > 0, height > 0 else { return }
        // Both chroma planes are alike: the taps of the first serve the second.
        if index < 2 {
            let scaleX = halves.0.pixel / Float(1 << source.shiftX), scaleY = halves.0.pixel / Float(1 << source.shiftY)
            gather.begin(.init(x: x, y: y, width: source.width, height: source.height, stride: source.stride))
            gather.add(before, neighbour: 1, scaleX: scaleX, scaleY: scaleY, weight: 0.5)
            gather.add(after, neighbour: 2, scaleX: scaleX, scaleY: scaleY, weight: 0.5)
            gather.finish()
        }
        let bytes = format.bytesPerSample
        let kernel = bytes == 2 ? kernels.gather_block_16 : kernels.gather_block_8
        withUnsafePointer(to: source.origins) {
            $0.withMemoryRebound(to: UnsafeRawPointer.self, capacity: 3) {
                kernel(
                    plane.row(y) + x * bytes, plane.stride / bytes, Int32(width), Int32(height), $0, source.stride,
                    gather.taps, Int32(gather.count), Int32(format.maximumValue))
            }
        }
    }

    private func copy(_ columns: Range<Int>, _ row: Int, _ planes: MutablePlanes, _ sources: [SourcePlane]) {
        guard !columns.isEmpty else { return }
        let bytes = planes.format.bytesPerSample
        for index in 0..<sources.count {
            let source = sources[index], plane = planes[index]
            let x = (columns.lowerBound << sideLog2) >> source.shiftX
            let end = min(plane.width, (columns.upperBound << sideLog2) >> source.shiftX)
            let top = (row << sideLog2) >> source.shiftY
            let bottom = min(plane.height, ((row + 1) << sideLog2) >> source.shiftY)
            guard x < end, top < bottom else { continue }
            for y in top..<bottom {
                (plane.row(y) + x * bytes).copyMemory(
                    from: source.origins.0 + (y * source.stride + x) * bytes, byteCount: (end - x) * bytes)
            }
        }
    }
}
