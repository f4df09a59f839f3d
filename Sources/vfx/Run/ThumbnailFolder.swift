internal import FrameCore
internal import Foundation
internal import MediaIO

/// The folder that `vfx thumbnails` writes, and what an earlier run left in it.
struct ThumbnailFolder {
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    let path: String
    let inputName: String
    /// Names of files that an earlier run wrote.
    private let earlier: [String]
    private let existed: Bool

    /// - Throws: `FrameError` when the folder cannot be used.
    init(_ output: String, input: String, overwrites: Bool) throws(FrameError) {
        let location = FrameError.Location(file: output)
        path = output.count > 1 && output.hasSuffix("/") ? String(output.dropLast()) : output
        inputName = input == "-" ? "standard input" : input.split(separator: "/").last.map(String.init) ?? input
        guard !path.isEmpty, path != "-" else {
            throw FrameError(.output, "the output is a folder, not standard output", at: location)
        }
        var isFolder: ObjCBool = false
        existed = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard existed else {
            earlier = []
            return
        }
        guard isFolder.boolValue else {
            throw FrameError(.output, "this is a file; the output is a folder", at: location)
        }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard !present.isEmpty else {
            earlier = []
            return
        }
        guard overwrites else {
            throw FrameError(
                .output, "the folder exists and is not empty; --overwrite replaces what vfx wrote in it", at: location)
        }
        earlier = ScoresFile.namesWritten(FileManager.default.contents(atPath: "\(path)/\(ScoresFile.name)"))
    }

    /// Writes all files, then removes those of an earlier run that were not written again.
    ///
    /// - Throws: `FrameError` when a file cannot be written, or would replace one that vfx did not write.
    func write(_ files: [File]) throws(FrameError) {
        let names = Set(files.map(\.name))
        for name in names.sorted() where !earlier.contains(name) {
            if FileManager.default.fileExists(atPath: "\(path)/\(name)") {
                throw FrameError(
                    .output, "this file was not written by vfx thumbnails and is not replaced; move it away",
                    at: .init(file: "\(path)/\(name)"))
            }
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw FrameError(.output, "the folder cannot be made", at: .init(file: path), cause: error)
        }
        var written: [String] = []
        do throws(FrameError) {
            for file in files {
                let target = "\(path)/\(file.name)"
                try SingleFile.write(Data(file.bytes), to: target, overwrites: earlier.contains(file.name))
                if !earlier.contains(file.name) { written.append(target) }
            }
        } catch {
            for target in written { unlink(target) }
            if !existed { rmdir(path) }
            throw error
        }
        for name in earlier where !names.contains(name) { unlink("\(path)/\(name)") }
    }
}
