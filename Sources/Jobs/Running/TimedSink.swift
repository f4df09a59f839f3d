internal import FrameCore

/// A sink that notes when the first frame was written and how memory grows, and passes everything on.
///
/// `@unchecked Sendable`: the pipeline makes one call at a time, except ``stop()`` and ``abandon()``, which change nothing here.
final class TimedSink: FrameSink, @unchecked Sendable {
    private let sink: any FrameSink
    private(set) var firstWrite: ContinuousClock.Instant?
    /// The memory in KiB before each frame.
    private var memory: [Int] = []

    init(_ sink: any FrameSink) { self.sink = sink }

    /// By how much memory grew with each frame in the second half of those written, in KiB.
    var memoryPerFrame: Double {
        let middle = memory.count / 2
        guard let last = memory.last, memory.count - 1 > middle else { return 0 }
        return Double(last - memory[middle]) / Double(memory.count - 1 - middle)
    }

    var resumePoint: ResumePoint { sink.resumePoint }
    var wantsMore: Bool { sink.wantsMore }
    func finishedFrames(_ take: (Frame) throws -> Void) throws { try sink.finishedFrames(take) }
    func beginSegment(_ index: Int) throws { try sink.beginSegment(index) }

    func write(_ frame: Frame) throws {
        firstWrite = firstWrite ?? .now
        memory.append(ProcessMemory.residentKiB ?? 0)
        try sink.write(frame)
    }

    func addToLastFrame(_ sideData: SideData) { sink.addToLastFrame(sideData) }
    func finish() throws { try sink.finish() }
    func stop() { sink.stop() }
    func cancel() { sink.cancel() }
    func abandon() { sink.abandon() }
}
