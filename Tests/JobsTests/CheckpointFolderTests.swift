import Foundation
import FrameCore
import Jobs
import TestSupport
import Testing

/// What a checkpoint keeps of a job, and what a later run gets from it.
@Suite struct CheckpointFolderTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("jobs-\(UUID().uuidString)")
    private var output: String { directory.path + "/out.mp4" }
    private let settings = [CheckpointSetting("--crf", "18"), CheckpointSetting("--preset", nil)]

    init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

    private func input(_ contents: String = "input") throws -> InputIdentity {
        let path = directory.path + "/in.mp4"
        if !FileManager.default.fileExists(atPath: path) || contents != "input" {
            try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
        }
        return try InputIdentity(path)
    }

    /// The input's modification time in whole seconds, which every file system preserves.
    private func modified() throws -> Int {
        var status = stat()
        try #require(stat(directory.path + "/in.mp4", &status) == 0)
        return Int(status.st_mtim.tv_sec)
    }

    private func setModified(_ seconds: Int) throws {
        var times = [timespec(), timespec()]
        times[0].tv_sec = seconds
        times[1].tv_sec = seconds
        try #require(utimensat(AT_FDCWD, directory.path + "/in.mp4", &times, 0) == 0)
    }

    private func open(_ start: CheckpointFolder.Start, _ settings: [CheckpointSetting]? = nil) throws
        -> CheckpointFolder
    {
        try CheckpointFolder(output: output, input: input(), settings: settings ?? self.settings, start: start)
    }

    /// Finishes a segment as a writer does.
    private func finish(_ index: Int, next: Int?, _ folder: CheckpointFolder) throws {
        let bytes = [UInt8]("segment \(index)".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.partPath(of: index)))
        try folder.keep(
            FinishedSegment(
                index: index, next: next, frames: 240, shift: .zero, step: MediaTime(value: 1, timescale: 25),
                bytes: bytes.count, checksum: CRC32.of(bytes)))
    }

    private func sentence(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func whatWasFinishedIsThereAgain() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var folder = try open(.fresh)
        #expect(folder.finished.isEmpty && folder.resumePoint.segment == 0)
        try finish(0, next: 1, folder)
        try finish(1, next: 3, folder)
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.partPath(of: 3)))
        folder.leave()
        #expect(!FileManager.default.fileExists(atPath: folder.partPath(of: 3)))
        folder = try open(.resuming)
        #expect(folder.finished.map(\.index) == [0, 1] && folder.resumePoint.segment == 3)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: 1))) == Data("segment 1".utf8))
        try finish(3, next: nil, folder)
        folder.leave()
        folder = try open(.resuming)
        #expect(folder.resumePoint.segment == Int(Int32.max) && folder.finished.count == 3)
        folder.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func nothingFinishedLeavesNothing() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = try open(.resuming)
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.partPath(of: 0)))
        folder.leave()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    /// Killed while the folder was being removed: the leftovers are not a checkpoint, and neither is an empty folder.
    @Test func restsAreNoWork() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let done = output + CheckpointFolder.suffix + ".done"
        try FileManager.default.createDirectory(atPath: done, withIntermediateDirectories: false)
        for name in ["lock", "manifest.json", "000000.seg"] {
            try Data("rest".utf8).write(to: URL(fileURLWithPath: "\(done)/\(name)"))
        }
        try FileManager.default.createDirectory(
            atPath: output + CheckpointFolder.suffix, withIntermediateDirectories: false)
        try Data("older".utf8).write(to: URL(fileURLWithPath: output))
        let folder = try open(.resuming)
        #expect(!folder.isPublished && folder.resumePoint.segment == 0)
        #expect(!FileManager.default.fileExists(atPath: done))
        folder.remove()
    }

    @Test func keptWorkIsNotDroppedByAccident() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = try open(.fresh)
        try finish(0, next: 1, folder)
        try finish(1, next: 2, folder)
        folder.leave()
        let text = sentence { _ = try open(.fresh) }
        #expect(text.contains("2 finished segments") && text.contains("--resume") && text.contains("--overwrite"))
        // A run that ends before it has finished a segment leaves the earlier segments in place.
        try open(.over).leave()
        #expect(try open(.resuming).finished.map(\.index) == [0, 1])
        let over = try open(.over)
        #expect(over.finished.isEmpty && over.keptCount == 0)
        try finish(0, next: 1, over)
        #expect(!FileManager.default.fileExists(atPath: over.path(of: 1)))
        over.leave()
        #expect(try open(.resuming).finished.map(\.index) == [0])
    }

    @Test func aChangeIsNamed() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        _ = try input()
        try setModified(modified())
        let folder = try open(.fresh)
        try finish(0, next: 1, folder)
        folder.leave()
        for (settings, words) in [
            ([CheckpointSetting("--crf", "20"), CheckpointSetting("--preset", nil)], "--crf is \"20\" but was \"18\""),
            (
                [CheckpointSetting("--crf", "18"), CheckpointSetting("--preset", "fast")],
                "--preset is \"fast\" but was not set"
            ),
            ([CheckpointSetting("--preset", nil)], "--crf was \"18\""),
        ] {
            #expect(sentence { _ = try open(.resuming, settings) }.contains(words))
        }
        let before = try modified()
        _ = try input("other")
        try setModified(before + 1)
        #expect(sentence { _ = try open(.resuming) }.contains("the input has been modified since"))
        try setModified(before)
        #expect(sentence { _ = try open(.resuming) }.contains("the input has different contents"))
        _ = try input("longer than it was")
        try setModified(before)
        #expect(sentence { _ = try open(.resuming) }.contains("has 18 bytes but had 5"))
        // The earlier segments are untouched.
        #expect(FileManager.default.fileExists(atPath: folder.path(of: 0)))
    }

    @Test func twoRunsDoNotMeet() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = try open(.fresh)
        try finish(0, next: 1, folder)
        for start in [CheckpointFolder.Start.fresh, .over, .resuming] {
            #expect(sentence { _ = try open(start) }.contains("another run is writing this output"))
        }
        try finish(1, next: 2, folder)
        #expect(folder.keptCount == 2)
        folder.leave()
    }

    @Test func whatIsDamagedIsMadeAgain() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var folder = try open(.fresh)
        for index in 0..<4 { try finish(index, next: index + 1, folder) }
        folder.leave()
        try Data("segment 9".utf8).write(to: URL(fileURLWithPath: folder.path(of: 2)))
        folder = try open(.resuming)
        #expect(folder.finished.map(\.index) == [0, 1] && folder.resumePoint.segment == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: 3)))
        folder.leave()
        try Data("{\"version\": 2}".utf8).write(to: URL(fileURLWithPath: folder.path + "/manifest.json"))
        #expect(sentence { _ = try open(.resuming) }.contains("damaged"))
        try Data("{\"version\": 7}".utf8).write(to: URL(fileURLWithPath: folder.path + "/manifest.json"))
        #expect(sentence { _ = try open(.resuming) }.contains("version 7"))
        folder = try open(.over)
        try finish(0, next: 1, folder)
        folder.leave()
        #expect(try open(.resuming).finished.map(\.index) == [0])
        try open(.over).remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func anotherFolderIsLeftAlone() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let place = output + CheckpointFolder.suffix
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: place + "/000000.seg"))
        #expect(sentence { _ = try open(.over) }.contains("not written by vfx"))
        #expect(FileManager.default.fileExists(atPath: place + "/000000.seg"))
    }

    /// Killed after the output was renamed to its final name.
    @Test func aCompleteOutputIsKnown() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var folder = try open(.fresh)
        try finish(0, next: nil, folder)
        try Data("video".utf8).write(to: URL(fileURLWithPath: output + ".part"))
        try folder.willPublish(output + ".part")
        folder.leave()
        folder = try open(.resuming)
        #expect(!folder.isPublished)
        try folder.willPublish(output + ".part")
        try FileManager.default.moveItem(atPath: output + ".part", toPath: output)
        folder.leave()
        #expect(try open(.resuming).isPublished)
    }

    @Test func manifestsAreChecked() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        var manifest = CheckpointManifest(input: try input(), settings: settings)
        func segment(_ index: Int, _ next: Int?) -> FinishedSegment {
            FinishedSegment(
                index: index, next: next, frames: 1, shift: .zero, step: .zero, bytes: 1, checksum: 2)
        }
        manifest.segments = [segment(0, 2), segment(2, nil)]
        #expect(try CheckpointManifest(json: manifest.json) == manifest)
        for wrong in [
            [segment(1, 2)], [segment(0, nil), segment(1, 2)], [segment(0, 0)], [segment(0, 2), segment(1, 2)],
        ] {
            manifest.segments = wrong
            #expect(throws: FrameError.self) { try CheckpointManifest(json: manifest.json) }
        }
        manifest.segments = []
        manifest.settings[0].value = "19"
        #expect(throws: FrameError.self) { try CheckpointManifest(json: manifest.json) }
    }
}
