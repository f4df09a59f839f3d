import Foundation
import TestSupport
import Testing

/// Data streams are kept with their times, or their loss is reported.
@Suite(.enabled(if: hasTools, "ffmpeg makes the files and ffprobe is the witness")) struct DataStreamTests {
    /// MP4 and MOV accept the telemetry of cameras.
    @Test(arguments: WholeFileCommand.allCases)
    func telemetryComesAlong(command: WholeFileCommand) throws {
        let folder = try TemporaryFolder()
        let input = try DataStreamInput.makeTelemetry(in: folder)
        let before = try ProbedFile(input)
        let source = try #require(before.streams("data").first)
        let packets = try #require(before.packets[source.index])
        #expect(source.codecTagString == "gpmd" && packets.count == 4)
        let run = try vfx(command.arguments + [input, "-o", "out.mp4"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        // Some frames of the fixture repeat the picture before.
        let notes = run.standardError.split(separator: "\n").filter { $0.contains("note") && !$0.contains("repeat") }
        #expect(notes.isEmpty, "\(run.standardError)")
        let after = try ProbedFile(folder.path("out.mp4"))
        #expect(after.streams.map(\.kind) == ["video", "audio", "data"])
        let carried = try #require(after.streams("data").first)
        #expect(carried.codecTagString == "gpmd" && carried.codecName == source.codecName)
        let now = after.packets[carried.index] ?? []
        #expect(now.map(\.dataHash) == packets.map(\.dataHash))
        let stretch = Double(command.stretch)
        #expect(isSame(now.map(\.time), packets.map { $0.time.map { $0 * stretch } }))
        #expect(isSame(now.map(\.duration), packets.map { $0.duration.map { $0 * stretch } }))
    }

    /// No container that the commands select by default holds KLV.
    @Test(arguments: WholeFileCommand.allCases)
    func thatKLVIsLeftOutIsTold(command: WholeFileCommand) throws {
        let folder = try TemporaryFolder()
        let input = try DataStreamInput.makeKLV(in: folder)
        try expectLeftOut(input, "klv", "matroska", "mkv", command, folder)
    }

    @Test(arguments: [("klv", "mp4"), ("klv", "mov"), ("klv", "webm"), ("bin_data", "mov"), ("bin_data", "webm")])
    func whatAContainerDoesNotHoldIsTold(codec: String, output: String) throws {
        let folder = try TemporaryFolder()
        let input =
            codec == "klv" ? try DataStreamInput.makeKLV(in: folder) : try DataStreamInput.makeTelemetry(in: folder)
        try expectLeftOut(input, codec, output, output, .denoise, folder)
    }

    private func expectLeftOut(
        _ input: String, _ codec: String, _ format: String, _ ending: String, _ command: WholeFileCommand,
        _ folder: TemporaryFolder
    ) throws {
        let before = try ProbedFile(input)
        let source = try #require(before.streams("data").first)
        #expect(source.codecName == codec && before.packets[source.index]?.isEmpty == false)
        let run = try vfx(command.arguments + [input, "-o", "out.\(ending)"], in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let note = "stream \(source.index) (data, \(codec)) is left out; \(format) does not support it"
        #expect(run.standardError.contains(note), "\(run.standardError)")
        let after = try ProbedFile(folder.path("out.\(ending)"))
        #expect(after.streams.map(\.kind) == before.streams.map(\.kind).filter { $0 != "data" })
    }

    private func isSame(_ now: [Double?], _ then: [Double?]) -> Bool {
        now.count == then.count && zip(now, then).allSatisfy { abs(($0 ?? -1) - ($1 ?? -2)) < 0.000_002 }
    }
}
