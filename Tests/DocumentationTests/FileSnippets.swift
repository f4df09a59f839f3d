import Foundation
import FrameCore
import FrameEffects
import Jobs
import MediaIO
import Pipeline
import TestSupport
import Testing

/// The code that the articles of MediaIO and Pipeline show.
@Suite struct FileSnippets {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func files() throws {
        let input = try folder.makeClip(), output = folder.path("out.mkv")
        // snippet
        let reader = try MediaReader(input)
        let options = MediaWriterOptions(codec: .ffv1, overwrites: true)
        let sink = try openSink(output, stream: reader.stream, source: reader.sourceDescription, options: options)
        do {
            while let frame = try reader.nextFrame() { try sink.write(frame) }
            try sink.finish()  // renames <name>.part to the name
        } catch {
            sink.cancel()  // leaves nothing behind
            throw error
        }
        for note in reader.notes + sink.notes { print(note) }
        for note in reader.damage.notes { print(note) }
        // end
        let copy = try MediaReader(output)
        let first = try #require(try copy.nextFrame())
        #expect(first.buffer.hasSameSamples(as: try GeneratedPicture.waves()))
        // snippet
        for stream in reader.info.streams { print(stream.index, stream.kind, stream.codec) }
        // end
        #expect(reader.info.streams.map(\.codec) == ["ffv1"])
    }

    @Test func conversion() async throws {
        let input = try folder.makeClip(), output = folder.path("out.mkv")
        // snippet
        let reader = try MediaReader(input)
        let plan = try SlowMotionPlan(factor: 4)  // three frames between each two
        let sink = try openSink(
            output, stream: plan.outputStream(for: reader.stream), source: reader.sourceDescription,
            retiming: .stretched(by: 4), options: MediaWriterOptions(codec: .ffv1))
        let pipeline = ConversionPipeline(
            source: reader, sink: sink, plan: plan, options: ConversionOptions(context: ExecutionContext())
        ) { event in
            if case .progress(let progress) = event { print(progress.framesWritten, progress.secondsLeft ?? 0) }
        }
        let report = try await pipeline.run()
        print(report.framesWritten, report.cuts.count)
        // end
        #expect(report.framesWritten == 13)
        // snippet
        let sixty = try RateConversionPlan(rate: Rational(60, 1))
        // end
        #expect(sixty.expectedFrameCount(sourceFrames: 4, duration: MediaTime(value: 4, timescale: 25)) == 10)
    }

    @Test func jobs() throws {
        let input = try folder.makeClip(), output = folder.path("out.mkv")
        try restore(input, to: output)
        let copy = try MediaReader(output)
        for _ in 0..<13 { _ = try #require(try copy.nextFrame()) }
        let rest = try copy.nextFrame()
        #expect(rest == nil)
        #expect(!FileManager.default.fileExists(atPath: output + CheckpointFolder.suffix))
    }
}

// snippet
/// Takes the noise out of a file and slows it down; continues what an earlier call has left.
func restore(_ input: String, to output: String) throws {
    var job = Conversion(
        input: ConversionInput(input), effects: [.denoise(.automatic), .slomo(factor: Rational(4, 1))],
        output: ConversionOutput(output))
    job.output.codec = .ffv1
    try job.run(resumes: true)
}
// end

extension TemporaryFolder {
    /// Makes a file of a few frames.
    func makeClip() throws -> String {
        let path = path("in.mkv")
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
        let sink = try openSink(path, stream: stream, source: nil, options: MediaWriterOptions(codec: .ffv1))
        for index in 0..<4 {
            try sink.write(
                Frame(
                    buffer: try GeneratedPicture.waves(dx: 3 * index),
                    presentationTime: MediaTime(value: Int64(index), timescale: 25),
                    duration: MediaTime(value: 1, timescale: 25)))
        }
        try sink.finish()
        return path
    }
}
