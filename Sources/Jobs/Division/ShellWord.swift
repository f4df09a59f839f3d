/// A word quoted for a POSIX shell, which takes it literally whatever it contains.
package struct ShellWord: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameter text: any text without a NUL character.
    package init(_ text: String) {
        let plain = !text.isEmpty && text.utf8.allSatisfy { Self.plain.contains($0) }
        description = plain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static let plain = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@".utf8)
}
