import FrameCore
import Foundation
import TestSupport
import Testing

@Suite struct CompareTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Y4M.encode(clip(10)), to: "a.y4m")
        let other = try (0..<10).map { index in
            try GeneratedPicture.draw(.yuv420p8, width: 64, height: 48) { plane, x, y in
                100 + (x * 7 + y * 3 + index * 5 + plane * 20) % 60
            }
        }
        _ = try folder.write(try Y4M.encode(other), to: "b.y4m")
        return folder
    }

    private func figure(_ name: String, _ text: String) throws -> Double {
        let match = try #require(text.matches(of: try Regex("\(name):([0-9.]+)")).last)
        return try #require(match[1].substring.flatMap { Double($0) })
    }

    /// Uses ffmpeg's psnr and ssim filters as the reference.
    @Test func figuresAreThoseOfFFmpeg() throws {
        let folder = try folder()
        let run = try vfx("compare", "a.y4m", "b.y4m", "--json", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        let event = try #require(try events(run.outputText).first)
        let psnr = try #require(event["psnr"] as? [Double])
        for filter in ["psnr", "ssim"] {
            let process = Process(), pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "ffmpeg", "-hide_banner", "-nostats", "-i", folder.path("a.y4m"), "-i", folder.path("b.y4m"), "-lavfi",
                filter, "-f", "null", "-",
            ]
            process.standardError = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            if filter == "psnr" {
                for (index, name) in ["y", "u", "v"].enumerated() {
                    #expect(abs(try figure(name, text) - psnr[index]) < 0.01)
                }
            } else {
                let ssim = try #require(event["ssim"] as? Double)
                #expect(abs(try figure("Y", text) - ssim) < 0.001)
            }
        }
    }

    @Test func damageIsToldOfItsClip() throws {
        let folder = try folder()
        _ = try folder.write(try folder.data("a.y4m").dropLast(2000), to: "cut.y4m")
        let text = try vfx("compare", "a.y4m", "cut.y4m", in: folder)
        #expect(text.status == 3, "\(text.standardError)")
        let warnings = text.errorLines.filter { $0.contains("warning") }
        #expect(!warnings.isEmpty && warnings.allSatisfy { $0.hasPrefix("vfx: warning: cut.y4m: ") }, "\(warnings)")
        let damage = try events(try vfx("compare", "a.y4m", "cut.y4m", "--json", in: folder).outputText)
            .filter { $0["type"] as? String == "damage" }
        #expect(!damage.isEmpty && damage.allSatisfy { $0["input"] as? String == "cut.y4m" })
    }

    @Test func aPageIsWrittenOnce() throws {
        let folder = try folder()
        let run = try vfx("compare", "a.y4m", "b.y4m", "-o", "report.html", in: folder)
        #expect(run.status == 0, "\(run.standardError)")
        #expect(run.errorLines.last?.hasPrefix("10 pairs, 0 equal; PSNR luma ") == true, "\(run.standardError)")
        #expect(String(decoding: try folder.data("report.html"), as: UTF8.self).hasPrefix("<!doctype html>"))
        #expect(try vfx("compare", "a.y4m", "b.y4m", "-o", "report.html", in: folder).status == 73)
        #expect(try vfx("compare", "a.y4m", "b.y4m", "-o", "report.html", "--overwrite", in: folder).status == 0)
    }

    @Test func slowMotionAndSizeAreTold() throws {
        let folder = try folder()
        #expect(try vfx("slomo", "a.y4m", "-o", "slow.mkv", "--codec", "ffv1", "--factor", "2", in: folder).status == 0)
        let run = try vfx("compare", "a.y4m", "slow.mkv", "--json", in: folder)
        let event = try #require(try events(run.outputText).first)
        #expect(event["stretch"] as? Int == 2 && event["pairs"] as? Int == 10 && event["equal"] as? Int == 10)
        #expect(event["only_after"] as? Int == 9)
        #expect(try vfx("upscale", "a.y4m", "-o", "large.y4m", "--scale", "2", in: folder).status == 0)
        let large = try vfx("compare", "a.y4m", "large.y4m", in: folder)
        #expect(large.status == 0)
        #expect(large.standardError.contains("sizes differ"))
    }

    @Test(arguments: [
        (["a.y4m", "none.y4m"], Int32(66), "none.y4m"), (["a.y4m", "b.y4m", "--stretch", "0"], 64, "1 to 1000"),
        (["a.y4m", "b.y4m", "-o", "a.y4m"], 73, "a.y4m"), (["a.y4m", "text.txt"], 65, "text.txt"),
        (["-", "-"], 64, "standard input"), (["a.y4m", "b.y4m", "-o", "none/report.html"], 73, "none"),
        (["a.y4m", "b.y4m", "-o", "-"], 64, "standard output"),
    ])
    func wrongUseIsTold(arguments: [String], status: Int32, says: String) throws {
        let folder = try folder()
        _ = try folder.write(Data("no video".utf8), to: "text.txt")
        let before = folder.contents
        let run = try vfx(["compare"] + arguments, in: folder)
        #expect(run.status == status, "\(run.standardError)")
        #expect(run.errorLines.count == 1 && run.standardError.contains(says), "\(run.standardError)")
        #expect(folder.contents == before)
    }
}
