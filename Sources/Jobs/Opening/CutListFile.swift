internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import MediaIO

/// A file that lists cuts.
struct CutListFile {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Returns the first frames of new scenes.
    ///
    /// - Parameter reader: a reader of the clip that has not returned any frames yet.
    /// - Throws: `FrameError` if the list cannot be read or is that of another clip.
    func frames(of reader: MediaReader) throws -> Set<Int> {
        try naming(path) {
            guard let file = FileHandle(forReadingAtPath: path),
                let data = try? (file.read(upToCount: CutList.maximumBytes + 1) ?? Data())
            else { throw FrameError(.input, "the list of cuts cannot be read") }
            guard data.count <= CutList.maximumBytes else {
                throw FrameError(.input, "the list of cuts has more than \(CutList.maximumBytes) bytes")
            }
            guard let text = String(data: data, encoding: .utf8) else {
                throw FrameError(.input, "the list of cuts is not text in UTF-8")
            }
            let list = try CutList(text, rate: reader.stream.nominalFrameRate)
            let numbers = try reader.frameNumbers(of: list.entries.map(\.position))
            return try Set(
                zip(list.entries, numbers).map { entry, number in
                    guard let number else {
                        throw FrameError(
                            .input,
                            "line \(entry.line): the cut at \(entry.position) is after the last frame of \(reader.input)"
                        )
                    }
                    return number
                })
        }
    }
}
