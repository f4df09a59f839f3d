/// Sizes as written: two numbers with an x between them.
package enum SizeText {
    /// - Parameters:
    ///   - text: `1920x1080`.
    ///   - range: of each side.
    /// - Returns: nil when it is none or a side is out of range.
    package static func parse(_ text: String, _ range: ClosedRange<Int>) -> (width: Int, height: Int)? {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width),
            range.contains(height)
        else { return nil }
        return (width, height)
    }
}
