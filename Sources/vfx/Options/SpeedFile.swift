internal import Foundation
internal import FrameCore

/// A file with the points of a speed ramp.
enum SpeedFile {
    /// More than the largest number of points needs.
    private static let mostBytes = 1 << 18

    /// Returns the points as the option takes them.
    ///
    /// - Throws: `FrameError` that names the file if it cannot be read or holds no speed curve.
    static func read(_ file: String) throws(FrameError) -> String {
        func failure(_ reason: String) -> FrameError { FrameError(.input, reason, at: .init(file: file)) }
        guard let handle = FileHandle(forReadingAtPath: file),
            let data = try? (handle.read(upToCount: mostBytes) ?? Data())
        else { throw failure("the speed points cannot be read") }
        guard data.count < mostBytes, let text = String(data: data, encoding: .utf8) else {
            throw failure("the speed points are not text in UTF-8 of at most \(mostBytes - 1) bytes")
        }
        do {
            return try SpeedCurve(text: text).text
        } catch {
            throw failure(error.message)
        }
    }
}
