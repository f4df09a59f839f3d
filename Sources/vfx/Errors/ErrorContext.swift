internal import FrameCore

/// Runs `body`; an error becomes the failure that it amounts to at this step.
func during<R>(_ step: JobStep, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw step.failure(error) }
}

/// Runs `body`; an error that names no file gets `path`.
func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch var error as FrameError {
        error.location.file = error.location.file ?? path
        throw error
    }
}
