internal import FrameCore

/// Runs `body`; an error that names no file gets `path`.
func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch var error as FrameError {
        error.location.file = error.location.file ?? path
        throw error
    }
}

/// The last part of a path, for people.
func fileName(of path: String) -> String {
    path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
}
