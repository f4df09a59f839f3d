package import FrameCore
package import Motion

/// The intermediate data of interpolation at a phase, as one value from 0 to 255 for each luma sample.
package struct InterpolationMaps {
    private let flow: OpticalFlow
    private let phase: Float
    private let context: ExecutionContext

    /// - Parameters:
    ///   - flow: the flow between two frames.
    ///   - phase: the position between the first frame (0) and the second (1), both excluded.
    ///   - context: the threads and kernels to use.
    package init(_ flow: OpticalFlow, phase: Float, context: ExecutionContext) {
        self.flow = flow
        self.phase = phase
        self.context = context
    }

    /// Returns 255 where no motion vector lands when the flow is splatted to the phase, otherwise 0.
    package func holes() -> [UInt8] {
        let splat = flow.splatted(t: Int32((phase * 1024).rounded()), context: context)
        return spread(splat.rank, sideLog2: flow.forward.level + 2) { $0 == .max ? 255 : 0 }
    }

    /// Returns the weight of the second frame; 255 where the sample comes only from that frame.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func weights(_ first: PixelBuffer, _ second: PixelBuffer) throws(FrameError) -> [UInt8] {
        let motion = IntermediateFlow(
            flow, a: try LumaPyramid(first, context: context), b: try LumaPyramid(second, context: context),
            phase: phase, hasAlternatives: false, context: context)
        return spread(motion.weight, sideLog2: motion.sideLog2) { UInt8(min(max($0, 0), 255)) }
    }

    private func spread<Value>(
        _ cells: Buffer2D<Value>, sideLog2: Int, _ value: (Value) -> UInt8
    ) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(flow.width * flow.height)
        for y in 0..<flow.height {
            let row = min(y >> sideLog2, cells.rows - 1)
            for x in 0..<flow.width { samples.append(value(cells[min(x >> sideLog2, cells.columns - 1), row])) }
        }
        return samples
    }
}
