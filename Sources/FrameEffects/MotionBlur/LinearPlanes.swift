import FrameCore
import Imaging
import Motion

/// Luma of frames, or red, green and blue, converted to linear light and cached while the frames are in use.
struct LinearPlanes {
    /// The linear-light planes that are integrated instead of code values.
    struct Sources {
        struct Plane {
            let current: PaddedPlane
            let previous: PaddedPlane
            let next: PaddedPlane
        }
        let curve: LinearLightTable
        /// Of the first planes of the frames.
        let planes: [Plane]
    }

    private var color: ColorDescription?
    private var curve: LinearLightTable?
    private var known: [(code: PaddedPlane, light: PaddedPlane)] = []

    /// Returns the light of a frame and its neighbours. Cached planes of other frames are dropped.
    ///
    /// A missing neighbour is replaced by the frame itself.
    mutating func sources(
        _ current: ReferenceFrame, _ previous: ReferenceFrame?, _ next: ReferenceFrame?, color: ColorDescription,
        format: PixelFormat, context: ExecutionContext
    ) throws(FrameError) -> Sources {
        let curve: LinearLightTable
        if let kept = self.curve, self.color == color {
            curve = kept
        } else {
            curve = LinearLightTable(color, bitDepth: format.bitDepth, height: current.planes[0].height)
            self.curve = curve
            self.color = color
            known = []
        }
        var made: [(code: PaddedPlane, light: PaddedPlane)] = []
        func light(_ frame: ReferenceFrame, _ index: Int) throws(FrameError) -> PaddedPlane {
            let code = frame.planes[index]
            if let kept = (known + made).first(where: { $0.code === code }) {
                made.append(kept)
                return kept.light
            }
            let light = try Self.light(of: code, curve, context: context)
            made.append((code, light))
            return light
        }
        let planes = try (0..<(format.isRGB ? 3 : 1)).map { index throws(FrameError) in
            Sources.Plane(
                current: try light(current, index), previous: try light(previous ?? current, index),
                next: try light(next ?? current, index))
        }
        known = made
        return Sources(curve: curve, planes: planes)
    }

    /// Rows that are converted as one unit.
    private static let bandRows = 32

    private static func light(
        of luma: PaddedPlane, _ curve: LinearLightTable, context: ExecutionContext
    ) throws(FrameError) -> PaddedPlane {
        let result = try PaddedPlane(
            width: luma.width, height: luma.height, bytesPerSample: 2, margin: luma.margin)
        parallelBands(luma.height + 2 * luma.margin, height: bandRows, threads: context.threads) { rows in
            convert(luma.sampleType, luma, rows, curve, into: result)
        }
        return result
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func convert<Sample: PixelSample>(
        _: Sample.Type, _ luma: PaddedPlane, _ rows: Range<Int>, _ curve: LinearLightTable, into result: PaddedPlane
    ) {
        let margin = luma.margin, count = luma.width + 2 * margin
        curve.light.withUnsafeBufferPointer { light in
            for row in rows {
                let from = luma.row(row - margin).assumingMemoryBound(to: Sample.self) - margin
                let to = result.row(row - margin).assumingMemoryBound(to: UInt16.self) - margin
                // Damaged files can contain samples above the bit depth.
                for x in 0..<count { to[x] = light[min(Int(from[x]), light.count - 1)] }
            }
        }
    }
}

extension LinearLightTable {
    /// Writes a block of blurred light as code values. The change made by the blur is added to the source, so samples
    /// that it did not change stay exactly the same.
    ///
    /// - Parameters:
    ///   - light: the blurred light, in rows of 16 values.
    ///   - source: the first sample of the block in the source frame.
    ///   - sourceStride: distance between source rows, in samples.
    ///   - target: the first sample of the block in the destination.
    ///   - targetStride: distance between destination rows, in samples.
    ///   - width: width of the block, at most 16 samples.
    ///   - height: height of the block, at most 16 samples.
    func write<Sample: PixelSample>(
        _ light: UnsafePointer<UInt16>, source: UnsafePointer<Sample>, sourceStride: Int,
        to target: UnsafeMutablePointer<Sample>, targetStride: Int, width: Int, height: Int
    ) {
        let most = self.light.count - 1
        for y in 0..<height {
            for x in 0..<width {
                let old = Int(source[y * sourceStride + x]), known = min(old, most)
                let change = Int(code[Int(light[y * 16 + x])]) - Int(code[Int(self.light[known])])
                target[y * targetStride + x] = Sample(truncatingIfNeeded: min(max(known + change, 0), most))
            }
        }
    }
}
