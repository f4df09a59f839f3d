package import FrameCore
import Imaging

/// Cleans compressed pictures at their size: a trained network removes blocking and ringing from each plane of
/// color.
///
/// The result depends neither on the thread count nor on the processor.
package struct RestorationEngine: Sendable {
    /// The networks.
    package enum Network: Sendable {
        /// 32 channels, ten middle layers: for pictures that keep their size.
        case full
        /// 16 channels, six middle layers: a sixth of the work, for frames that are enlarged with high quality afterwards.
        case light
        /// 8 channels, two middle layers: a thirty-seventh of the work, for frames that are enlarged in real time afterwards.
        case small
    }

    private let format: PixelFormat
    private let network: SuperResolutionNetwork
    private let context: ExecutionContext
    private let pool: PixelBufferPool

    /// - Parameters:
    ///   - format: pixel format of source and output.
    ///   - size: size of both; any.
    ///   - condition: how the pictures were compressed.
    ///   - network: how much work it is.
    ///   - rotations: how many rotations to average.
    ///   - context: the threads and kernels to use.
    /// - Throws: ``FrameError`` if the size is not allowed.
    package init(
        format: PixelFormat, size: FrameDimensions, condition: RestorationCondition,
        network: Network = .full, rotations: SuperResolutionNetwork.Rotations = .one, context: ExecutionContext
    ) throws(FrameError) {
        self.format = format
        self.context = context
        self.network = SuperResolutionNetwork(
            NetworkWeights(restoration: condition, network), rotations: rotations, context: context)
        pool = try PixelBufferPool(format: format, width: size.width, height: size.height)
    }

    /// Cleans a picture.
    ///
    /// - Parameter source: a picture of the engine's format and size.
    /// - Throws: ``FrameError`` if memory cannot be allocated.
    package func restore(_ source: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var picture = try pool.makeBuffer()
        try picture.withOverwrittenPlanes { planes throws(FrameError) in
            try source.withPlanes { from throws(FrameError) in
                for index in 0..<format.colorPlaneCount {
                    try network.apply(from[index], into: planes[index], bitDepth: format.bitDepth)
                }
                if let alpha = format.alphaPlane { planes[alpha].copy(from[alpha], format) }
            }
        }
        return picture
    }
}
