internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline

/// A job that has been planned: its folder and its plan.
struct DividedJob {
    /// The name of the copy of the recipe in the folder.
    static let recipeName = "recipe.json"
    /// The name of the copy of the noise model.
    static let noiseName = "noise.txt"

    /// The job's folder.
    let folder: String
    let plan: JobPlan

    /// - Parameter folder: the folder that `--plan` has filled.
    /// - Throws: ``VfxFailure`` if there is no usable plan.
    init(_ folder: String) throws {
        var folder = LocalFile.path(folder)
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let path = folder
        self.folder = path
        plan = try during(.findingInput) { try JobPlan.read(from: path) }
    }

    var results: SegmentResults { plan.results(in: folder) }

    /// Returns the job as its command line describes it, with absolute paths.
    ///
    /// - Parameters:
    ///   - input: where the input lies on this machine; nil for where it lay when the job was planned.
    ///   - report: what to print.
    /// - Throws: ``VfxFailure`` if the command line in the plan is not that of a planned job.
    func conversion(input: String?, report: ReportOptions) throws -> ConversionJob {
        guard let command = try? Vfx.parseAsRoot(plan.arguments) as? any ConversionCommand else { throw foreign }
        return try conversion(of: command, input: input, report: report)
    }

    private func conversion<Command: ConversionCommand>(
        of parsed: Command, input: String?, report: ReportOptions
    ) throws -> ConversionJob {
        var command = parsed
        command.resolvePaths(in: plan.directory, job: folder)
        guard command.common.output.output == plan.output, command.common.input.input == plan.input,
            command.common.division.plan != nil
        else { throw foreign }
        if let input { command.common.input.input = input }
        command.common.report = report
        // The result does not depend on it.
        command.common.effect.threads =
            plan.choosesThreads ? "\(plan.threads)" : SlurmQueue.ownProcessors.map { "\(min(max(1, $0), 256))" }
        command.common.division.plan = nil
        // The plan holds the numbers of the frames.
        command.common.cutList.cuts = nil
        var job = ConversionJob(command.common, command.work, recipe: command.recipe, isDivided: true)
        job.knownCuts = plan.cutList.map { Set($0) }
        job.knownCompression = plan.compression.map { SourceCompression(strength: $0) }
        return job
    }

    private var foreign: VfxFailure {
        JobStep.openingInput.failure(
            FrameError(
                .input, "the command line in the plan is not that of a planned job", at: .init(file: folder)))
    }

    /// Opens the input and checks that it and this program are those of the plan.
    ///
    /// - Parameter input: where the input lies on this machine, if elsewhere.
    func prepare(_ job: ConversionJob, input: String?) throws -> PreparedConversion {
        var prepared = try job.prepare()
        if let table = plan.grainTable { prepared.use(table) }
        try during(.openingInput) {
            try plan.check(
                input: job.identity(of: prepared.reader), isElsewhere: input != nil,
                settings: job.allSettings(prepared), file: job.input.input)
            guard plan.firstResetPoint == prepared.part?.segment ?? 0 else {
                throw FrameError(
                    .input, "the plan begins at another place than the part of the clip", at: .init(file: folder))
            }
        }
        return prepared
    }
}

/// Returns a path made absolute; addresses are returned unchanged.
func absolutePath(_ path: String, in directory: String) -> String {
    let plain = LocalFile.path(path)
    return plain.hasPrefix("/") || path.contains("://") ? plain : directory + "/" + plain
}

extension DividedJob {
    /// Whether the output is there and complete.
    var isJoined: Bool { JoinRecord.holds(folder, plan: plan.identifier, output: plan.output) }

    /// Records that the complete output is about to get its name.
    func noteJoined(_ path: String) throws { try JoinRecord.write(folder, plan: plan.identifier, output: path) }
}
