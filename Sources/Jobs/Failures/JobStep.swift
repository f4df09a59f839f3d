internal import FrameCore
internal import FrameEffects
package import Pipeline

/// What the program was doing when an error occurred; it determines what the error means.
package enum JobStep: Sendable {
    case options, findingInput, openingInput, openingOutput, reading, making, writing

    package init(_ stage: PipelineStage?) {
        switch stage {
        case .reading: self = .reading
        case .writing: self = .writing
        case .making, nil: self = .making
        }
    }

    private var isOutput: Bool { self == .openingOutput || self == .writing }

    /// Returns the failure that `error` amounts to at this step.
    ///
    /// - Parameter input: the file being processed, for errors that do not name one themselves.
    package func failure(_ error: any Error, at input: String? = nil) -> JobFailure {
        if let failure = error as? JobFailure { return failure }
        if let error = error as? FrameProcessorError {
            return JobFailure(error.message, self == .options ? .usage : .internalFault)
        }
        guard let error = error as? FrameError else { return JobFailure("\(error)", .internalFault) }
        let code: JobExitCode =
            switch (self, error.code) {
            case (_, .allocation): .noResources
            case (.options, _): .usage
            case (.findingInput, _): .noInput
            case (.openingInput, .invalidArgument): .usage
            case (.openingInput, _), (.reading, _): .badInput
            case (.openingOutput, .output), (.openingOutput, .encode): .cannotCreate
            case (.openingOutput, _), (.writing, .unsupportedFormat), (.writing, .invalidArgument): .usage
            case (.writing, _): .writeFailed
            case (.making, .input), (.making, .decode), (.making, .unsupportedFormat), (.making, .unsupportedSize):
                .badInput
            case (.making, _): .internalFault
            }
        var named = error
        if !isOutput { named.location.file = named.location.file ?? input }
        if named.location.file == "-" { named.location.file = isOutput ? "standard output" : "standard input" }
        return JobFailure(named.description, code)
    }
}

/// Runs `body` and converts an error into the failure that it amounts to at this step.
package func during<R>(_ step: JobStep, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw step.failure(error) }
}

/// Runs `body` and adds `path` to an error that names no file.
package func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch var error as FrameError {
        error.location.file = error.location.file ?? path
        throw error
    }
}
