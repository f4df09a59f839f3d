package import FrameCore
internal import FrameEffects

extension UpscaleTarget {
    /// A factor as written, above 1.
    ///
    /// - Parameters:
    ///   - text: `2`, `1.5` or `3/2`.
    ///   - name: what the sentence of an error begins with.
    /// - Throws: `FrameError` when it is none.
    package static func factor(_ text: String, of name: String) throws(FrameError) -> UpscaleTarget {
        let most = UpscalingGeometry.maximumFactor
        guard let value = Rational(exactly: Substring(text).trimmingSpaces()), value.isPositive,
            value.numerator > value.denominator, Int64(value.numerator) <= Int64(most) * Int64(value.denominator)
        else {
            throw FrameError(
                .invalidArgument,
                "\(name) '\(text)' is not a number above 1 and at most \(most), such as 2, 1.5 or 4/3")
        }
        return .factor(value)
    }

    /// A size as written.
    ///
    /// - Parameters:
    ///   - text: `1920x1080`.
    ///   - name: what the sentence of an error begins with.
    /// - Throws: `FrameError` when it is none.
    package static func size(_ text: String, of name: String) throws(FrameError) -> UpscaleTarget {
        let range = UpscalingGeometry.outputRange
        guard let (width, height) = parseSize(text, range) else {
            throw FrameError(
                .invalidArgument,
                "\(name) '\(text)' is not a size such as 1920x1080 with sides of \(range.lowerBound) to \(range.upperBound) pixels"
            )
        }
        return .size(width: width, height: height)
    }
}
