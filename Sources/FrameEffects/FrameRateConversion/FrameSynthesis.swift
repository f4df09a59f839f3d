import FrameCore
import Imaging
import Motion

/// Writes the frame at a phase: warps both neighbours along the motion and blends them by visibility. Where the two
/// differ visibly, they are also warped along the second motion, and a network weighs these four predictions and smoothed ones.
struct FrameSynthesis {
    let a: ReferenceFrame
    let b: ReferenceFrame
    let motion: IntermediateFlow
    /// Where the paths of content bend; nil if they are straight.
    let offsets: PathOffsets?
    /// Position between `a` and `b`, 0…1.
    let phase: Float
    /// The network that weighs the predictions; nil to blend them by visibility everywhere.
    let network: FusionNetwork?
    private let upsampling: MotionUpsampling
    private let context: ExecutionContext
    /// Luma rows that are written as one unit.
    private static let bandRows = 2 * FusionParameters.tile

    init(
        a: ReferenceFrame, b: ReferenceFrame, motion: IntermediateFlow, offsets: PathOffsets?, phase: Float,
        network: FusionNetwork?, context: ExecutionContext
    ) {
        (self.a, self.b, self.motion, self.offsets, self.phase) = (a, b, motion, offsets, phase)
        (self.network, self.context) = (network, context)
        upsampling = MotionUpsampling(motion, context: context)
    }

    /// Overwrites `picture` with the frame at the phase. Colors are premultiplied by alpha if either neighbour is not opaque.
    func write(to picture: inout PixelBuffer) throws(FrameError) {
        let format = picture.format, isOpaque = a.isOpaque && b.isOpaque
        let fusion = try fusion(format), groups = isOpaque ? format.withoutAlpha.planeGroups : format.planeGroups
        try picture.withOverwrittenPlanes { planes in
            nonisolated(unsafe) let planes = planes
            if isOpaque, let alpha = format.alphaPlane { planes[alpha].fill(alpha: nil, format) }
            parallelBands(planes[0].height, height: Self.bandRows, threads: context.threads) { rows in
                let first = rows.lowerBound, end = rows.upperBound
                let regions = fusion.map { fused($0, rows: first / 2..<(end + 1) / 2, format: format) } ?? []
                for indices in groups {
                    let isLuma = indices.lowerBound == 0, shift = format.shift(indices.lowerBound)
                    let written = indices.map { index in
                        SynthesisPlane(
                            plane: planes[index],
                            warp: NeighbourWarp(
                                a.planes[index], b.planes[index], format: format, phase: phase, context: context))
                    }
                    SynthesisRows(
                        planes: written, isLuma: isLuma, shift: shift, format: format, motion: motion,
                        offsets: offsets, upsampling: upsampling, context: context
                    ).write(
                        first >> shift.y..<(end + (1 << shift.y) - 1) >> shift.y, fusion?.predictions, regions,
                        fusion?.second)
                }
            }
        }
    }

    private struct Fusion {
        let network: FusionNetwork
        let second: MotionLayer
        let predictions: FusionBand.Predictions
    }

    private func fusion(_ format: PixelFormat) throws(FrameError) -> Fusion? {
        guard let network, let second = motion.second else { return nil }
        return Fusion(network: network, second: second, predictions: try predictions(format))
    }

    private func fused(_ fusion: Fusion, rows: Range<Int>, format: PixelFormat) -> [FusedRegion] {
        FusionBand(
            network: fusion.network, motion: motion, second: fusion.second, offsets: offsets, references: (a, b),
            predictions: fusion.predictions, format: format, phase: phase, rows: rows,
            context: context
        ).regions()
    }

    /// Warps both neighbours' luma along the first motion, to planes of even size: the network reads squares of 2×2.
    func predictions(_ format: PixelFormat) throws(FrameError) -> FusionBand.Predictions {
        let source = a.planes[0], width = (source.width + 1) / 2 * 2, height = (source.height + 1) / 2 * 2
        func plane() throws(FrameError) -> PaddedPlane {
            try PaddedPlane(width: width, height: height, bytesPerSample: 2, margin: 0)
        }
        let result = (a: try plane(), b: try plane())
        parallelBands(height, height: Self.bandRows, threads: context.threads) { rows in
            let warp = NeighbourWarp(a.planes[0], b.planes[0], format: format, phase: phase, context: context)
            let room = width + 64, memory = Scratch<Int16>((2 + PathOffsets.Row.memoryRows) * room + motion.columns)
            let vx = memory.base, vy = vx + room, scratch = vy + room, bends = scratch + motion.columns
            for y in rows {
                upsampling.row(y, shift: (0, 0), count: width, outX: vx, outY: vy, scratch: scratch)
                let offsets = offsets?.row(
                    y, shift: (0, 0), count: width, memory: bends, room: room, scratch: scratch)
                warp.row(
                    y, columns: 0..<width, into: result.a.row(y), result.b.row(y), vx: vx, vy: vy, offsets: offsets)
            }
        }
        return result
    }
}
