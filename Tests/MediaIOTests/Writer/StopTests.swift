import FrameCore
import Foundation
import MediaIO
import Testing

/// Runs that are stopped while their output is being completed.
@Suite struct StopTests {
    private func opened(_ path: String, source: MediaReader) throws -> any FrameSink {
        let sink = try openSink(path, stream: source.stream, source: source.sourceDescription)
        while let frame = try source.nextFrame() { try sink.write(frame) }
        return sink
    }

    /// Matroska files are read back, which takes long. Flash files are not; there, remuxing the other streams takes
    /// long.
    @Test(.enabled(if: hasMaker, "ffmpeg makes the file"), arguments: ["a.mkv", "a.flv"])
    func completingEndsSoon(name: String) throws {
        let folder = try TemporaryFolder()
        let input = try make(folder("in.mkv"), pictureAndTone(1) + quickVideo + ["-c:a", "aac"])
        let sink = try opened(folder(name), source: MediaReader(input))
        sink.stop()
        #expect(throws: FrameError.self) { try sink.finish() }
        #expect(folder.contents == ["in.mkv"])
    }

    @Test func readingBackEndsSoon() throws {
        let folder = try TemporaryFolder()
        try write(clip(ticks: Array(0..<5)), to: folder("a.mkv"))
        let stop = StopFlag()
        var video = MuxedStream()
        for tick in 0..<5 { video.add(Int64(tick)) }
        let file = OutputVerifier(path: folder("a.mkv"), output: "out")
        let planned: [OutputVerifier.Planned] = [(kind: .video, written: video)]
        try file.check(planned, video: (0, video), clock: Rational(1, 25), stop)
        stop.set()
        let error = try refusal { try file.check(planned, video: (0, video), clock: Rational(1, 25), stop) }
        #expect(error.message.contains("stopped"))
    }

    @Test func anAbandonedOutputIsGoneAtOnce() throws {
        let folder = try TemporaryFolder()
        let sink = try opened(folder("a.mkv"), source: MediaReader(fixture("all-streams.mkv")))
        #expect(folder.contents == ["a.mkv.part"])
        let thread = Thread { sink.abandon() }
        thread.start()
        while !thread.isFinished { sched_yield() }
        #expect(folder.contents.isEmpty)
        // A call that is still writing the output fails, and leaves nothing behind either.
        #expect(throws: FrameError.self) { try sink.finish() }
        #expect(folder.contents.isEmpty)
    }
}
