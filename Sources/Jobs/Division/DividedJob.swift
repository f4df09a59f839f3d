internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// A job that has been planned: its folder and its plan.
package struct DividedJob: Sendable {
    /// The job's folder.
    package let folder: String
    package let plan: JobPlan

    /// - Parameter folder: the folder that holds the plan.
    /// - Throws: ``JobFailure`` if there is no usable plan.
    package init(_ folder: String) throws {
        var folder = LocalFile.path(folder)
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let path = folder
        self.folder = path
        plan = try during(.findingInput) { try JobPlan.read(from: path) }
    }

    /// The records of the segments.
    package var results: SegmentResults { plan.results(in: folder) }

    /// Opens the input and checks that it and this program are those of the plan.
    ///
    /// - Parameters:
    ///   - context: what the job is run with.
    ///   - input: where the input lies on this machine; nil for where it lay when the job was planned.
    /// - Throws: ``JobFailure``.
    func open(_ context: JobContext, input: String?) throws -> OpenConversion {
        var conversion = plan.conversion
        if let input { conversion.input.file = input }
        let open = try conversion.open(
            context, for: .segments(overwrites: plan.run.overwrites), having: plan.measurements)
        try during(.openingInput) {
            try plan.check(
                input: open.identity(), isElsewhere: input != nil, settings: open.settings(),
                file: conversion.input.file)
            guard plan.source.firstResetPoint == open.part?.segment ?? 0 else {
                throw FrameError(
                    .input, "the plan begins at another place than the part of the clip", at: .init(file: folder))
            }
        }
        return open
    }

    /// Whether the output is there and complete.
    package var isJoined: Bool { JoinRecord.holds(folder, plan: plan.identifier, output: plan.output) }

    /// Records that the complete output is about to get its name.
    func noteJoined(_ path: String) throws { try JoinRecord.write(folder, plan: plan.identifier, output: path) }
}
