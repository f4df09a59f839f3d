import FrameCore
import Kernels
import Motion

/// Writes the frame at a phase: warps both neighbours along the motion and blends them by visibility.
struct FrameSynthesis {
    let a: ReferenceFrame
    let b: ReferenceFrame
    let motion: IntermediateFlow
    /// Position between `a` and `b`, 0…1.
    let phase: Float
    /// Rows that are written as one unit.
    private static let bandRows = 32

    /// Overwrites `picture` with the frame at the phase.
    func write(to picture: inout PixelBuffer, threads: Int) throws(FrameError) {
        let format = picture.format
        try picture.withOverwrittenPlanes { planes in
            for index in 0..<planes.count {
                nonisolated(unsafe) let plane = planes[index]
                let shiftX = index == 0 ? 0 : format.subsampling.horizontalShift
                let shiftY = index == 0 ? 0 : format.subsampling.verticalShift
                let bandRows = Self.bandRows
                parallelFor((plane.height + bandRows - 1) / bandRows, threads: threads) { band in
                    rows(
                        band * bandRows..<min(plane.height, band * bandRows + bandRows), of: plane, index: index,
                        shiftX: shiftX, shiftY: shiftY, format: format)
                }
            }
        }
    }

    private func rows(
        _ rows: Range<Int>, of plane: MutablePlane, index: Int, shiftX: Int, shiftY: Int, format: PixelFormat
    ) {
        let width = plane.width, columns = motion.vx.columns
        let level = motion.level, sideX = motion.sideLog2 - shiftX, sideY = motion.sideLog2 - shiftY
        let wide = format.bytesPerSample == 2
        let warp = wide ? kernels.warp_row_16 : kernels.warp_row_8
        let blend = wide ? kernels.blend_row_16 : kernels.blend_row_8
        let sourceA = Self.source(a.planes[index]), sourceB = Self.source(b.planes[index])
        let scaleA = -Int32((phase * 16384).rounded()), scaleB = scaleA + 16384
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 3 * (width + 64) + columns) { memory in
            guard let vx = memory.baseAddress else { return }
            let vy = vx + width + 64, weight = vy + width + 64, scratch = weight + width + 64
            withUnsafeTemporaryAllocation(byteCount: 2 * (width + 64) * 2, alignment: 64) { samples in
                guard let rowA = samples.baseAddress else { return }
                let rowB = rowA + (width + 64) * 2
                withUnsafePointer(to: sourceA) { sourceA in
                    withUnsafePointer(to: sourceB) { sourceB in
                        for y in rows {
                            func upsample(
                                _ grid: Buffer2D<Int16>, _ gainLog2: Int, into out: UnsafeMutablePointer<Int16>
                            ) {
                                grid.upsampleRow(
                                    y, sideLog2: (sideX, sideY), gainLog2: gainLog2, count: width, into: out,
                                    scratch: scratch)
                            }
                            // Vectors are in samples of the flow's level. One such sample is 2^level / 2^shift samples
                            // of the plane.
                            upsample(motion.vx, level - shiftX, into: vx)
                            upsample(motion.vy, level - shiftY, into: vy)
                            upsample(motion.weight, 0, into: weight)
                            let maximum = Int32(format.maximumValue)
                            warp(rowA, sourceA, 0, Int32(y), Int32(width), vx, vy, scaleA, maximum)
                            warp(rowB, sourceB, 0, Int32(y), Int32(width), vx, vy, scaleB, maximum)
                            weight.withMemoryRebound(to: UInt16.self, capacity: width) { weight in
                                blend(plane.row(y), rowA, rowB, weight, Int32(width))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func source(_ plane: PaddedPlane) -> vfx_warp_source {
        vfx_warp_source(
            origin: plane.origin, stride: plane.stride, width: Int32(plane.width), height: Int32(plane.height),
            margin: Int32(ReferenceFrame.margin))
    }
}
