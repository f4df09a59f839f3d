import Foundation

/// A piece of code in an article or between the marks of a snippet.
struct CodeBlock: Hashable, CustomStringConvertible {
    /// Without common indentation, trailing blanks, and empty lines at both ends.
    let lines: [String]

    init(_ lines: some Sequence<String>) {
        let trimmed = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        let indents = trimmed.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        self.lines = trimmed.map { String($0.dropFirst(indent)) }
    }

    var description: String { lines.joined(separator: "\n") }

    /// `import` lines, which no function can hold.
    var imports: [String] { lines.filter { $0.hasPrefix("import ") } }
    var withoutImports: CodeBlock { CodeBlock(lines.drop { $0.isEmpty || $0.hasPrefix("import ") }) }
}

/// What lies between a line that is `opening` and the next that is `closing`, blanks around both left aside.
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

/// The package's own files.
enum PackageFiles {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let modules = [
        "FrameCore", "Imaging", "Motion", "FrameEffects", "MediaIO", "Pipeline", "Checkpoints", "FrameAnalysis",
        "Thumbnails", "Storyboards", "Reports",
    ]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Paths of the files with this ending in a folder and below it.
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
