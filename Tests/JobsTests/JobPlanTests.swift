import Foundation
import FrameCore
import Imaging
import Jobs
import Pipeline
import TestSupport
import Testing

/// Generated frames with the same position everywhere.
private final class PlacedSource: ResumableFrameSource {
    private let source: GeneratedSource

    init() {
        source = GeneratedSource(count: 500) { index in
            let scene = MovingScene.translation(1.3, 0.4, seed: index < 250 ? 3 : 9)
            return try scene.picture(Float(index % 97), width: 64, height: 48)
        }
    }

    var stream: VideoStreamDescription { source.stream }
    var damage: DamageReport { DamageReport() }
    var position: SourcePosition? {
        SourcePosition(
            key: .init(offset: 1, size: 2, presentationTime: 3, decodeTime: nil), stamp: 3, offset: 1,
            clock: .init(last: 2, lastStep: 1, shift: 0), previousStep: nil, reorderDelay: 0, notes: [], spans: [])
    }
    func nextFrame() throws -> Frame? { try source.nextFrame() }
    func resume(at position: SourcePosition) throws -> Bool { false }
}

@Suite struct JobPlanTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("p-\(UUID().uuidString)").path
    private static let read = SegmentResult.Read(before: 1, after: 2, damage: DamageReport())
    private let settings = [CheckpointSetting("the version of libav", "libavcodec 1.2.3")]

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func input() throws -> InputIdentity {
        let path = folder + "/in"
        if !FileManager.default.fileExists(atPath: path) {
            try Data("input".utf8).write(to: URL(fileURLWithPath: path))
        }
        return try InputIdentity(path)
    }

    /// A clip whose second half was compressed more coarsely.
    private static let compression = SourceCompression(
        overall: PictureCompression(strength: 0, step: 4, isLoopFiltered: true),
        spans: [(0, 4), (250, 24)].map { time, step in
            .init(
                start: MediaTime(value: time, timescale: 25),
                pictures: PictureCompression(strength: step > 13 ? 1 : 0, step: step, isLoopFiltered: true))
        })

    private func plan() throws -> JobPlan {
        let survey = try SourceSurvey(of: PlacedSource(), search: .lookingAhead, onFrame: { _ in })
        return try JobPlan(
            Conversion(
                input: ConversionInput("/in"), effects: [.rate(Rational(60, 1))], output: ConversionOutput("/out.mp4")),
            run: .init(threads: 2), identity: input(), settings: settings, survey: survey, spans: [],
            firstOutputTime: .zero, shift: .zero,
            measurements: JobMeasurements(
                compression: Self.compression, fields: FieldStructure(.interlaced(.bottomFirst))))
    }

    private func sentence(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func aPlanHoldsWhatTheSurveyHasFound() throws {
        let plan = try plan()
        #expect(plan.segmentCount == 3 && plan.source.frames == 500 && plan.source.isDecoded)
        #expect((0..<4).map(plan.frames(of:)) == [240, 240, 20, 0])
        #expect(plan.source.starts.map { $0?.frame } == [nil, 176, 416])
        #expect(plan.source.starts[1]?.checksums.count == 8)
        try plan.write(to: folder + "/job")
        let read = try JobPlan.read(from: folder + "/job")
        #expect(read == plan && read.measurements.compression == Self.compression)
        #expect(read.measurements.fields == FieldStructure(.interlaced(.bottomFirst)))
        #expect(sentence { try plan.write(to: folder + "/job") }.contains("already holds a plan"))
    }

    /// Frames whose keyframes are 100 apart, from the third on.
    private struct Packets: FrameTable {
        var count: Int
        func time(of number: Int) -> MediaTime { MediaTime(value: Int64(number * 3), timescale: 25) }
        func position(of number: Int) -> SourcePosition? { number < 200 ? nil : PlacedSource().position }
    }

    @Test func packetsTellWhereToBegin() {
        let survey = SourceSurvey(of: Packets(count: 721), search: .lookingAhead)
        #expect(!survey.isDecoded && survey.frames == 721 && survey.damage.isEmpty)
        #expect(survey.firstTime == .zero && survey.secondTime == MediaTime(value: 3, timescale: 25))
        #expect(survey.lastTime == MediaTime(value: 2160, timescale: 25))
        #expect(survey.checkpoints.mapValues(\.frame) == [2: 416, 3: 656])
        #expect(survey.checkpoints[3]?.time == MediaTime(value: 1968, timescale: 25))
        // Without the first frame of the fourth segment there are three; a part begins with its own segment.
        #expect(SourceSurvey(of: Packets(count: 720), search: .none).checkpoints.keys.max() == 2)
        #expect(SourceSurvey(of: Packets(count: 721), firstPoint: 3, search: .none).checkpoints.keys.min() == 3)
    }

    @Test func whatDiffersIsNamed() throws {
        let plan = try plan(), input = try input()
        try plan.check(input: input, isElsewhere: false, settings: settings, file: "in")
        let other = [CheckpointSetting("the version of libav", "libavcodec 9.9.9")]
        #expect(
            sentence { try plan.check(input: input, isElsewhere: false, settings: other, file: "in") }.contains(
                "the version of libav is \"libavcodec 9.9.9\" but was \"libavcodec 1.2.3\""))
        let path = folder + "/copy"
        try Data("input".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
        let copy = try InputIdentity(path)
        try plan.check(input: copy, isElsewhere: true, settings: settings, file: path)
        #expect(
            sentence { try plan.check(input: copy, isElsewhere: false, settings: settings, file: path) }.contains(
                "has been modified since"))
        try Data("others".utf8).write(to: URL(fileURLWithPath: path))
        let changed = try InputIdentity(path)
        #expect(
            sentence { try plan.check(input: changed, isElsewhere: true, settings: settings, file: path) }.contains(
                "6 bytes but had 5"))
    }

    @Test func damagedPlansAreRefused() throws {
        #expect(sentence { _ = try JobPlan.read(from: folder) }.contains("there is no plan in the folder"))
        try plan().write(to: folder)
        let path = folder + "/plan.json", text = try String(contentsOfFile: path, encoding: .utf8)
        for (old, new, words) in [
            (
                "\"version\":9}\n", "\"version\":8}\n",
                "the plan has version 8; this program reads version 9, so make the plan again in another folder"
            ),
            ("\"/out.mp4\"", "\"/etc/passwd\"", "the plan is damaged"), ("\"threads\":2", "\"threads\":0", "damaged"),
            ("{", "", "damaged"),
        ] {
            #expect(text.contains(old))
            try text.replacing(old, with: new, maxReplacements: 1).write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(sentence { _ = try JobPlan.read(from: folder) }.contains(words), "\(new)")
        }
    }

    @Test func aRecordCountsOnlyWithItsFile() throws {
        let results = SegmentResults(path: folder, plan: "p"), bytes = [UInt8]("segment".utf8)
        let segment = FinishedSegment(
            index: 4, next: nil, frames: 3, shift: .zero, step: MediaTime(value: 1, timescale: 25), bytes: bytes.count,
            checksum: CRC32.of(bytes))
        try results.keep(SegmentResult(plan: "p", number: 4, segment: segment, read: Self.read, seconds: 1, host: "h"))
        #expect(try results.verified(4) == nil && results.likely(4) == nil && results.record(4) != nil)
        let path = URL(fileURLWithPath: results.file(segment))
        try Data(bytes).write(to: path)
        #expect(try results.verified(4)?.segment == segment && results.likely(4) != nil)
        try Data("Segment".utf8).write(to: path)
        #expect(try results.verified(4) == nil && results.likely(4) != nil)
        #expect(SegmentResults(path: folder, plan: "q").record(4) == nil)
        results.note(failure: "no", of: 4)
        #expect(results.failure(4) == "no")
        // A record cannot name a file outside the folder, or another segment.
        try results.keep(SegmentResult(plan: "p", number: 5, segment: segment, read: Self.read, seconds: 1, host: "h"))
        #expect(results.record(5) == nil)
        #expect(SegmentResult.fileName(7, checksum: 0xAB) == "000007-ab.seg")
    }

    @Test func statusCountsSegments() {
        func record(_ number: Int, _ frames: Int) -> SegmentResult {
            SegmentResult(
                plan: "p", number: number,
                segment: FinishedSegment(
                    index: number, next: nil, frames: frames, shift: .zero, step: .zero, bytes: 1, checksum: 0),
                read: Self.read, seconds: 10, host: "h")
        }
        let status = JobStatus(
            count: 6, done: [0: record(0, 100), 3: record(3, 60)],
            partial: [(1, 1000), (2, 100), (3, 1000), (4, 990)], failures: [2: "full", 4: "old"], now: 1000)
        #expect(status.done == 2 && status.running == 2 && status.frames == 160)
        #expect(status.failed.map(\.number) == [2] && status.segments[5] == .waiting)
        #expect(status.framesPerSecond == 16 && status.secondsLeft == 20)
        let idle = JobStatus(count: 2, done: [:], partial: [], failures: [:], now: 0)
        #expect(idle.framesPerSecond == nil && idle.secondsLeft == nil && idle.done == 0)
    }
}
