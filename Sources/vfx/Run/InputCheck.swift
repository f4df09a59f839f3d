internal import Foundation

/// What can be said of an input before it is opened.
enum InputCheck {
    /// Tells a missing input from one that is no video, since scripts want to know.
    static func requireReadable(_ path: String) throws(VfxFailure) {
        guard path != "-", !path.contains("://"), !path.hasPrefix("pipe:"), !path.contains("%") else { return }
        let name = path.hasPrefix("file:") ? String(path.dropFirst(5)) : path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory) else {
            throw VfxFailure("\(path): there is no such file", .noInput)
        }
        if isDirectory.boolValue { throw VfxFailure("\(path): this is a folder; name a video file", .noInput) }
        guard FileManager.default.isReadableFile(atPath: name) else {
            throw VfxFailure("\(path): the file cannot be read; its permissions forbid it", .noInput)
        }
    }
}

/// Runs `body`; an error becomes the failure that it amounts to at this step.
func during<R>(_ step: JobStep, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw step.failure(error) }
}
