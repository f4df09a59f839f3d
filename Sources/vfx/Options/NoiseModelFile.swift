internal import Foundation
internal import FrameCore
internal import FrameEffects

/// A file with measured noise.
enum NoiseModelFile {
    /// - Throws: `FrameError` that names the file if it cannot be read or holds no noise model.
    static func read(_ file: String) throws(FrameError) -> NoiseModel {
        func failure(_ reason: String) -> FrameError { FrameError(.input, reason, at: .init(file: file)) }
        guard let handle = FileHandle(forReadingAtPath: file),
            let data = try? (handle.read(upToCount: NoiseModel.maximumTextLength + 1) ?? Data())
        else { throw failure("the noise model cannot be read") }
        guard let text = String(data: data, encoding: .utf8) else {
            throw failure("the noise model is not text in UTF-8")
        }
        do {
            return try NoiseModel(text: text)
        } catch {
            throw failure(error.message)
        }
    }
}
