import FrameCore
import Kernels
import Motion

/// Makes the ground under an overlay visible in one of two frames.
struct OverlayRemoval {
    /// The frame with the overlay.
    let picture: PixelBuffer
    /// The other frame, from which what the overlay hides is taken.
    let other: ReferenceFrame
    /// The motion of the ground from the frame to the other.
    let motion: FlowField
    /// What the same frame has under its overlay, known from an earlier frame, and where that is; nil if unknown.
    let known: (planes: [PaddedPlane], states: [Buffer2D<UInt8>])?
    let context: ExecutionContext

    /// Finds out where the other frame, or an earlier one, shows what the overlay hides.
    ///
    /// - Parameters:
    ///   - states: receives the ``GroundState`` of the samples of the overlay.
    ///   - isSeen: whether the frame itself shows the ground at a position.
    ///   - isHidden: whether the other frame does not show the ground at a position either.
    func find(
        _ grid: OverlayGrid, into states: Buffer2D<UInt8>, isSeen: (Int, Int) -> Bool, isHidden: (Int, Int) -> Bool
    ) {
        for run in grid.runs {
            for x in run.columns {
                if let known, known.states[0][x, run.y] == GroundState.found {
                    states[x, run.y] = GroundState.found
                    continue
                }
                let v = vector(x, run.y, (0, 0)), u = x + (Int(v.x) + 16) >> 5, w = run.y + (Int(v.y) + 16) >> 5
                let isFound = u >= 0 && w >= 0 && u < grid.width && w < grid.height && !isHidden(u, w)
                states[x, run.y] =
                    isFound ? GroundState.found : isSeen(x, run.y) ? GroundState.seen : GroundState.guessed
            }
        }
    }

    /// Returns the frame with the ground instead of the overlay.
    ///
    /// - Parameters:
    ///   - grids: the samples of the overlay in each plane.
    ///   - states: the ``GroundState`` of the samples of each plane.
    func ground(_ grids: [OverlayGrid], _ states: [Buffer2D<UInt8>]) throws(FrameError) -> PixelBuffer {
        var result = picture
        let format = picture.format
        try result.withMutablePlanes { planes throws(FrameError) in
            for index in 0..<format.colorPlaneCount {
                let grid = grids[min(index, grids.count - 1)], states = states[min(index, states.count - 1)]
                move(planes[index], index, grid, states, format)
                guess(format.sampleType, planes[index], grid, states)
            }
        }
        return result
    }

    /// Takes the samples of the overlay from the other frame, along the motion of the ground, or from an earlier one.
    private func move(
        _ plane: MutablePlane, _ index: Int, _ grid: OverlayGrid, _ states: Buffer2D<UInt8>, _ format: PixelFormat
    ) {
        let from = other.planes[index], bytes = format.bytesPerSample
        let warp = KernelPair(context.kernels.pointee.warp_row_8, context.kernels.pointee.warp_row_16)[
            bytesPerSample: bytes]
        let source = vfx_warp_source(
            origin: from.origin, stride: from.stride, width: Int32(from.width), height: Int32(from.height),
            margin: Int32(ReferenceFrame.margin))
        let memory = Scratch<Int16>(3 * (grid.width + 64))
        let vx = memory.base, vy = vx + grid.width + 64, kept = UnsafeMutableRawPointer(vy + grid.width + 64)
        for run in grid.runs {
            let first = run.columns.lowerBound, row = plane.row(run.y)
            // What the frame shows stays; the samples of a run are moved together.
            kept.copyMemory(from: row + first * bytes, byteCount: run.columns.count * bytes)
            for x in run.columns {
                let v = vector(x, run.y, grid.shift)
                vx[x - first] = Int16(clamping: v.x)
                vy[x - first] = Int16(clamping: v.y)
            }
            withUnsafePointer(to: source) {
                warp(
                    row + first * bytes, $0, Int32(first), Int32(run.y), Int32(run.columns.count), vx, vy, 16384,
                    Int32(format.maximumValue))
            }
            for x in run.columns where states[x, run.y] == GroundState.seen {
                (row + x * bytes).copyMemory(from: kept + (x - first) * bytes, byteCount: bytes)
            }
            guard let known else { continue }
            let earlier = known.planes[index].row(run.y), found = known.states[min(index, known.states.count - 1)]
            for x in run.columns where found[x, run.y] == GroundState.found {
                (row + x * bytes).copyMemory(from: earlier + x * bytes, byteCount: bytes)
            }
        }
        withExtendedLifetime(other) {}
    }

    /// Guesses what no frame shows from the samples round it: their mean, layer by layer from the outside.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func guess<Sample: PixelSample>(
        _: Sample.Type, _ plane: MutablePlane, _ grid: OverlayGrid, _ states: Buffer2D<UInt8>
    ) {
        let unknown = Buffer2D<UInt8>(columns: grid.width, rows: grid.height, filledWith: 0)
        var left: [(x: Int, y: Int)] = []
        for run in grid.runs {
            for x in run.columns where states[x, run.y] == GroundState.guessed {
                unknown[x, run.y] = 1
                left.append((x, run.y))
            }
        }
        func row(_ y: Int) -> UnsafeMutablePointer<Sample> { plane.row(y).assumingMemoryBound(to: Sample.self) }
        var layer: [(x: Int, y: Int)] = []
        while !left.isEmpty {
            layer.removeAll(keepingCapacity: true)
            var inner: [(x: Int, y: Int)] = []
            for (x, y) in left {
                var sum = 0, count = 0
                for j in max(0, y - 1)...min(grid.height - 1, y + 1) {
                    for i in max(0, x - 1)...min(grid.width - 1, x + 1) where unknown[i, j] == 0 {
                        sum += Int(row(j)[i])
                        count += 1
                    }
                }
                guard count > 0 else {
                    inner.append((x, y))
                    continue
                }
                row(y)[x] = Sample(truncatingIfNeeded: (sum + count / 2) / count)
                layer.append((x, y))
            }
            for (x, y) in layer { unknown[x, y] = 0 }
            // Without any other sample in the plane there is nothing to guess from.
            if layer.isEmpty { return }
            left = inner
        }
    }

    /// The motion of the ground at a sample of a plane, in 1/32 of its samples.
    @inline(__always)
    private func vector(_ x: Int, _ y: Int, _ shift: (x: Int, y: Int)) -> SIMD2<Int32> {
        let side = motion.cellSide, level = Int32(motion.level)
        func position(_ sample: Int) -> Int32 { Int32((2 * sample + 1 - side) * 64 / side) }
        let v = motion.cells.sample(x: position(x << shift.x), y: position(y << shift.y)) &<< level
        return SIMD2(v.x >> Int32(shift.x), v.y >> Int32(shift.y))
    }
}
