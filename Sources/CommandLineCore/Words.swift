/// `1 cut`, `2 cuts`.
///
/// - Parameter plural: the noun for other numbers than one; nil adds an s.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// The last part of a path as people read it; `-` is standard input.
package func fileName(of path: String) -> String {
    path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
}

extension String {
    /// The words of a camel-cased name in lower case, with `separator` between them.
    package func camelCaseWords(separatedBy separator: String) -> String {
        map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }

    /// The text with control characters replaced, so that a terminal cannot be steered by it.
    package var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
