import Foundation

/// A block of code in an article or between the marks of a snippet.
struct CodeBlock: Hashable, CustomStringConvertible {
    /// The lines without common indentation, trailing blanks, and empty lines at both ends.
    let lines: [String]

    init(_ lines: some Sequence<String>) {
        let trimmed = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        let indents = trimmed.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        self.lines = trimmed.map { String($0.dropFirst(indent)) }
    }

    var description: String { lines.joined(separator: "\n") }

    /// The `import` lines, which a function cannot contain.
    var imports: [String] { lines.filter { $0.hasPrefix("import ") } }
    var withoutImports: CodeBlock { CodeBlock(lines.drop { $0.isEmpty || $0.hasPrefix("import ") }) }
}

/// Returns the code between each `opening` line and the next `closing` line, ignoring blanks around these marks.
func codeBlocks(in text: String, from opening: String, to closing: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = [], current: [String]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
        let word = line.trimmingCharacters(in: .whitespaces)
        if let lines = current {
            if word == closing {
                blocks.append(CodeBlock(lines))
                current = nil
            } else {
                current = lines + [line]
            }
        } else if word == opening {
            current = []
        }
    }
    return blocks
}

/// The files of this package.
enum PackageFiles {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let modules = [
        "FrameCore", "Imaging", "Motion", "FrameEffects", "MediaIO", "Pipeline", "Jobs", "FrameAnalysis",
        "Thumbnails", "Storyboards", "Reports",
    ]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the paths of all files with this ending in a folder and its subfolders.
    static func paths(in folder: String, ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
    }

    static func articles() throws -> [String] {
        try modules.flatMap { try paths(in: "Sources/\($0)/\($0).docc", ending: ".md") } + ["README.md"]
    }

    static func snippets() throws -> [CodeBlock] {
        try paths(in: "Tests/DocumentationTests", ending: "Snippets.swift").flatMap {
            codeBlocks(in: try text($0), from: "// snippet", to: "// end")
        }
    }
}
