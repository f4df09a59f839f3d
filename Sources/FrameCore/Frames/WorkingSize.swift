/// Sizes of the pictures that motion is found in and that effects take and make: one range, and one sentence about it.
package enum WorkingSize {
    /// Samples that a side may have.
    package static let sides = 16...8192
    /// `16x16 to 8192x8192`, for sentences.
    package static var text: String {
        "\(sides.lowerBound)x\(sides.lowerBound) to \(sides.upperBound)x\(sides.upperBound)"
    }

    package static func contains(_ width: Int, _ height: Int) -> Bool {
        sides.contains(width) && sides.contains(height)
    }

    /// - Parameter things: what has the size, as "flows".
    /// - Throws: ``FrameError`` with `unsupportedSize` for another size.
    package static func check(_ width: Int, _ height: Int, of things: String, file: String? = nil) throws(FrameError) {
        guard contains(width, height) else {
            throw FrameError(
                .unsupportedSize, refusal(width, height, of: things, allowed: text), at: .init(file: file))
        }
    }

    /// The sentence about a size that is not allowed.
    package static func refusal(_ width: Int, _ height: Int, of things: String, allowed: String) -> String {
        "\(width)x\(height) is not supported; \(things) are \(allowed)"
    }
}
