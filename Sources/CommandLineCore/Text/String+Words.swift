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
