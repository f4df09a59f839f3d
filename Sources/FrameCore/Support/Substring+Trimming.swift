extension Substring {
    /// The text without white space at either end.
    package func trimmingSpaces() -> Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
