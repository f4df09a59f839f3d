public import FrameCore
import Foundation

/// A folder of output files that all appear at once, with a list of the files that were written to it.
///
/// Files are written to `<name>.part` next to the folder, and ``publish()`` moves them into it. An existing folder is
/// used only with `overwrites`; then only the files written last time are removed.
public final class OutputFolder {
    /// Name of the file that lists the written files, one relative path per line.
    package static let listName = ".vfx-files"

    /// The folder's path as the user gave it, without `file:` and trailing slashes.
    public let path: String
    /// The folder that holds the files until they are published.
    package let part: String
    private var names: [String] = []
    /// The same names, for a quick search.
    private var written: Set<String> = []
    private var isDone = false
    private let lock: OutputLock

    /// Creates the `.part` folder to write to.
    ///
    /// - Parameters:
    ///   - path: final path of the folder.
    ///   - overwrites: whether an existing folder that is not empty may be used.
    /// - Throws: `FrameError` when the folder exists and may not be used, is a file, or cannot be created there.
    public init(_ path: String, overwrites: Bool = false) throws(FrameError) {
        let trimmed = try Self.checked(path, overwrites: overwrites)
        let location = FrameError.Location(file: path)
        let part = Self.part(of: trimmed)
        // What an interrupted run left behind is removed; the lock protects what another run is writing.
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
        // The list shows a later run that vfx wrote the folder.
        try writeBytes([], to: "\(part)/\(Self.listName)", path)
    }

    /// Checks that ``init(_:overwrites:)`` would succeed, without creating anything. Call before long work.
    ///
    /// - Parameters:
    ///   - path: final path of the folder.
    ///   - overwrites: whether an existing folder that is not empty may be used.
    /// - Throws: `FrameError` as ``init(_:overwrites:)`` would.
    public static func check(_ path: String, overwrites: Bool = false) throws(FrameError) {
        _ = try checked(path, overwrites: overwrites)
    }

    private static func part(of path: String) -> String {
        OutputTarget.part(of: path.hasSuffix("/.") || path == "." || path == ".." ? path + "/vfx" : path)
    }

    /// - Returns: the path without `file:` and trailing slashes.
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
                throw FrameError(.output, "this is a file; specify a folder", at: location)
            }
            let isEmpty = (LocalFile.names(in: trimmed) ?? []).isEmpty
            guard isEmpty || overwrites else {
                throw FrameError(
                    .output, "the folder already exists; --overwrite replaces what vfx wrote to it", at: location)
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
    ///   - name: relative path; missing folders are created.
    ///   - bytes: the contents of the file.
    /// - Throws: `FrameError` when it cannot be written, has been written before or would be outside the folder.
    public func write(_ name: String, _ bytes: [UInt8]) throws(FrameError) {
        guard Self.isPlain(name), name != Self.listName, !written.contains(name) else {
            throw FrameError(
                .output, "'\(name)' is not a valid name for a new file in the folder", at: .init(file: path))
        }
        try makeFolders(of: name, in: part)
        names.append(name)
        written.insert(name)
        try writeBytes(bytes, to: "\(part)/\(name)", "\(path)/\(name)")
    }

    /// Checks that no file blocks ``publish()``. Call before other changes are made.
    ///
    /// - Throws: `FrameError` when a file that vfx did not write is in the way.
    package func requireNothingInTheWay() throws(FrameError) {
        let former = Set(formerNames)
        for name in names where !former.contains(name) && LocalFile("\(path)/\(name)") != nil {
            throw FrameError(
                .output, "this file was not written by vfx and is not replaced", at: .init(file: "\(path)/\(name)"))
        }
    }

    /// Moves all files into the folder, after removing those of an earlier run.
    ///
    /// - Throws: `FrameError` when a file that vfx did not write is in the way (then nothing is changed), or when a
    ///   file cannot be moved.
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
        // If this run is interrupted from here on, the list shows a later run which files either run wrote.
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

    /// Removes what was written; does nothing after ``publish()``.
    public func discard() {
        guard !isDone else { return }
        isDone = true
        try? FileManager.default.removeItem(atPath: part)
    }

    /// The files in the list of an earlier run, without names that point outside the folder.
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
                .output, "the finished file cannot be moved to its final name", at: .init(file: to),
                cause: SystemError.last)
        }
    }
}
