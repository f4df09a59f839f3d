internal import Foundation

/// A table in a document that a test writes and compares, so that it cannot be wrong. It stands between two comments,
/// `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
public struct DocumentedTable {
    private let document: String
    private let name: String

    public init(_ name: String, in document: String) { (self.name, self.document) = (name, document) }

    /// Returns the rows that differ from those in the document, as they are now. With the environment variable
    /// `VFX_WRITE_TABLES`, writes the table instead.
    ///
    /// - Parameter rows: the cells of all rows, the first being the head.
    public func differences(from rows: [[String]]) throws -> [String] {
        let head = rows.first ?? []
        let lines: [[String]] = [head, head.map { _ in "---" }] + rows.dropFirst()
        let table = lines.map { "| " + $0.joined(separator: " | ") + " |" }
        var text = try String(contentsOfFile: document, encoding: .utf8)
        guard let first = text.range(of: "<!-- \(name): begin -->"), let last = text.range(of: "<!-- \(name): end -->")
        else { throw CocoaError(.fileReadCorruptFile) }
        let range = first.upperBound..<last.lowerBound
        if ProcessInfo.processInfo.environment["VFX_WRITE_TABLES"] != nil {
            text.replaceSubrange(range, with: "\n\n\(table.joined(separator: "\n"))\n\n")
            try text.write(toFile: document, atomically: true, encoding: .utf8)
            return []
        }
        let written = text[range].split(separator: "\n").map(String.init)
        return table.filter { !written.contains($0) } + written.filter { !table.contains($0) }.map { "not: \($0)" }
    }
}
