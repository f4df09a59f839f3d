internal import FrameCore

/// A sink that notes when the first frame was written, and passes everything on.
///
/// `@unchecked Sendable`: the pipeline makes one call at a time, except ``stop()`` and ``abandon()``, which change nothing here.
final class TimedSink: FrameSink, @unchecked Sendable {
    private let sink: any FrameSink
    private(set) var firstWrite: ContinuousClock.Instant?

    init(_ sink: any FrameSink) { self.sink = sink }

    var resumePoint: ResumePoint { sink.resumePoint }
    var wantsMore: Bool { sink.wantsMore }
    func finishedFrames(_ take: (Frame) throws -> Void) throws { try sink.finishedFrames(take) }
    func beginSegment(_ index: Int) throws { try sink.beginSegment(index) }

    func write(_ frame: Frame) throws {
        firstWrite = firstWrite ?? .now
        try sink.write(frame)
    }

    func finish() throws { try sink.finish() }
    func stop() { sink.stop() }
    func cancel() { sink.cancel() }
    func abandon() { sink.abandon() }
}
