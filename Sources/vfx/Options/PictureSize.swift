package import FrameCore
package import FrameEffects

/// How much larger a picture is to become, as written on the command line.
package enum UpscaleTarget: Sendable, Hashable {
    case factor(Rational)
    /// As shown, after a turn that the file asks for.
    case size(FrameDimensions)

    /// - Parameters:
    ///   - scale: `2`, `1.5` or `3/2`, above 1, at most 16.
    ///   - size: `1920x1080`.
    /// - Throws: ``FrameError`` when it is neither, or both are given or none.
    package init(scale: String?, size: String?) throws(FrameError) {
        switch (scale, size) {
        case (let scale?, nil): self = .factor(try Self.factor(scale))
        case (nil, let size?): self = .size(try Self.size(size))
        case (nil, nil):
            throw FrameError(
                .invalidArgument, "how large is it to become? Give --scale 2 or --size 1920x1080")
        case (.some, .some):
            throw FrameError(.invalidArgument, "--scale and --size exclude each other; give one of them")
        }
    }

    private static func factor(_ text: String) throws(FrameError) -> Rational {
        let most = UpscalingGeometry.maximumFactor
        guard let value = ExactNumber.parse(Substring(text).trimmingSpaces()), value.isPositive,
            value.numerator > value.denominator,
            Int64(value.numerator) <= Int64(most) * Int64(value.denominator)
        else {
            throw FrameError(
                .invalidArgument, "--scale '\(text)' is not a number above 1 and at most \(most), such as 2, 1.5 or 4/3"
            )
        }
        return value
    }

    private static func size(_ text: String) throws(FrameError) -> FrameDimensions {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = UpscalingGeometry.outputRange
        guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width),
            range.contains(height)
        else {
            throw FrameError(
                .invalidArgument,
                "--size '\(text)' is not a size such as 1920x1080 with sides of \(range.lowerBound) to \(range.upperBound) pixels"
            )
        }
        return FrameDimensions(width: width, height: height)
    }

    /// From the size of a stream to that of its result.
    ///
    /// - Parameter swapsSides: whether the file asks for a quarter turn, so that what is shown is as wide as the stored
    ///   picture is high.
    /// - Throws: ``FrameProcessorError`` when it cannot be made as large.
    package func geometry(width: Int, height: Int, swapsSides: Bool) throws(FrameProcessorError) -> UpscalingGeometry {
        let source = FrameDimensions(width: width, height: height)
        try SuperResolutionScalerConfiguration.checkSize(frameWidth: width, frameHeight: height)
        switch self {
        case .factor(let factor): return try UpscalingGeometry(source: source, factor: factor)
        case .size(let size):
            let stored = swapsSides ? FrameDimensions(width: size.height, height: size.width) : size
            return try UpscalingGeometry(source: source, output: stored)
        }
    }
}

extension VideoStreamDescription {
    /// Whether the display matrix turns the picture by 90 or 270 degrees.
    package var swapsSides: Bool {
        guard let matrix = displayMatrix, matrix.count == 9 else { return false }
        return matrix[0] == 0 && matrix[4] == 0 && matrix[1] != 0 && matrix[3] != 0
    }
}
