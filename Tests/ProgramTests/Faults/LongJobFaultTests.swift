import Foundation
import TestSupport
import Testing

/// After any failure in a segmented job, the finished segments remain, and the same command continues from them.
@Suite(.enabled(if: FaultyLibrary.compiler != nil && hasTools, "a C compiler makes the faults, and ffmpeg the clip"))
struct LongJobFaultTests {
    private func arguments() throws -> [String] {
        ["denoise", try LongClip.path(), "-o", "out.mkv", "--quiet", "--preset", "veryfast"]
    }

    /// The frames and packets of an undisturbed job.
    private static let undisturbed: Result<String, any Error> = Result {
        let folder = try TemporaryFolder()
        let run = try vfx(LongJobFaultTests().arguments(), in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        return try LongClip.contents(folder.path("out.mkv"))
    }

    @Test(arguments: [
        (
            ["FAULT_WRITE": "000001.seg.part:0"],
            "out.mkv.job/000001.seg.part: the disk is full (No space left on device)"
        ),
        (
            ["FAULT_WRITE": "000001.seg.part:4000"],
            "out.mkv.job/000001.seg.part: the disk is full (No space left on device)"
        ),
        (
            ["FAULT_WRITE": "manifest.json.part:0", "FAULT_AFTER": "000001.seg:1"],
            "out.mkv.job/manifest.json: the disk is full (No space left on device)"
        ),
        (
            ["FAULT_WRITE": "out.mkv.part:0", "FAULT_AFTER": "000000.seg:1"],
            "the disk is full (No space left on device)"
        ),
        (["FAULT_ENCODE": "300"], "libx264 failed (Generic error in an external library)"),
    ])
    func aFaultInTheSecondSegmentKeepsTheFirst(faults: [String: String], says: String) throws {
        let folder = try TemporaryFolder(), library = try FaultyLibrary()
        let run = try vfx(arguments(), environment: library.environment(faults), in: folder)
        #expect(run.status == 74)
        #expect(run.errorLines.count == 1 && run.standardError.contains(says), "\(run.standardError)")
        #expect(
            run.standardError.hasSuffix("; 1 finished segment is kept in out.mkv.job; --resume continues from there\n"),
            "\(run.standardError)")
        #expect(folder.contents == ["out.mkv.job"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("out.mkv.job"))
        // How far ahead the input has been read is a matter of time.
        #expect(kept.contains("000001.start"))
        #expect(kept.filter { !$0.hasSuffix(".start") }.sorted() == ["000000.seg", "lock", "manifest.json"])
        let resumed = try vfx(arguments() + ["--resume"], in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(folder.contents == ["out.mkv"])
        #expect(try LongClip.contents(folder.path("out.mkv")) == Self.undisturbed.get())
    }

    /// Only joining the segments has to be repeated.
    @Test(arguments: [
        (0, "the written file cannot be read back, so it was not kept (Input/output error)"),
        (2000, " of 630 frames, so it was not kept"),
    ])
    func whatCannotBeReadBackKeepsItsSegments(offset: Int, says: String) throws {
        let folder = try TemporaryFolder(), library = try FaultyLibrary()
        let run = try vfx(
            arguments(), environment: library.environment(["FAULT_READ": "out.mkv.part:\(offset)"]), in: folder)
        #expect(run.status == 74)
        #expect(
            run.standardError.hasSuffix(
                "\(says); 3 finished segments are kept in out.mkv.job; --resume continues from there\n"),
            "\(run.standardError)")
        #expect(folder.contents == ["out.mkv.job"])
        let resumed = try vfx(arguments() + ["--resume"], in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == Self.undisturbed.get())
    }

    /// A temporary read error says nothing about the contents of the segments.
    @Test func segmentsThatCannotBeReadAreKept() throws {
        let folder = try TemporaryFolder(), library = try FaultyLibrary()
        try StoppedRun(arguments(), after: "manifest.json:3", in: folder).kill()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out.mkv.job")).sorted()
        #expect(names.filter { $0.hasSuffix(".seg") } == ["000000.seg", "000001.seg"])
        let run = try vfx(
            arguments() + ["--resume"], environment: library.environment(["FAULT_READ": "000000.seg:0"]), in: folder)
        #expect(run.status == 73)
        #expect(
            run.standardError
                == "vfx: error: out.mkv.job/000000.seg: the finished segment cannot be read (Input/output error)\n")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out.mkv.job")).sorted()
        #expect(left == names)
        let resumed = try vfx(arguments() + ["--resume"], in: folder)
        #expect(resumed.status == 0, "\(resumed.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == Self.undisturbed.get())
    }

    @Test func aDiskThatIsFullFromTheStartLeavesNothing() throws {
        let folder = try TemporaryFolder(), library = try FaultyLibrary()
        for (file, status) in [("manifest.json.part", 73), ("000000.seg.part", 74)] {
            let run = try vfx(
                arguments(), environment: library.environment(["FAULT_WRITE": "\(file):0"]), in: folder)
            #expect(run.status == status)
            #expect(
                run.errorLines.count == 1
                    && run.standardError.hasSuffix("the disk is full (No space left on device)\n"),
                "\(run.standardError)")
            #expect(folder.contents == [])
        }
    }

    /// Nothing is kept in that case, and the message does not claim otherwise.
    @Test func aFolderThatVanishesInTheSecondSegmentIsAFailedWrite() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        let run = try StoppedRun(
            arguments().map { $0 == "out.mkv" ? "d/out.mkv" : $0 }, after: "000001.seg:1", in: folder)
        try FileManager.default.removeItem(atPath: folder.path("d"))
        let (status, said) = run.goOn()
        #expect(status == 74)
        #expect(
            said
                == "vfx: error: d/out.mkv.job/000001.seg: the file cannot be written (No such file or directory)\n")
        #expect(folder.contents == [])
    }
}
