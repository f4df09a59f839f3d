import FrameCore
import Imaging
import Kernels
import Motion

/// Upscales luma: doubles it as often as needed to reach the target size, then scales it down to that size.
struct LumaScaler: Sendable {
    private let network: SuperResolutionNetwork
    /// The network for compressed pictures, which doubles the source.
    private let compressed: SuperResolutionNetwork
    /// The share of `compressed` in the first doubling, in units of 1/256.
    private let share: UInt16
    private let threads: Int
    private let format: PixelFormat
    /// The size after each doubling.
    private let steps: [FrameDimensions]
    /// Scales the last doubling to the target size; nil if they are equal.
    private let rest: PlaneResampler?

    /// - Parameters:
    ///   - format: pixel format of the frames.
    ///   - source: source size, not larger than `target` in either direction.
    ///   - rotations: how many rotations of the picture to average.
    ///   - compression: the share of the network for compressed pictures, 0…1.
    init(
        format: PixelFormat, source: FrameDimensions, target: FrameDimensions, model: SuperResolutionNetwork.Model,
        rotations: SuperResolutionNetwork.Rotations, compression: Float, threads: Int
    ) throws(FrameError) {
        network = SuperResolutionNetwork(model, rotations: rotations, threads: threads)
        compressed = SuperResolutionNetwork(model.forCompressed, rotations: rotations, threads: threads)
        // A network for compressed pictures has no other to be mixed with.
        share = model.forCompressed == model ? 0 : UInt16((min(max(compression, 0), 1) * 256).rounded())
        self.threads = threads
        self.format = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        var size = source, steps: [FrameDimensions] = []
        // If only one side grows, the other could double past the largest size of a buffer.
        while size.width < target.width || size.height < target.height,
            max(size.width, size.height) * 2 <= PixelBuffer.sizeRange.upperBound
        {
            size = FrameDimensions(width: 2 * size.width, height: 2 * size.height)
            steps.append(size)
        }
        self.steps = steps
        rest =
            size == target
            ? nil
            : PlaneResampler.luma(
                width: size.width, height: size.height, outputWidth: target.width, outputHeight: target.height)
    }

    /// - Parameters:
    ///   - source: luma of the source size.
    ///   - target: luma of the target size.
    func scale(_ source: Plane, into target: MutablePlane) throws(FrameError) {
        var latest: PixelBuffer?
        for (index, size) in steps.enumerated() {
            if index == steps.count - 1, rest == nil {
                return try double(latest, or: source, into: target)
            }
            var larger = try PixelBuffer(format: format, width: size.width, height: size.height)
            try larger.withOverwrittenPlanes { planes throws(FrameError) in
                try double(latest, or: source, into: planes[0])
            }
            latest = larger
        }
        guard let rest else { return }
        if let latest {
            latest.withPlanes { rest.resample($0[0], into: target, format: format, threads: threads) }
        } else {
            rest.resample(source, into: target, format: format, threads: threads)
        }
    }

    /// Doubles a buffer, or if there is none yet, the source. Only the source shows compression.
    private func double(
        _ buffer: PixelBuffer?, or source: Plane, into target: MutablePlane
    ) throws(FrameError) {
        if let buffer {
            return try buffer.withPlanes { planes throws(FrameError) in
                try network.double(planes[0], into: target, bitDepth: format.bitDepth)
            }
        }
        let main = share == 256 ? compressed : network
        try main.double(source, into: target, bitDepth: format.bitDepth)
        guard (1..<256).contains(share) else { return }
        var other = try PixelBuffer(format: format, width: target.width, height: target.height)
        try other.withOverwrittenPlanes { planes throws(FrameError) in
            try compressed.double(source, into: planes[0], bitDepth: format.bitDepth)
        }
        let blend = format.bytesPerSample == 2 ? kernels.blend_row_16 : kernels.blend_row_8
        let weights = [UInt16](repeating: share, count: target.width)
        other.withPlanes { planes in
            nonisolated(unsafe) let other = planes[0], target = target
            parallelFor(target.height, threads: threads) { y in
                blend(target.row(y), target.row(y), other.row(y), weights, Int32(target.width))
            }
        }
    }
}
