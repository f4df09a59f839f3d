public import FrameCore
import Imaging

/// Adds film grain to frames exactly as an AV1 decoder does (AV1 specification, 7.18.3).
///
/// AV1 defines grain for 8, 10 and 12 bits. Other depths up to 12 follow the same formulas; frames of more than 12 bits
/// get the grain of 12 bits, shifted up.
public struct FilmGrainSynthesizer: Sendable {
    private let format: PixelFormat
    private let width: Int
    private let height: Int
    private let context: ExecutionContext
    private let pool: PixelBufferPool

    /// - Parameters:
    ///   - format: the format of the frames.
    ///   - width: the width of the frames in luma samples.
    ///   - height: the height of the frames in luma rows.
    ///   - context: the threads and kernels to use; the result does not depend on them.
    /// - Throws: `FrameError` if the size is not allowed.
    public init(format: PixelFormat, width: Int, height: Int, context: ExecutionContext = .serial) throws(FrameError) {
        self.format = format
        self.width = width
        self.height = height
        self.context = context
        pool = try PixelBufferPool(format: format, width: width, height: height)
    }

    /// Returns a frame with grain; the frame itself if there is none to add.
    ///
    /// - Parameters:
    ///   - grain: the grain, with the seed for this frame.
    ///   - source: a frame of the synthesizer's format and size.
    ///   - matrix: how the frame's planes are derived; with `identity`, all planes have the range of luma.
    /// - Throws: `FrameError` if the grain's values are not allowed, or the frame has another format or size.
    public func adding(
        _ grain: FilmGrain, to source: PixelBuffer, matrix: MatrixCoefficients = .unspecified
    ) throws(FrameError) -> PixelBuffer {
        guard source.format == format, source.width == width, source.height == height else {
            throw FrameError(
                .invalidArgument,
                "a \(source.width)x\(source.height) \(source.format) frame does not fit grain for \(width)x\(height) \(format)"
            )
        }
        try grain.check()
        if grain.isNothing { return source }
        var result = try pool.makeBuffer()
        let context = context
        let planes = GrainPlane.planes(of: grain, format: format, isIdentity: matrix == .identity || format.isRGB)
        try result.withOverwrittenPlanes { target in
            source.withPlanes { source in
                nonisolated(unsafe) let source = source, target = target
                if let alpha = format.alphaPlane { target[alpha].copy(source[alpha], format) }
                parallelBands(height, height: GrainPlane.side, threads: context.threads) { rows in
                    let stripe = rows.lowerBound / GrainPlane.side
                    for (index, plane) in planes.enumerated() {
                        plane.add(to: source[index], luma: source[0], target[index], stripe, format.sampleType)
                    }
                }
            }
        }
        return result
    }
}
