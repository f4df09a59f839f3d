package import FrameCore

/// Sizes as written on the command line.
package enum SizeValue {
    /// - Parameters:
    ///   - text: `1280x720`.
    ///   - range: of each side.
    /// - Throws: ``FrameError`` when it is none.
    package static func parse(
        _ text: String, option: String, range: ClosedRange<Int>
    ) throws(FrameError) -> (width: Int, height: Int) {
        guard let size = parseSize(text, range) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not two numbers with an x between them, each from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return size
    }
}
