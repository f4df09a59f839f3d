package import FrameCore

/// From which size to which pictures are brought, checked.
package struct UpscalingGeometry: Sendable, Hashable {
    /// Most that a side may grow.
    package static let maximumFactor = 16
    /// Sizes that a side of the result may have.
    package static let outputRange = WorkingSize.sides

    package let source: FrameDimensions
    package let output: FrameDimensions

    /// - Parameters:
    ///   - source: size of the pictures.
    ///   - factor: above 1, at most 16; sizes of the result are rounded to whole samples.
    /// - Throws: ``FrameProcessorError`` for another factor, or when the result would be too large.
    package init(source: FrameDimensions, factor: Rational) throws(FrameProcessorError) {
        guard factor.isPositive, factor.numerator > factor.denominator,
            Int64(factor.numerator) <= Int64(Self.maximumFactor) * Int64(factor.denominator)
        else {
            throw FrameProcessorError(
                .invalidParameterError,
                "scale factor \(factor) is not allowed; it is above 1 and at most \(Self.maximumFactor)")
        }
        func scaled(_ side: Int) -> Int {
            let (n, d) = (Int(factor.numerator), Int(factor.denominator))
            return (2 * side * n + d) / (2 * d)
        }
        let output = FrameDimensions(width: scaled(source.width), height: scaled(source.height))
        try Self.checkOutput(
            output, "\(source.width)x\(source.height) times \(factor) is \(output.width)x\(output.height)")
        self.source = source
        self.output = output
    }

    /// - Parameters:
    ///   - source: size of the pictures.
    ///   - output: size of the result: in neither direction smaller than the source, in one larger, and not more than 16
    ///     times as large.
    /// - Throws: ``FrameProcessorError`` for another size.
    package init(source: FrameDimensions, output: FrameDimensions) throws(FrameProcessorError) {
        let words = "\(output.width)x\(output.height) is not allowed as output size of \(source.width)x\(source.height)"
        try Self.checkOutput(output, words)
        guard output.width >= source.width, output.height >= source.height, output != source else {
            throw FrameProcessorError(
                .unsupportedResolution, "\(words); it must be larger, and smaller in neither direction")
        }
        guard output.width <= Self.maximumFactor * source.width, output.height <= Self.maximumFactor * source.height
        else {
            throw FrameProcessorError(
                .unsupportedResolution, "\(words); a side grows at most \(Self.maximumFactor) times")
        }
        self.source = source
        self.output = output
    }

    private static func checkOutput(_ output: FrameDimensions, _ words: String) throws(FrameProcessorError) {
        guard WorkingSize.contains(output.width, output.height) else {
            throw FrameProcessorError(.unsupportedResolution, "\(words); results are \(WorkingSize.text)")
        }
    }

    /// Width of a pixel over its height in the result, so that the picture keeps its shape: the source's where both sides
    /// grow alike but for rounding.
    package func sampleAspectRatio(_ ratio: Rational?) -> Rational? {
        // A side that rounding has moved by less than a sample has kept the shape.
        let across = Int64(output.width) * Int64(source.height), down = Int64(output.height) * Int64(source.width)
        guard abs(across - down) > Int64(max(source.width, source.height)) else { return ratio }
        let old = ratio.flatMap { $0.isPositive ? $0.reduced : nil } ?? Rational(1, 1)
        let common = max(1, greatestCommonDivisor(down, across))
        return Rational(
            reducing: Int64(old.numerator) * (down / common), Int64(old.denominator) * (across / common)) ?? ratio
    }

    /// How the result's code values are meant. What nobody says is guessed by height: where the guess about the result
    /// would be another one, that about the source is written down.
    package func color(_ color: ColorDescription) -> ColorDescription {
        var known = color.resolved(height: source.height)
        guard known != color.resolved(height: output.height) else { return color }
        (known.range, known.chromaLocation) = (color.range, color.chromaLocation)
        return known
    }

    /// Fits what rides on a frame to its picture, which has grown.
    func scaleMetadata(of frame: inout Frame) {
        frame.color = color(frame.color)
        frame.sampleAspectRatio = sampleAspectRatio(frame.sampleAspectRatio)
    }

    /// A display matrix whose offsets, in pixels, fit the result.
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
