internal import ArgumentParser
internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Pipeline

/// One picture made larger.
struct StillUpscaleJob {
    var options: CommonOptions
    var target: UpscaleTarget
    var isLowLatency: Bool

    /// Whether the output is one picture, not a numbered sequence of them.
    static func takes(_ options: CommonOptions) -> Bool {
        let name = options.output.output
        return SingleFile.isPicture(name) && !name.contains("%")
    }

    /// - Throws: ``VfxFailure``, or `ExitCode` for a job done with damage.
    func run() throws {
        throw VfxFailure("not yet", .internalFault)
    }
}
