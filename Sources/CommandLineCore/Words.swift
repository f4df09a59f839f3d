/// Formats a count with its noun: `1 cut`, `2 cuts`.
///
/// - Parameter plural: the plural of the noun; nil appends an s.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns the last component of a path for display; `-` becomes `standard input`.
package func fileName(of path: String) -> String {
    path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
}

extension String {
    /// The words of a camel-case name in lower case, joined by `separator`.
    package func camelCaseWords(separatedBy separator: String) -> String {
        map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }

    /// The text with control characters replaced, so that it cannot control a terminal.
    package var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
