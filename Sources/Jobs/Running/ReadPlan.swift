package import FrameCore
package import MediaIO
internal import Pipeline

/// Where a run may begin to read its input: at a checkpoint, the latest first, and at last at the first frame.
package struct ReadPlan: Sendable, Hashable {
    /// The checkpoints, the latest first.
    let checkpoints: [SourceCheckpoint]
    /// Whether what has been made before calls for a later beginning than any of the checkpoints.
    let countsAsFallback: Bool

    /// The number of checkpoints that are tried before the input is read from the beginning of its part.
    private static let mostTries = 3

    /// Plans to make what the job makes from a reset point on.
    ///
    /// - Parameters:
    ///   - open: the job.
    ///   - segment: the number of the first segment that is made, counted from the job's first; nil if all of it is made and
    ///     nothing is known of the source.
    ///   - known: checkpoints that were taken earlier.
    init(_ open: OpenConversion, fromSegment segment: Int?, among known: [SourceCheckpoint]) throws {
        let beginning = [open.part?.checkpoint].compactMap(\.self)
        guard let segment else {
            (checkpoints, countsAsFallback) = (beginning, false)
            return
        }
        let found = try open.chain.checkpoints(
            forSegment: (open.part?.segment ?? 0) + segment, of: open.reader.stream, among: known)
        checkpoints = found.prefix(Self.mostTries) + beginning
        // If there are only unsuitable checkpoints, the effects themselves need the whole clip.
        countsAsFallback = known.isEmpty || !checkpoints.isEmpty
    }
}

/// A reader at the place at which a run begins.
package struct ReadStart {
    /// The reader, about to return the first frame that is needed.
    package let reader: MediaReader
    /// The checkpoint at which the reader has resumed; nil for the first frame.
    package let checkpoint: SourceCheckpoint?
    /// Whether the reader begins earlier than planned.
    package let isFallback: Bool
}

extension OpenConversion {
    /// Runs `body` with a reader at the first place of a plan at which it finds the frames that it must find.
    ///
    /// - Parameters:
    ///   - first: a reader that has not returned any frames yet; nil for the job's own.
    ///   - body: throws `SourceMismatch` if the frames are others; it is then run again with an earlier place.
    /// - Throws: ``JobFailure`` if the frames differ even from the first frame on, and any other error of `body`.
    func read<Result>(
        _ plan: ReadPlan, first: MediaReader? = nil, _ body: (ReadStart) throws -> Result
    ) throws -> Result {
        var fresh: MediaReader? = first ?? reader
        for (index, checkpoint) in (plan.checkpoints.map(Optional.some) + [nil]).enumerated() {
            let reader = try fresh ?? during(.openingInput) { try reopened() }
            fresh = nil
            if let checkpoint, (try? reader.resume(at: checkpoint.position)) != true { continue }
            let isFallback = checkpoint == nil ? plan.countsAsFallback : index > 0
            do {
                return try body(ReadStart(reader: reader, checkpoint: checkpoint, isFallback: isFallback))
            } catch is SourceMismatch {}
        }
        throw JobStep.reading.failure(
            FrameError(
                .input, "the input changes while it is being read", at: .init(file: conversion.input.file)))
    }
}
