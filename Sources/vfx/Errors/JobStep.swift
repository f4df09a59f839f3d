internal import FrameCore
internal import FrameEffects
internal import Pipeline

/// What the program was doing when an error occurred; it determines what the error means.
enum JobStep {
    case options, findingInput, openingInput, openingOutput, reading, making, writing

    init(_ stage: PipelineStage?) {
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
    func failure(_ error: any Error, at input: String? = nil) -> VfxFailure {
        if let failure = error as? VfxFailure { return failure }
        if let error = error as? FrameProcessorError {
            return VfxFailure(error.message, self == .options ? .usage : .internalFault)
        }
        guard let error = error as? FrameError else { return VfxFailure("\(error)", .internalFault) }
        let code: VfxExitCode =
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
        return VfxFailure(named.description, code)
    }
}

/// Runs `body` and converts an error into the failure that it amounts to at this step.
func during<R>(_ step: JobStep, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw step.failure(error) }
}

/// Runs `body` and adds `path` to an error that names no file.
func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch var error as FrameError {
        error.location.file = error.location.file ?? path
        throw error
    }
}
