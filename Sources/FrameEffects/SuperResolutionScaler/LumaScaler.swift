import FrameCore
import Imaging

/// Upscales luma: doubles it as often as needed to reach the target size, then scales it down to that size.
struct LumaScaler: Sendable {
    private let networks: DoublingNetworks
    private let rotations: SuperResolutionNetwork.Rotations
    /// Whether tiles of a single value are filled without the network, whose result is the same.
    private let skipsFlatTiles: Bool
    private let context: ExecutionContext
    private let format: PixelFormat
    /// Buffers for the result of each doubling. Those of the last are not used if it has the target size.
    private let doublings: [PixelBufferPool]
    /// Scales the last doubling to the target size; nil if they are equal.
    private let rest: PlaneResampler?

    /// - Parameters:
    ///   - format: pixel format of the frames.
    ///   - source: source size, not larger than `target` in either direction.
    ///   - networks: what doubles the source.
    ///   - rotations: how many rotations of the picture to average.
    ///   - skipsFlatTiles: whether much of the picture may have a single value, as alpha does; only in one rotation.
    ///   - context: the threads and kernels to use.
    init(
        format: PixelFormat, source: FrameDimensions, target: FrameDimensions, networks: DoublingNetworks,
        rotations: SuperResolutionNetwork.Rotations, skipsFlatTiles: Bool = false, context: ExecutionContext
    ) throws(FrameError) {
        self.networks = networks
        self.rotations = rotations
        self.skipsFlatTiles = skipsFlatTiles
        self.context = context
        let luma = try PixelFormat(subsampling: .monochrome, bitDepth: format.bitDepth)
        self.format = luma
        var size = source, doublings: [PixelBufferPool] = []
        // If only one side grows, the other could double without end.
        let limit =
            WorkingSize.contains(target.width, target.height)
            ? 2 * WorkingSize.sides.upperBound : PixelBuffer.sizeRange.upperBound
        while size.width < target.width || size.height < target.height, max(size.width, size.height) * 2 <= limit {
            size = FrameDimensions(width: 2 * size.width, height: 2 * size.height)
            doublings.append(try PixelBufferPool(format: luma, width: size.width, height: size.height, keeping: 1))
        }
        self.doublings = doublings
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
        for (index, pool) in doublings.enumerated() {
            if index == doublings.count - 1, rest == nil {
                return try double(latest, or: source, into: target)
            }
            var larger = try pool.makeBuffer()
            try larger.withOverwrittenPlanes { planes throws(FrameError) in
                try double(latest, or: source, into: planes[0])
            }
            latest = larger
        }
        guard let rest else { return }
        if let latest {
            latest.withPlanes { rest.resample($0[0], into: target, format: format, context: context) }
        } else {
            rest.resample(source, into: target, format: format, context: context)
        }
    }

    /// Doubles a buffer, or if there is none yet, the source.
    private func double(
        _ buffer: PixelBuffer?, or source: Plane, into target: MutablePlane
    ) throws(FrameError) {
        if let buffer {
            return try buffer.withPlanes { planes throws(FrameError) in
                try double(planes[0], with: networks.later, into: target)
            }
        }
        let depth = format.bitDepth, first = networks.first(for: source, bitDepth: depth)
        if rotations == .one, let faint = networks.faint {
            return try SuperResolutionNetwork(first, context: context).double(
                source, into: target, bitDepth: depth, with: faint,
                in: TileDetail.faint(in: source, bitDepth: depth, context: context))
        }
        try double(source, with: first, into: target)
    }

    /// Whether ``addHalfTurn(_:to:in:)`` can be used and is worth its time: the target is the source doubled once, in one
    /// rotation, by the large network of a clip.
    var canAddHalfTurn: Bool {
        doublings.count == 1 && rest == nil && rotations == .one && networks.faint != nil
    }

    /// Averages the result of the source rotated by half a turn into what has been scaled, where tiles are marked.
    func addHalfTurn(_ source: Plane, to target: MutablePlane, in marks: TileMarks) {
        SuperResolutionNetwork(networks.first(for: source, bitDepth: format.bitDepth), context: context)
            .addHalfTurn(source, to: target, bitDepth: format.bitDepth, in: marks)
    }

    private func double(_ plane: Plane, with weights: NetworkWeights, into target: MutablePlane) throws(FrameError) {
        let depth = format.bitDepth
        guard skipsFlatTiles else {
            return try SuperResolutionNetwork(weights, rotations: rotations, context: context)
                .apply(plane, into: target, bitDepth: depth)
        }
        try SuperResolutionNetwork(weights, context: context).double(
            plane, into: target, bitDepth: depth,
            filling: TileDetail.flat(in: plane, bitDepth: depth, context: context))
    }
}
