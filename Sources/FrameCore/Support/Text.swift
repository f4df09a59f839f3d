extension Substring {
    /// Returns the text without leading and trailing white space.
    package func trimmingSpaces() -> Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension BinaryInteger {
    /// Returns the digits of a non-negative number, padded with leading zeros to `width`.
    package func zeroPadded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension String {
    /// The text as a JSON string literal, quotes included.
    package var jsonQuoted: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}": quoted += "\\u" + scalar.value.zeroPadded(to: 4, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Parses a size such as `1920x1080`.
///
/// - Parameter range: the allowed values of each side.
/// - Returns: nil if `text` is not a size or a side is out of range.
package func parseSize(_ text: String, _ range: ClosedRange<Int>) -> (width: Int, height: Int)? {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], range.contains(width), range.contains(height)
    else { return nil }
    return (width, height)
}
