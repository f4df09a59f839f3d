package import FrameCore
package import Motion

/// What interpolation at a phase works with, as one value from 0 to 255 for each luma sample.
package struct InterpolationMaps {
    private let flow: OpticalFlow
    private let phase: Float
    private let threads: Int

    /// - Parameters:
    ///   - flow: between two pictures.
    ///   - phase: from the first picture to the second, strictly between 0 and 1.
    package init(_ flow: OpticalFlow, phase: Float, threads: Int) {
        self.flow = flow
        self.phase = phase
        self.threads = threads
    }

    /// 255 where no motion vector arrives when the flow is splatted to the phase, else 0.
    package func holes() -> [UInt8] {
        let splat = ForwardSplat(
            forward: (flow.forward.cells, flow.forward.consistencyErrors),
            backward: (flow.backward.cells, flow.backward.consistencyErrors), t: Int32((phase * 1024).rounded()))
        parallelFor(splat.bands, threads: threads) { splat.splat(band: $0) }
        return spread(splat.rank, sideLog2: flow.forward.level + 2) { $0 == .max ? 255 : 0 }
    }

    /// The share of the second picture, 255 where the sample comes from it only.
    ///
    /// - Throws: `FrameError` when memory is short.
    package func weights(_ first: PixelBuffer, _ second: PixelBuffer) throws(FrameError) -> [UInt8] {
        let motion = IntermediateFlow(
            flow, a: try LumaPyramid(first, threads: threads), b: try LumaPyramid(second, threads: threads),
            phase: phase, threads: threads)
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
