public import FrameCore
import Foundation

/// A folder of files that appear all at once, and that remembers which of its files it wrote.
///
/// Files are written into `<name>.part` beside the folder and moved into it by ``publish()``. An existing folder is
/// replaced only where that is allowed: then the files written last time go, and nothing else.
public final class OutputFolder {
    /// Lists the files that were written, one relative path a line.
    package static let listName = ".vfx-files"

    /// As the user gave it, without a slash at its end.
    public let path: String
    private let part: String
    private var names: [String] = []
    private var isDone = false
    private let lock: OutputLock

    /// Begins a folder.
    ///
    /// - Parameters:
    ///   - path: where it shall lie.
    ///   - overwrites: whether an existing folder may be used.
    /// - Throws: `FrameError` when it exists and may not be used, is a file, or cannot be placed.
    public init(_ path: String, overwrites: Bool = false) throws(FrameError) {
        let trimmed = try Self.checked(path, overwrites: overwrites)
        let location = FrameError.Location(file: path)
        let part = Self.part(of: trimmed)
        // What a broken run left behind goes; what another run is writing stays.
        let former = LocalFile(part) == nil ? nil : try OutputLock(folder: part, output: path)
        do {
            if former != nil { try FileManager.default.removeItem(atPath: part) }
            try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
        } catch {
            throw FrameError(.output, "the folder cannot be created", at: location, cause: error)
        }
        lock = try OutputLock(folder: part, output: path)
        self.path = trimmed
        self.part = part
        // By this a later run knows the folder for one of ours.
        try writeBytes([], to: "\(part)/\(Self.listName)", path)
    }

    /// Whether ``init(_:overwrites:)`` would be allowed, without making anything: for telling before long work.
    ///
    /// - Throws: `FrameError` as that would.
    public static func check(_ path: String, overwrites: Bool = false) throws(FrameError) {
        _ = try checked(path, overwrites: overwrites)
    }

    private static func part(of path: String) -> String {
        (path.hasSuffix("/.") || path == "." || path == ".." ? path + "/vfx" : path) + OutputTarget.partSuffix
    }

    /// - Returns: the path without `file:` and slashes at its end.
    private static func checked(_ path: String, overwrites: Bool) throws(FrameError) -> String {
        var trimmed = LocalFile.path(path)
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        let location = FrameError.Location(file: path)
        guard !trimmed.isEmpty else { throw FrameError(.output, "the output's name is empty") }
        guard trimmed != "-" else {
            throw FrameError(.output, "the output is a folder, not standard output", at: location)
        }
        if let existing = LocalFile(trimmed) {
            guard existing.isDirectory else {
                throw FrameError(.output, "this is a file; name a folder to write to", at: location)
            }
            let isEmpty = (LocalFile.names(in: trimmed) ?? []).isEmpty
            guard isEmpty || overwrites else {
                throw FrameError(
                    .output, "the folder exists already; --overwrite replaces what vfx wrote in it", at: location)
            }
        } else {
            try OutputTarget.requireDirectory(of: trimmed, at: location)
        }
        let part = part(of: trimmed)
        if let former = LocalFile(part) {
            let names = LocalFile.names(in: part) ?? []
            guard former.isDirectory, names.isEmpty || names.contains(listName) else {
                throw FrameError(
                    .output, "this was not written by vfx and is in the way; move it away", at: .init(file: part))
            }
        }
        return trimmed
    }

    deinit { discard() }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - name: relative, folders are made as needed.
    ///   - bytes: all of the file.
    /// - Throws: `FrameError` when it cannot be written, was written before or would lie elsewhere.
    public func write(_ name: String, _ bytes: [UInt8]) throws(FrameError) {
        guard Self.isPlain(name), name != Self.listName, !names.contains(name) else {
            throw FrameError(.output, "'\(name)' is no name for a new file in the folder", at: .init(file: path))
        }
        try makeFolders(of: name, in: part)
        names.append(name)
        try writeBytes(bytes, to: "\(part)/\(name)", "\(path)/\(name)")
    }

    /// Whether ``publish()`` would find a file in the way, for telling before other things are done.
    ///
    /// - Throws: `FrameError` when a file that vfx did not write is in the way.
    package func requireNothingInTheWay() throws(FrameError) {
        let former = Set(formerNames)
        for name in names where !former.contains(name) && LocalFile("\(path)/\(name)") != nil {
            throw FrameError(
                .output, "this file was not written by vfx and is not replaced", at: .init(file: "\(path)/\(name)"))
        }
    }

    /// Moves all files to their places; those of a former run go first.
    ///
    /// - Throws: `FrameError` when a file that vfx did not write is in the way; nothing has been changed then.
    public func publish() throws(FrameError) {
        guard !isDone else { return }
        try requireNothingInTheWay()
        let former = Set(formerNames)
        try writeList(names, to: Self.listName)
        if LocalFile(path) == nil {
            try move(part, path)
            isDone = true
            return
        }
        // Whatever ends the run now, a later one knows the files of both for ours.
        let interim = Self.listName + ".both"
        try writeList(names + former.subtracting(names).sorted(), to: interim)
        try move("\(part)/\(interim)", "\(path)/\(Self.listName)")
        for name in former { unlink("\(path)/\(name)") }
        removeEmptyFolders(of: former)
        for name in names + [Self.listName] {
            try makeFolders(of: name, in: path)
            try move("\(part)/\(name)", "\(path)/\(name)")
        }
        isDone = true
        try? FileManager.default.removeItem(atPath: part)
    }

    /// Drops what was written. Harmless after ``publish()``.
    public func discard() {
        guard !isDone else { return }
        isDone = true
        try? FileManager.default.removeItem(atPath: part)
    }

    /// What the list of a former run names; names that lead elsewhere are passed over.
    private var formerNames: [String] {
        guard let data = FileManager.default.contents(atPath: "\(path)/\(Self.listName)") else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).filter(Self.isPlain)
    }

    private func writeList(_ names: [String], to name: String) throws(FrameError) {
        try writeBytes(Array((names.joined(separator: "\n") + "\n").utf8), to: "\(part)/\(name)", path)
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("/") && !name.contains("\n")
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !["", ".", ".."].contains($0)
            }
    }

    private func makeFolders(of name: String, in folder: String) throws(FrameError) {
        guard name.contains("/") else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: LocalFile.directory(of: "\(folder)/\(name)"), withIntermediateDirectories: true)
        } catch {
            throw FrameError(.output, "the folder cannot be created", at: .init(file: "\(path)/\(name)"), cause: error)
        }
    }

    private func removeEmptyFolders(of names: Set<String>) {
        var folders: Set<String> = []
        for name in names {
            var parts = name.split(separator: "/").dropLast()
            while !parts.isEmpty {
                folders.insert(parts.joined(separator: "/"))
                parts = parts.dropLast()
            }
        }
        for folder in folders.sorted(by: { $0.count > $1.count }) { rmdir("\(path)/\(folder)") }
    }

    private func move(_ from: String, _ to: String) throws(FrameError) {
        guard rename(from, to) == 0 else {
            throw FrameError(
                .output, "the finished file cannot be given its name", at: .init(file: to), cause: SystemError.last)
        }
    }
}
