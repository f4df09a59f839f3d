internal import FrameCore
internal import MediaIO

/// The folder that `vfx thumbnails` writes, all at once.
struct ThumbnailFolder {
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    let inputName: String
    let path: String
    private let overwrites: Bool

    /// - Throws: `FrameError` when the folder cannot be used.
    init(_ output: String, input: String, overwrites: Bool) throws(FrameError) {
        path = output
        self.overwrites = overwrites
        inputName = input == "-" ? "standard input" : input.split(separator: "/").last.map(String.init) ?? input
        try OutputFolder.check(output, overwrites: overwrites)
    }

    /// Writes all files; those of an earlier run go.
    ///
    /// - Throws: `FrameError` when a file cannot be written, or would replace one that vfx did not write.
    func write(_ files: [File]) throws(FrameError) {
        let folder = try OutputFolder(path, overwrites: overwrites)
        for file in files { try folder.write(file.name, file.bytes) }
        try folder.publish()
    }
}
