package import FrameCore
package import MediaIO
package import Pipeline

/// Receives the events of a job. By default, it ignores them.
package protocol JobObserver: Sendable {
    /// The output is open, and frames are about to be read.
    func started(
        input: String, output: String, reader: MediaReader, sink: any MediaSink, stream: VideoStreamDescription)
    /// The run continues after the segments of an interrupted one.
    ///
    /// - Parameters:
    ///   - segments: the segments that are reused.
    ///   - folder: the folder that holds them.
    ///   - firstFrameRead: the number of the frame with which reading begins.
    ///   - isFallback: whether that is earlier than the segments allow.
    func resumes(_ segments: [FinishedSegment], in folder: String, firstFrameRead: Int, isFallback: Bool)
    /// A cut was found, or frames were written.
    func handle(_ event: PipelineEvent)
    /// Frames are read before the run, to measure their noise.
    ///
    /// - Parameters:
    ///   - frames: the number of frames read so far; nil when all have been read.
    ///   - expected: the number of frames, if it is known.
    func measuresGrain(frames: Int?, expected: Int?)
    /// The output is complete.
    ///
    /// - Parameters:
    ///   - bound: the largest number of frames alive at once; nil if an effect cannot tell.
    func finished(_ report: ConversionReport, output: String, notes: [Note], bound: MemoryBound?)
    /// The output was complete before the run.
    func wasFinished(output: String, isDamaged: Bool)
    /// A worker has made a segment.
    func kept(_ segment: FinishedSegment, firstFrameRead: Int)
}

extension JobObserver {
    package func started(
        input: String, output: String, reader: MediaReader, sink: any MediaSink, stream: VideoStreamDescription
    ) {}
    package func resumes(_ segments: [FinishedSegment], in folder: String, firstFrameRead: Int, isFallback: Bool) {}
    package func handle(_ event: PipelineEvent) {}
    package func measuresGrain(frames: Int?, expected: Int?) {}
    package func finished(_ report: ConversionReport, output: String, notes: [Note], bound: MemoryBound?) {}
    package func wasFinished(output: String, isDamaged: Bool) {}
    package func kept(_ segment: FinishedSegment, firstFrameRead: Int) {}
}

/// Ignores all events.
package struct SilentObserver: JobObserver {
    package init() {}
}
