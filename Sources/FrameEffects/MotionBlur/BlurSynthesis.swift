import FrameCore
import Kernels
import Motion

/// Writes the long exposure of a picture, block by block.
struct BlurSynthesis {
    let current: ReferenceFrame
    let previous: ReferenceFrame?
    let next: ReferenceFrame?
    /// Towards the previous and the next picture.
    let halves: [HalfExposure]
    /// Level of the motion.
    let level: Int
    /// Length of either half of the exposure in frames.
    let reach: Float

    /// Side of a block in luma samples, as a power of two: the cells of the motion, at most 8 samples.
    private var sideLog2: Int { min(3, level + 2) }

    func write(to picture: inout PixelBuffer, threads: Int) throws(FrameError) {
        let side = 1 << sideLog2, format = picture.format
        let blockRows = (picture.height + side - 1) / side
        try picture.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let planes = planes
            parallelFor((blockRows + 3) / 4, threads: threads) { band in
                withUnsafeTemporaryAllocation(of: vfx_gather_tap.self, capacity: GatherTaps.capacity) { taps in
                    withUnsafeTemporaryAllocation(of: Float.self, capacity: GatherTaps.lineCapacity) { lines in
                        withUnsafeTemporaryAllocation(
                            of: ExposurePiece.self, capacity: 4 * ExposurePlan.maximumPieces
                        ) { pieces in
                            lines.initialize(repeating: 0)
                            guard let t = taps.baseAddress, let l = lines.baseAddress, let p = pieces.baseAddress
                            else { return }
                            var gather = GatherTaps(taps: t, lines: l)
                            for row in band * 4..<min(blockRows, band * 4 + 4) {
                                write(row, planes, format, &gather, p)
                            }
                        }
                    }
                }
            }
        }
    }

    private func write(
        _ row: Int, _ planes: MutablePlanes, _ format: PixelFormat, _ gather: inout GatherTaps,
        _ memory: UnsafeMutablePointer<ExposurePiece>
    ) {
        let side = 1 << sideLog2, luma = planes[0]
        // Places are in 1/128 cells.
        let perBlock = Int32(128 >> (level + 2 - sideLog2)), first = (perBlock &- 128) / 2
        var plans = [
            ExposurePlan(pieces: memory), ExposurePlan(pieces: memory + 2 * ExposurePlan.maximumPieces),
        ]
        var copied = 0
        let blocks = (luma.width + side - 1) / side
        for column in 0..<blocks {
            let at = SIMD2(Int32(truncatingIfNeeded: column), Int32(truncatingIfNeeded: row)) &* perBlock &+ first
            plans[0].make(halves[0], at: at, reach: reach)
            plans[1].make(halves[1], at: at, reach: reach)
            if plans[0].isStill && plans[1].isStill { continue }
            copy(copied..<column, row, planes, format)
            copied = column + 1
            for index in 0..<planes.count { write(plans, column, row, planes[index], index, format, &gather) }
        }
        copy(copied..<blocks, row, planes, format)
    }

    private func shifts(_ index: Int, _ format: PixelFormat) -> (Int, Int) {
        index == 0 ? (0, 0) : (format.subsampling.horizontalShift, format.subsampling.verticalShift)
    }

    private func write(
        _ plans: [ExposurePlan], _ column: Int, _ row: Int, _ plane: MutablePlane, _ index: Int, _ format: PixelFormat,
        _ gather: inout GatherTaps
    ) {
        let (shiftX, shiftY) = shifts(index, format)
        let x = (column << sideLog2) >> shiftX, y = (row << sideLog2) >> shiftY
        let width = min(plane.width - x, max(1, (1 << sideLog2) >> shiftX))
        let height = min(plane.height - y, max(1, (1 << sideLog2) >> shiftY))
        guard width > 0, height > 0 else { return }
        let source = current.planes[index]
        // Both chroma planes are alike: the taps of the first serve the second.
        if index < 2 {
            gather.begin(.init(x: x, y: y, width: source.width, height: source.height, stride: source.stride))
            for (half, plan) in plans.enumerated() {
                if plan.isStill {
                    gather.addStill(weight: 0.5)
                    continue
                }
                gather.addStill(weight: 0.5 * plan.still)
                gather.add(
                    plan.pieces, count: plan.count, neighbour: half + 1,
                    scaleX: halves[half].pixel / Float(1 << shiftX), scaleY: halves[half].pixel / Float(1 << shiftY),
                    weight: 0.5)
            }
            gather.finish()
        }
        let bytes = format.bytesPerSample
        let kernel = bytes == 2 ? kernels.gather_block_16 : kernels.gather_block_8
        let origins: [UnsafeRawPointer] = [
            UnsafeRawPointer(source.origin), UnsafeRawPointer((previous ?? current).planes[index].origin),
            UnsafeRawPointer((next ?? current).planes[index].origin),
        ]
        kernel(
            plane.row(y) + x * bytes, plane.stride / bytes, Int32(width), Int32(height), origins, source.stride,
            gather.taps, Int32(gather.count), Int32(format.maximumValue))
    }

    private func copy(_ columns: Range<Int>, _ row: Int, _ planes: MutablePlanes, _ format: PixelFormat) {
        guard !columns.isEmpty else { return }
        for index in 0..<planes.count {
            let (shiftX, shiftY) = shifts(index, format)
            let plane = planes[index], bytes = format.bytesPerSample
            let x = (columns.lowerBound << sideLog2) >> shiftX
            let end = min(plane.width, (columns.upperBound << sideLog2) >> shiftX)
            let last = min(plane.height, ((row + 1) << sideLog2) >> shiftY)
            guard x < end else { continue }
            for y in (row << sideLog2) >> shiftY..<max((row << sideLog2) >> shiftY, last) {
                (plane.row(y) + x * bytes).copyMemory(
                    from: current.planes[index].row(y) + x * bytes, byteCount: (end - x) * bytes)
            }
        }
    }
}
