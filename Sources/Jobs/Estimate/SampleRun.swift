internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

extension Conversion {
    /// Processes samples of the job and extrapolates what all of it will take; writes no output.
    ///
    /// - Throws: ``JobFailure``.
    package func estimate(_ context: JobContext, adviceOnStills: String? = nil) throws -> JobEstimate {
        let begin = ContinuousClock.now
        let open = try self.open(context, for: .whole(RunPolicy(overwrites: true, adviceOnStills: adviceOnStills)))
        let preparation = (.now - begin) / .seconds(1)
        try during(.openingOutput) { try checkFormat(of: output.file, options: open.writerOptions) }
        guard open.grain == nil else {
            throw JobStep.options.failure(
                FrameError(
                    .invalidArgument,
                    "--estimate does not measure grain; leave out --grain keep and --grain-table"))
        }
        let index = try during(.openingInput) {
            try open.requireSeekable()
            return (first: open.part?.located.firstFrame ?? 0, count: try open.reader.countFrames())
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "vfx-estimate-\(UUID().uuidString)")
        try during(.openingOutput) {
            guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
            else {
                throw FrameError(.output, "the folder for samples cannot be created", at: .init(file: folder.path))
            }
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let sampler = JobSampler(
            job: open.conversion, context: context.silenced, folder: folder, first: index.first, count: index.count,
            made: open.stream, measurements: open.measurements)
        var estimate = try sampler.estimate()
        estimate.seconds += preparation
        if extras.thumbnails != nil { estimate.addCandidates(of: open.stream, frames: index.count) }
        return estimate
    }
}

extension JobContext {
    /// A copy that reports nothing.
    var silenced: JobContext {
        var context = self
        context.observer = SilentObserver()
        return context
    }
}

extension OpenConversion {
    /// - Throws: `FrameError` if samples of the input cannot be read.
    fileprivate func requireSeekable() throws(FrameError) {
        guard !reader.isSeekable else { return }
        let advice =
            reader.isReopenable
            ? "raw streams are not seekable; remux the stream into a container such as .mkv first"
            : "this one cannot be read twice; name a file (a raw stream must be remuxed into a container)"
        throw FrameError(
            .input, "--estimate reads the input at several places, but \(advice)",
            at: .init(file: conversion.input.file))
    }
}

extension JobSampler {
    /// Runs a part of the job once.
    ///
    /// - Parameters:
    ///   - part: the part of the input.
    ///   - file: the file or numbered images to write.
    ///   - extras: the folder for those of the extra outputs, and the duration of what the whole job makes.
    /// - Returns: what the run did, how many seconds passed until it wrote the first frame, and by how many KiB memory
    ///   grew with each frame in the second half.
    func runSample(
        _ part: ClipPart, to file: String, extras: (folder: String, duration: MediaTime?)
    ) throws -> (report: ConversionReport, lead: Double, memoryPerFrame: Double) {
        var sample = job
        sample.input.part = part
        sample.output.file = file
        let open = try sample.open(context, for: .sample, having: measurements)
        return try open.read(ReadPlan(open, fromSegment: nil, among: [])) { start in
            let timed = TimedSink(try during(.openingOutput) { try open.sampleSink(start.reader, job.output, extras) })
            let begin = ContinuousClock.now
            let report = try open.pipeline(from: start, into: timed)
            return (report, timed.firstWrite.map { ($0 - begin) / .seconds(1) } ?? 0, timed.memoryPerFrame)
        }
    }
}

extension OpenConversion {
    /// Opens the output of a sample.
    ///
    /// - Parameters:
    ///   - wanted: the output of the job, which errors name.
    ///   - extras: the folder for extra outputs, and the duration of what the whole job makes.
    fileprivate func sampleSink(
        _ reader: MediaReader, _ wanted: ConversionOutput, _ extras: (folder: String, duration: MediaTime?)
    ) throws -> any FrameSink {
        let file = conversion.output.file
        let sink: any MediaSink
        do throws(FrameError) {
            sink = try openSink(
                file, stream: stream, source: reader.sourceDescription, retiming: retiming, options: writerOptions)
        } catch var error {
            // The options do not suit the output; a sample's file means nothing to the user.
            if error.location.file == file { error.location.file = wanted.file }
            throw error
        }
        guard !self.extras.isEmpty else { return sink }
        try LocalFile.makeDirectory(extras.folder)
        let branches = try self.extras.sampled(in: extras.folder, of: extras.duration)
            .open(output: kind, name: file, stream: stream, overwrites: true, execution: context.execution)
        return TeeSink(sink, stream: stream, branches: branches)
    }
}
