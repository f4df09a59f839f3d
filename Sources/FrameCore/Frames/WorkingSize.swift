/// The range of frame sizes for motion estimation and effects, and the error message for other sizes.
package enum WorkingSize {
    /// The allowed width and height, in pixels.
    package static let sides = 16...8192
    /// The range for error messages: `16x16 to 8192x8192`.
    package static var text: String {
        "\(sides.lowerBound)x\(sides.lowerBound) to \(sides.upperBound)x\(sides.upperBound)"
    }

    package static func contains(_ width: Int, _ height: Int) -> Bool {
        sides.contains(width) && sides.contains(height)
    }

    /// Checks a size.
    ///
    /// - Parameter things: plural noun for what has the size, such as "flows", for the error message.
    /// - Throws: ``FrameError`` with `unsupportedSize` if the size is out of range.
    package static func check(_ width: Int, _ height: Int, of things: String, file: String? = nil) throws(FrameError) {
        guard contains(width, height) else {
            throw FrameError(
                .unsupportedSize, refusal(width, height, of: things, allowed: text), at: .init(file: file))
        }
    }

    /// Returns the error message for a size that is not allowed.
    package static func refusal(_ width: Int, _ height: Int, of things: String, allowed: String) -> String {
        "\(width)x\(height) is not supported; \(things) must be \(allowed)"
    }
}
