public import FrameCore
package import FrameEffects

/// The size to which frames are enlarged.
public enum UpscaleTarget: Sendable, Hashable {
    /// A factor of 1, which cleans pictures at their size, to 16.
    case factor(Rational)
    /// Width and height as displayed, after any rotation that the file specifies.
    case size(width: Int, height: Int)

    /// Whether frames keep their size.
    package var keepsSize: Bool {
        guard case .factor(let factor) = self else { return false }
        return factor.isPositive && factor.numerator == factor.denominator
    }

    /// The factor or the size as text.
    package var summary: String {
        switch self {
        case .factor(let factor): "\(factor)x"
        case .size(let width, let height): "to \(width)x\(height)"
        }
    }

    /// Returns the scaling from a stream's size to the target.
    ///
    /// - Parameters:
    ///   - swapsSides: whether the file specifies a quarter turn, so that the displayed width is the stored height.
    ///   - limits: which sizes of source and output are allowed.
    /// - Throws: ``FrameProcessorError`` if frames cannot be enlarged to the target.
    package func geometry(
        width: Int, height: Int, swapsSides: Bool, limits: UpscalingGeometry.Limits = .session
    ) throws(FrameProcessorError) -> UpscalingGeometry {
        let source = FrameDimensions(width: width, height: height)
        guard limits.contains(width, height) else {
            throw FrameProcessorError(
                .unsupportedResolution, WorkingSize.refusal(width, height, of: "frames", allowed: limits.text))
        }
        switch self {
        case .factor(let factor): return try UpscalingGeometry(source: source, factor: factor, limits: limits)
        case .size(let width, let height):
            let stored =
                swapsSides
                ? FrameDimensions(width: height, height: width) : FrameDimensions(width: width, height: height)
            return try UpscalingGeometry(source: source, output: stored, limits: limits)
        }
    }

    /// Returns the scaling for a stream.
    package func geometry(_ stream: VideoStreamDescription) throws(FrameProcessorError) -> UpscalingGeometry {
        try geometry(width: stream.width, height: stream.height, swapsSides: stream.swapsSides)
    }

    /// Returns the description of the output for a given source.
    package func outputStream(for source: VideoStreamDescription) throws(FrameProcessorError) -> VideoStreamDescription
    {
        let geometry = try geometry(source)
        var output = source
        (output.width, output.height) = (geometry.output.width, geometry.output.height)
        output.color = geometry.color(source.color)
        output.sampleAspectRatio = geometry.sampleAspectRatio(source.sampleAspectRatio)
        output.displayMatrix = geometry.displayMatrix(source.displayMatrix)
        return output
    }
}

extension UpscaleTarget {
    /// Parses a factor.
    ///
    /// - Parameters:
    ///   - text: such as `2`, `1.5` or `3/2`.
    ///   - name: the option or effect that the error message names.
    /// - Throws: `FrameError` if `text` is not an allowed factor.
    package static func factor(_ text: String, of name: String) throws(FrameError) -> UpscaleTarget {
        let most = UpscalingGeometry.maximumFactor
        guard let value = Rational(exactly: Substring(text).trimmingSpaces()), value.isPositive,
            value.numerator >= value.denominator, Int64(value.numerator) <= Int64(most) * Int64(value.denominator)
        else {
            throw FrameError(
                .invalidArgument,
                "\(name) '\(text)' is not a number of 1 to \(most), such as 2, 1.5 or 4/3")
        }
        return .factor(value.reduced)
    }

    /// Parses a size.
    ///
    /// - Parameters:
    ///   - text: such as `1920x1080`.
    ///   - name: the option or effect that the error message names.
    ///   - limits: which sizes are allowed.
    /// - Throws: `FrameError` if `text` is not an allowed size.
    package static func size(
        _ text: String, of name: String, limits: UpscalingGeometry.Limits = .session
    ) throws(FrameError) -> UpscaleTarget {
        let range = limits.sides
        guard let (width, height) = parseSize(text, range) else {
            throw FrameError(
                .invalidArgument,
                "\(name) '\(text)' is not a size such as 1920x1080 with sides of \(range.lowerBound) to \(range.upperBound) pixels"
            )
        }
        return .size(width: width, height: height)
    }
}

extension VideoStreamDescription {
    /// Whether the display matrix rotates the frame by 90° or 270°.
    package var swapsSides: Bool {
        guard let matrix = displayMatrix, matrix.count == 9 else { return false }
        return matrix[0] == 0 && matrix[4] == 0 && matrix[1] != 0 && matrix[3] != 0
    }
}
