package import FrameCore

/// The source and output size of an upscaling, validated.
package struct UpscalingGeometry: Sendable, Hashable {
    /// The maximum scale factor of a side.
    package static let maximumFactor = 16
    /// The allowed width and height of the output.
    package static let outputRange = WorkingSize.sides

    /// Which sizes of source and output are allowed.
    package struct Limits: Sendable {
        package let sides: ClosedRange<Int>
        /// The largest number of pixels.
        let pixels: Int

        /// The limits of a session, which estimates motion.
        package static let session = Limits(sides: WorkingSize.sides, pixels: .max)
        /// The limits of single images, which are processed in tiles: those of JPEG, and of libav's encoders.
        package static let still = Limits(
            sides: WorkingSize.sides.lowerBound...PixelBuffer.sizeRange.upperBound, pixels: 1 << 28)

        /// The range for error messages.
        package var text: String {
            let (low, high) = (sides.lowerBound, sides.upperBound)
            return "\(low)x\(low) to \(high)x\(high)" + (pixels < .max ? " with at most \(pixels) pixels" : "")
        }

        package func contains(_ width: Int, _ height: Int) -> Bool {
            sides.contains(width) && sides.contains(height) && width * height <= pixels
        }
    }

    package let source: FrameDimensions
    package let output: FrameDimensions

    /// - Parameters:
    ///   - source: size of the source frames.
    ///   - factor: above 1 and at most 16; the output size is rounded to whole samples.
    ///   - limits: which output sizes are allowed.
    /// - Throws: ``FrameProcessorError`` if the factor is not allowed or the output would be too large.
    package init(
        source: FrameDimensions, factor: Rational, limits: Limits = .session
    ) throws(FrameProcessorError) {
        guard factor.isPositive, factor.numerator > factor.denominator,
            Int64(factor.numerator) <= Int64(Self.maximumFactor) * Int64(factor.denominator)
        else {
            throw FrameProcessorError(
                .invalidParameterError,
                "scale factor \(factor) is not allowed; it must be above 1 and at most \(Self.maximumFactor)")
        }
        func scaled(_ side: Int) -> Int {
            let (n, d) = (Int(factor.numerator), Int(factor.denominator))
            return (2 * side * n + d) / (2 * d)
        }
        let output = FrameDimensions(width: scaled(source.width), height: scaled(source.height))
        try Self.checkOutput(
            output, "\(source.width)x\(source.height) times \(factor) is \(output.width)x\(output.height)", limits)
        self.source = source
        self.output = output
    }

    /// - Parameters:
    ///   - source: size of the source frames.
    ///   - output: output size: not smaller than the source in either direction, larger in at least one, and at most 16
    ///     times as large.
    ///   - limits: which output sizes are allowed.
    /// - Throws: ``FrameProcessorError`` if the output size is not allowed.
    package init(
        source: FrameDimensions, output: FrameDimensions, limits: Limits = .session
    ) throws(FrameProcessorError) {
        let words =
            "\(output.width)x\(output.height) is not allowed as the output size of \(source.width)x\(source.height)"
        try Self.checkOutput(output, words, limits)
        guard output.width >= source.width, output.height >= source.height, output != source else {
            throw FrameProcessorError(
                .unsupportedResolution, "\(words); it must be larger in at least one direction and smaller in neither")
        }
        guard output.width <= Self.maximumFactor * source.width, output.height <= Self.maximumFactor * source.height
        else {
            throw FrameProcessorError(
                .unsupportedResolution, "\(words); a side can grow at most \(Self.maximumFactor) times")
        }
        self.source = source
        self.output = output
    }

    private static func checkOutput(
        _ output: FrameDimensions, _ words: String, _ limits: Limits
    ) throws(FrameProcessorError) {
        guard limits.contains(output.width, output.height) else {
            throw FrameProcessorError(.unsupportedResolution, "\(words); outputs must be \(limits.text)")
        }
    }

    /// Returns the pixel aspect ratio of the output that preserves the display aspect ratio; the source's if both sides
    /// grow by the same factor, apart from rounding.
    package func sampleAspectRatio(_ ratio: Rational?) -> Rational? {
        // A side changed by less than a sample through rounding has kept its proportion.
        let across = Int64(output.width) * Int64(source.height), down = Int64(output.height) * Int64(source.width)
        guard abs(across - down) > Int64(max(source.width, source.height)) else { return ratio }
        let old = ratio.flatMap { $0.isPositive ? $0.reduced : nil } ?? Rational(1, 1)
        let common = max(1, greatestCommonDivisor(down, across))
        return Rational(
            reducing: Int64(old.numerator) * (down / common), Int64(old.denominator) * (across / common)) ?? ratio
    }

    /// The most rows of standard-definition video, above which other players guess BT.709.
    private static let standardDefinitionRows = 576

    /// Returns the color description of the output. Unspecified properties are guessed from the height, so if the guess
    /// for the output would differ from that for the source, the latter is made explicit.
    package func color(_ color: ColorDescription) -> ColorDescription {
        var known = color.resolved(height: source.height)
        let nothing = ColorDescription.unspecified
        let growsOut = source.height <= Self.standardDefinitionRows && output.height > Self.standardDefinitionRows
        guard growsOut || nothing.resolved(height: source.height) != nothing.resolved(height: output.height) else {
            return color
        }
        (known.range, known.chromaLocation) = (color.range, color.chromaLocation)
        return known
    }

    /// Adapts a frame's metadata to the output size.
    func scaleMetadata(of frame: inout Frame) {
        frame.color = color(frame.color)
        frame.sampleAspectRatio = sampleAspectRatio(frame.sampleAspectRatio)
    }

    /// Returns a display matrix with its offsets, which are in pixels, scaled to the output size.
    package func displayMatrix(_ matrix: [Int32]?) -> [Int32]? {
        guard var matrix, matrix.count == 9 else { return matrix }
        func scaled(_ offset: Int32, _ to: Int, _ from: Int) -> Int32 {
            Int32(clamping: Int64(offset) * Int64(to) / Int64(max(1, from)))
        }
        matrix[6] = scaled(matrix[6], output.width, source.width)
        matrix[7] = scaled(matrix[7], output.height, source.height)
        return matrix
    }
}
