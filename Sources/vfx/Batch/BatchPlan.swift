internal import Foundation
internal import FrameCore
internal import MediaIO

/// Which output each of several inputs gives.
struct BatchPlan: Equatable {
    struct Item: Equatable {
        let input: String
        /// The output's path relative to the output folder.
        let name: String
    }

    let items: [Item]
    /// The output folder, without a slash at its end; nil if no files are written.
    let folder: String?

    func output(of item: Item) -> String? { folder.map { $0 + "/" + item.name } }

    /// Whether an output is there, complete and not older than its input.
    ///
    /// - Parameter isFolder: whether the output is a folder; a file has its name only when it is complete.
    static func isMade(_ output: String, from input: String, isFolder: Bool) -> Bool {
        func changed(_ path: String) -> Date? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: LocalFile.path(path))
            return attributes?[.modificationDate] as? Date
        }
        guard let made = changed(output), !isFolder || isComplete(trimmed(LocalFile.path(output))) else {
            return false
        }
        return changed(input).map { $0 <= made } ?? true
    }

    /// Whether a folder holds the list of its files, and all of them.
    private static func isComplete(_ folder: String) -> Bool {
        guard let list = FileManager.default.contents(atPath: folder + "/" + OutputFolder.listName) else {
            return false
        }
        let names = String(decoding: list, as: UTF8.self).split(separator: "\n")
        return !names.isEmpty && names.allSatisfy { LocalFile("\(folder)/\($0)") != nil }
    }

    /// Whether the inputs and the output are those of a batch rather than of a single job.
    ///
    /// - Parameter output: the output; nil if it does not show that.
    static func isWanted(_ inputs: [String], output: String?, _ options: BatchSearch) -> Bool {
        inputs.count > 1 || options.isRecursive || options.suffix != nil || output.map(isFolder) ?? false
            || inputs.contains { LocalFile($0)?.isDirectory == true && !BatchFolder.isImageSequence($0) }
    }

    /// Whether an output is a folder: it exists as one, or its name ends with a slash.
    private static func isFolder(_ output: String) -> Bool {
        output.hasSuffix("/") || LocalFile(output)?.isDirectory == true
    }

    /// Finds the inputs and names the outputs.
    ///
    /// - Parameters:
    ///   - inputs: files, folders and addresses.
    ///   - output: the output folder, which may not exist yet; nil if no files are written.
    /// - Throws: `FrameError` if there is nothing to do, if an input has no name, if two inputs give the same output, or
    ///   if an output is an input or lies in a folder that is searched.
    init(_ inputs: [String], output: String?, _ options: BatchSearch) throws(FrameError) {
        guard !inputs.isEmpty else { throw FrameError(.invalidArgument, "no input is given") }
        if let output { try Self.check(output) }
        var items: [Item] = []
        for input in inputs {
            guard LocalFile(input)?.isDirectory == true, !BatchFolder.isImageSequence(input) else {
                let name = output == nil ? input : try Self.renamed(Self.name(of: input), suffix: options.suffix)
                items.append(Item(input: input, name: name))
                continue
            }
            let place = Self.trimmed(LocalFile.path(input))
            if let output, Self.isInside(output, place) {
                throw FrameError(
                    .invalidArgument,
                    "the output folder is inside '\(input)', which is searched for videos; choose one outside of it",
                    at: .init(file: output))
            }
            let found = try BatchFolder.videos(in: place, isRecursive: options.isRecursive)
            guard !found.isEmpty else {
                throw FrameError(
                    .input,
                    options.isRecursive
                        ? "neither the folder nor its subfolders contain a video"
                        : "the folder contains no video; --recursive searches its subfolders, too",
                    at: .init(file: input))
            }
            for path in found {
                items.append(Item(input: place + "/" + path, name: try Self.renamed(path, suffix: options.suffix)))
            }
        }
        self.items = items
        folder = output.map { Self.trimmed(LocalFile.path($0)) }
        if folder != nil { try checkOutputs() }
    }

    private static func check(_ output: String) throws(FrameError) {
        let place = FrameError.Location(file: output)
        guard output != "-", !output.contains("://") else {
            throw FrameError(.invalidArgument, "a folder or several inputs need an output folder, not '\(output)'")
        }
        if let file = LocalFile(output) {
            guard file.isDirectory else {
                throw FrameError(
                    .invalidArgument, "a folder or several inputs need an output folder, and this is a file", at: place)
            }
        } else if !output.hasSuffix("/"), !BatchFolder.extensionOf(output).isEmpty, !output.hasSuffix("..") {
            // A forgotten name would otherwise become a folder called out.mp4.
            throw FrameError(
                .invalidArgument,
                "a folder or several inputs need an output folder, and this looks like a file; add a slash for a folder of that name",
                at: place)
        }
    }

    private func checkOutputs() throws(FrameError) {
        var inputs: [String: String] = [:]
        for item in items {
            if let other = inputs.updateValue(item.input, forKey: item.name) {
                throw FrameError(
                    .invalidArgument,
                    "'\(other)' and '\(item.input)' would both be written to this file; give them different names or run them separately",
                    at: .init(file: output(of: item)))
            }
        }
        let identities = Dictionary(
            items.compactMap { item in LocalFile(item.input).map { ($0.identity, item.input) } },
            uniquingKeysWith: { first, _ in first })
        for item in items {
            guard let output = output(of: item) else { continue }
            if let input = LocalFile(output).flatMap({ identities[$0.identity] }) {
                throw FrameError(
                    .invalidArgument, "the output would replace the input '\(input)'; use --suffix or another folder",
                    at: .init(file: output))
            }
        }
    }

    /// Returns the name of a file or of what an address leads to.
    private static func name(of input: String) throws(FrameError) -> String {
        guard input != "-" else {
            throw FrameError(.invalidArgument, "standard input has no name for its output; convert it separately")
        }
        let path = input.contains("://") ? input.prefix { $0 != "?" && $0 != "#" } : Substring(LocalFile.path(input))
        guard let name = path.split(separator: "/").last, name != "..", name != "." else {
            throw FrameError(.invalidArgument, "this input has no name for its output", at: .init(file: input))
        }
        return String(name)
    }

    /// Returns a name with text before its extension; with a dot in the text, the extension is replaced.
    static func renamed(_ name: String, suffix: String?) throws(FrameError) -> String {
        guard let suffix else { return name }
        guard !suffix.isEmpty, !suffix.contains("/"), !suffix.hasSuffix(".") else {
            throw FrameError(
                .invalidArgument,
                "--suffix '\(suffix)' is not allowed; it is text such as -clean, -clean.mkv or .mkv, without slashes")
        }
        let old = BatchFolder.extensionOf(String(name.split(separator: "/").last ?? ""))
        let stem = old.isEmpty ? name : String(name.dropLast(old.count + 1))
        if suffix.contains(".") { return stem + suffix }
        return stem + suffix + (old.isEmpty ? "" : "." + old)
    }

    private static func trimmed(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// Whether a folder, which may not exist yet, is another one or lies below it.
    private static func isInside(_ folder: String, _ other: String) -> Bool {
        let place = URL(fileURLWithPath: LocalFile.path(folder)).standardizedFileURL.resolvingSymlinksInPath().path
        let outer = URL(fileURLWithPath: other).standardizedFileURL.resolvingSymlinksInPath().path
        return place == outer || place.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
    }
}
