import FrameCore
import Imaging

/// Brings luma to a larger size: doubled as often as it takes to reach it, then brought down to it.
struct LumaScaler: Sendable {
    private let network: SuperResolutionNetwork
    private let threads: Int
    private let format: PixelFormat
    /// Sizes after each doubling.
    private let steps: [FrameDimensions]
    /// From the last doubling to the target; nil where it is reached.
    private let rest: PlaneResampler?

    /// - Parameters:
    ///   - format: of the pictures.
    ///   - source: not larger than `target`, in either direction.
    ///   - isSelfEnsemble: whether pictures are doubled in four positions and averaged.
    init(
        format: PixelFormat, source: FrameDimensions, target: FrameDimensions, model: SuperResolutionNetwork.Model,
        isSelfEnsemble: Bool,
        threads: Int
    ) throws(FrameError) {
        network = SuperResolutionNetwork(model, isSelfEnsemble: isSelfEnsemble, threads: threads)
        self.threads = threads
        self.format = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        var size = source, steps: [FrameDimensions] = []
        // Sizes that grow in one direction alone would double past what a buffer holds in the other.
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
    ///   - source: of the source size.
    ///   - target: of the target size.
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

    private func double(
        _ buffer: PixelBuffer?, or plane: Plane, into target: MutablePlane
    ) throws(FrameError) {
        guard let buffer else { return try network.double(plane, into: target, bitDepth: format.bitDepth) }
        try buffer.withPlanes { planes throws(FrameError) in
            try network.double(planes[0], into: target, bitDepth: format.bitDepth)
        }
    }
}
