internal import FrameCore
internal import MediaIO
internal import Pipeline

extension OpenConversion {
    /// Makes frames from a place of the input on and writes them to a sink: all of the job, a sample of it or some segments.
    ///
    /// - Parameters:
    ///   - start: where reading begins.
    ///   - sink: receives the frames.
    ///   - source: returns the frames in place of the reader's; nil for the reader.
    ///   - checkpoints: keeps checkpoints of the source; nil for none.
    /// - Returns: what was done.
    /// - Throws: `SourceMismatch` if the frames at the start are not those that were expected, otherwise ``JobFailure``.
    func pipeline(
        from start: ReadStart, into sink: any FrameSink, reading source: (any FrameSource)? = nil,
        checkpoints: (any SourceCheckpointStore)? = nil
    ) throws -> ConversionReport {
        let observer = context.observer
        var source = source ?? start.reader
        if conversion.input.loops {
            source = LoopingSource(source, isAtBeginning: start.checkpoint == nil) {
                reader.isReopenable ? try reopened() : nil
            }
        }
        let pipeline = ConversionPipeline(
            source: source, sink: sink, chain: chain, part: part?.output(chain), cuts: cuts,
            cutList: cutList, start: start.checkpoint, checkpoints: checkpoints
        ) { observer.handle($0) }
        context.interruption.watch { pipeline.cancel() }
        do {
            var report = try pipeline.run()
            if conversion.input.loops { report.framesRead = max(0, report.framesRead - 1) }
            if part != nil { report.framesRead -= start.checkpoint?.frame ?? 0 }
            return report
        } catch is CancellationError {
            throw context.interruption.failure
        } catch let mismatch as SourceMismatch {
            throw mismatch
        } catch {
            throw JobStep(pipeline.failedStage).failure(error, at: conversion.input.file)
        }
    }
}
