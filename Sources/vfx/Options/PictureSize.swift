internal import FrameCore
internal import FrameEffects
internal import Pipeline

/// How much larger a picture is to become, as written on the command line.
extension UpscaleTarget {
    /// - Parameters:
    ///   - scale: `2`, `1.5` or `3/2`, above 1, at most 16.
    ///   - size: `1920x1080`.
    /// - Throws: ``FrameError`` when it is neither, or both are given or none.
    init(scale: String?, size: String?) throws(FrameError) {
        switch (scale, size) {
        case (let scale?, nil): self = .factor(try Self.factor(scale))
        case (nil, let size?):
            let size = try Self.size(size)
            self = .size(width: size.width, height: size.height)
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
}
