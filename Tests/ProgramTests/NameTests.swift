import Foundation
import TestSupport
import Testing

/// Files with unusual names.
@Suite struct NameTests {
    /// File systems allow 255 bytes; what vfx writes beside a file must not need more.
    @Test(arguments: [250, 251, 255]) func longNamesAreWritten(length: Int) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        let name = String(repeating: "n", count: length - 4)
        for (arguments, output) in [
            (["blur", "in.y4m"], name + ".mkv"), (["thumbnails", "in.y4m"], name + ".out"),
            (["still", "in.y4m", "--at", "0"], name + ".png"),
        ] {
            let run = try vfx(arguments + ["-o", output], in: folder)
            #expect(run.status == 0, "\(run.standardError)")
            #expect(folder.contents.sorted() == ["in.y4m", output].sorted())
            try FileManager.default.removeItem(atPath: folder.path(output))
        }
    }

    @Test func namesThatBeginLikeOptionsNeedAFolder() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "-dash.y4m")
        let run = try vfx("blur", "-dash.y4m", "-o", "out.mkv", in: folder)
        #expect(run.status == 64)
        #expect(
            run.errorLines == [
                "vfx: error: '-dash.y4m' begins like an option; write ./-dash.y4m for a file of this name"
            ])
        #expect(try vfx("blur", "./-dash.y4m", "-o", "./-out.mkv", in: folder).status == 0)
        #expect(try vfx("info", "--", "-out.mkv", in: folder).status == 0)
        #expect(try vfx("blur", "-h", in: folder).outputText.contains("USAGE"))
    }

    /// A folder of images is one clip, and the output a video.
    @Test func aFolderOfImagesIsAClip() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(4)), to: "in.y4m")
        try FileManager.default.createDirectory(atPath: folder.path("shot"), withIntermediateDirectories: false)
        let made = try vfx("blur", "in.y4m", "-o", "shot/f_%04d.png", in: folder)
        #expect(made.status == 0, "\(made.standardError)")
        for input in ["shot", "shot/", "shot/*.png", "shot/f_%04d.png"] {
            let run = try vfx(
                "slomo", input, "-o", "out.mkv", "--input-fps", "30", "--factor", "2", "--overwrite", in: folder)
            #expect(run.status == 0 && run.standardError.contains("7 frames from 4"), "\(run.standardError)")
        }
    }
}
