package import FrameCore

/// Cleans compressed pictures at their size: a trained network removes blocking and ringing from each plane.
///
/// The result depends neither on the thread count nor on the processor.
package struct RestorationEngine: Sendable {
    private let format: PixelFormat
    private let network: SuperResolutionNetwork
    private let context: ExecutionContext
    private let pool: PixelBufferPool

    /// - Parameters:
    ///   - format: pixel format of source and output.
    ///   - size: size of both; any.
    ///   - condition: how the pictures were compressed.
    ///   - rotations: how many rotations to average.
    ///   - context: the threads and kernels to use.
    /// - Throws: ``FrameError`` if the size is not allowed.
    package init(
        format: PixelFormat, size: FrameDimensions, condition: RestorationCondition,
        rotations: SuperResolutionNetwork.Rotations = .one, context: ExecutionContext
    ) throws(FrameError) {
        self.format = format
        self.context = context
        network = SuperResolutionNetwork(
            NetworkWeights(restoration: condition), rotations: rotations, context: context)
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
                for index in 0..<from.count {
                    try network.apply(from[index], into: planes[index], bitDepth: format.bitDepth)
                }
            }
        }
        return picture
    }
}
