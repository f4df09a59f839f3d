import Foundation
import TestSupport
import Testing

/// Areas of the source that effects keep, in whole files.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips and measures them")) struct MaskTests {
    private static let (width, height, count) = (128, 96, 12)

    /// Writes a ground that moves to the right, with the number of the frame on it as five black or white squares.
    private func clip(_ folder: TemporaryFolder, frames: Int = count) throws -> String {
        let number = "if(mod(floor(N/pow(2,floor((X-16)/8))),2),235,16)"
        let ground = "120+60*sin((X-5*N)/7)*cos(Y/9)+20*sin((X-5*N)/2.3+Y/3)"
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=gray:s=\(Self.width)x\(Self.height):r=12", "-vf",
                "format=yuv420p,geq=lum='if(between(X,16,55)*between(Y,10,17),\(number),\(ground))':cb=128:cr=128",
                "-frames:v", "\(frames)", "-c:v", "ffv1", folder.path("in.mkv"),
            ])
        return folder.path("in.mkv")
    }

    /// Writes an image, or a video of such images: white where an expression of ffmpeg's `geq` is not 0.
    private func mask(
        _ white: String, _ name: String, in folder: TemporaryFolder, size: String? = nil, frames: Int = 1,
        options: [String] = []
    ) throws {
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=black:s=\(size ?? "\(Self.width)x\(Self.height)"):r=12",
                "-vf",
                "format=gray,geq=lum='255*(\(white))'", "-frames:v", "\(frames)",
            ] + options + [folder.path(name)])
    }

    private func frames(_ path: String) throws -> [[UInt8]] {
        let folder = try TemporaryFolder(), raw = folder.path("out.raw")
        _ = try tool("ffmpeg", ["-v", "error", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", raw])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))), size = Self.width * Self.height
        return stride(from: 0, to: bytes.count - size + 1, by: size).map { Array(bytes[$0..<($0 + size)]) }
    }

    private func make(_ arguments: [String], _ output: String, in folder: TemporaryFolder) throws -> [[UInt8]] {
        let run = try vfx(arguments + ["-o", output, "--codec", "ffv1", "--overwrite"], in: folder)
        #expect(run.status == 0, "\(arguments): \(run.standardError)")
        return try frames(folder.path(output))
    }

    private static let display = "between(X,16,55)*between(Y,10,17)"

    /// Returns the samples of the number on a frame.
    private func number(_ frame: [UInt8]) -> [UInt8] {
        (10...17).flatMap { y in (16...55).map { frame[y * Self.width + $0] } }
    }

    @Test(arguments: [
        ["slomo", "--factor", "4"], ["rate", "--fps", "48"], ["smooth", "--depth", "2"],
        ["enhance", "--chain", "slomo=x4"], ["slomo", "--factor", "4", "--quality", "high"],
    ])
    func aNumberStaysSharp(command: [String]) throws {
        let folder = try TemporaryFolder(), source = try frames(clip(folder))
        try mask(Self.display, "mask.png", in: folder)
        let plain = try make(command + ["in.mkv"], "plain.mkv", in: folder)
        for areas in [["--mask", "mask.png"], ["--hold-rect", "16,10,40,8"]] {
            let kept = try make(command + ["in.mkv"] + areas, "kept.mkv", in: folder)
            try #require(kept.count == plain.count && kept.count > 4 * (Self.count - 1))
            for (index, frame) in kept.enumerated() {
                let nearest = min(index / 4 + (index % 4 > 2 ? 1 : 0), Self.count - 1)
                #expect(number(frame) == number(source[nearest]), "\(command) \(areas) \(index)")
                for place in frame.indices where !((16...55) ~= place % Self.width && (10...17) ~= place / Self.width) {
                    guard frame[place] != plain[index][place] else { continue }
                    Issue.record("\(command) \(areas) frame \(index) differs at \(place)")
                    break
                }
            }
        }
    }

    @Test(arguments: ["mask.png", "mask.pgm", "mask.tif", "mask.jpg", "mask.webp", "mask.mkv", "mask.bmp"])
    func everyKindOfImageIsRead(name: String) throws {
        let folder = try TemporaryFolder(), source = try frames(clip(folder))
        try mask("1", name, in: folder)
        let white = try make(["blur", "in.mkv", "--strength", "100", "--mask", name], "white.mkv", in: folder)
        #expect(white == source, "\(name)")
        try mask("0", name, in: folder, options: ["-y"])
        let black = try make(["blur", "in.mkv", "--strength", "100", "--mask", name], "black.mkv", in: folder)
        #expect(black == (try make(["blur", "in.mkv", "--strength", "100"], "plain.mkv", in: folder)), "\(name)")
    }

    @Test func theMaskAndTheRectanglesAreJoined() throws {
        let folder = try TemporaryFolder(), source = try frames(clip(folder))
        try mask("lt(X,64)", "mask.png", in: folder)
        let areas = ["--mask", "mask.png", "--hold-rect", "64,0,64,40", "--hold-rect", "64,40,64,56"]
        #expect(try make(["denoise", "in.mkv", "--sigma", "9"] + areas, "out.mkv", in: folder) == source)
    }

    /// Each frame has its own mask, in numbered images and in videos, also in a part and in a loop.
    @Test func aMaskForEachFrame() throws {
        let folder = try TemporaryFolder()
        _ = try clip(folder)
        let moving = "lt(mod(X-8*N\\,128)\\,40)"
        try mask(moving, "mask_%02d.png", in: folder, frames: Self.count)
        try mask(moving, "mask.mkv", in: folder, frames: Self.count, options: ["-c:v", "ffv1"])
        let slomo = ["slomo", "in.mkv", "--factor", "3"]
        let whole = try make(slomo + ["--mask", "mask_%02d.png"], "images.mkv", in: folder)
        #expect(whole == (try make(slomo + ["--mask", "mask.mkv", "--threads", "1"], "video.mkv", in: folder)))
        #expect(whole != (try make(slomo, "plain.mkv", in: folder)))
        let source = try frames(folder.path("in.mkv"))
        for index in 0..<3 * Self.count - 2 {
            let nearest = (index + 1) / 3
            for place in whole[index].indices where ((place % 128 - 8 * nearest) % 128 + 128) % 128 < 40 {
                guard whole[index][place] != source[nearest][place] else { continue }
                Issue.record("frame \(index) has another sample at \(place)")
                break
            }
        }
        let rest = try make(slomo + ["--mask", "mask.mkv", "--from", "5f"], "part.mkv", in: folder)
        #expect(rest == Array(whole[15...]))
        let looped = try make(slomo + ["--mask", "mask.mkv", "--loop"], "loop.mkv", in: folder)
        #expect(looped.count == 3 * Self.count)
    }

    /// The masks of segments are those of the whole clip. What a mask holds decides whether it is the same job, not its name.
    @Test func aDividedJobHasTheSameMasks() throws {
        let folder = try TemporaryFolder(), count = 620, moving = "lt(mod(X-8*N\\,128)\\,40)"
        _ = try tool(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(Self.width)x\(Self.height):r=12", "-frames:v",
                "\(count)", "-c:v", "ffv1", folder.path("in.mkv"),
            ])
        try mask(moving, "mask.mkv", in: folder, frames: count, options: ["-c:v", "ffv1"])
        try mask("0", "black.mkv", in: folder, frames: count, options: ["-c:v", "ffv1"])
        let slomo = ["slomo", "in.mkv", "--mask", "mask.mkv"]
        let whole = try make(slomo, "whole.mkv", in: folder)
        let plan = try vfx(slomo + ["-o", "out.mkv", "--codec", "ffv1", "--plan", "job"], in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        let (mask, other) = (folder.path("mask.mkv"), folder.path("other.mkv"))
        try FileManager.default.moveItem(atPath: mask, toPath: other)
        try FileManager.default.copyItem(atPath: folder.path("black.mkv"), toPath: mask)
        let changed = try vfx("work", "job", "--segment", "0", in: folder)
        #expect(changed.status == 64 && changed.standardError.contains("effects[0].mask"), "\(changed.standardError)")
        try FileManager.default.removeItem(atPath: mask)
        try FileManager.default.moveItem(atPath: other, toPath: mask)
        for arguments in [
            ["work", "job", "--segment", "2"], ["work", "job", "--task", "0", "--tasks", "1"], ["join", "job"],
        ] {
            let run = try vfx(arguments, in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        #expect(try frames(folder.path("out.mkv")) == whole)
    }

    // MARK: - Errors

    private func expectFailure(
        _ arguments: [String], _ parts: String..., in folder: TemporaryFolder
    ) throws {
        let before = folder.contents
        let run = try vfx(arguments + ["-o", "out.mkv"], in: folder)
        #expect(run.status > 3 && run.errorLines.count == 1, "\(run.standardError)")
        for part in parts { #expect(run.standardError.contains(part), "\(run.standardError)") }
        #expect(folder.contents == before, "\(folder.contents)")
    }

    @Test func whatDoesNotFitIsNamed() throws {
        let folder = try TemporaryFolder(), slomo = ["slomo", "in.mkv"]
        _ = try clip(folder)
        try mask("1", "wide.png", in: folder, size: "130x96")
        try mask("1", "short_%d.png", in: folder, frames: 5)
        _ = try folder.write(Data("no picture".utf8), to: "text.png")
        try expectFailure(
            slomo + ["--mask", "wide.png"], "wide.png: the mask has 130x96 pixels, but the frames have 128x96",
            in: folder)
        try expectFailure(slomo + ["--mask", "short_%d.png"], "short_%d.png: the mask has only 5 frames", in: folder)
        try expectFailure(slomo + ["--mask", "text.png"], "text.png", in: folder)
        try expectFailure(slomo + ["--mask", "none.png"], "none.png: there is no such file", in: folder)
        try expectFailure(slomo + ["--mask", "-"], "--mask '-' is not the name", in: folder)
        try expectFailure(
            slomo + ["--hold-rect", "100,0,40,8"], "100,0,40,8", "beyond the picture of 128x96 pixels", in: folder)
        try expectFailure(slomo + ["--hold-rect", "1,2,3"], "--hold-rect '1,2,3' is not a rectangle", in: folder)
        try expectFailure(
            ["rate", "in.mkv", "--fps", "source", "--hold-rect", "0,0,8,8"], "makes no frames", in: folder)
        try expectFailure(
            ["enhance", "in.mkv", "--upscale", "2", "--hold-rect", "0,0,8,8"], "none of these is in the chain",
            in: folder)
        try expectFailure(
            ["upscale", "in.mkv", "--scale", "2", "--mask", "wide.png"], "unknown option '--mask'", in: folder)
    }

    /// A mask is as the file stores frames; one as players show them is explained.
    @Test func aTurnedMaskIsExplained() throws {
        let folder = try TemporaryFolder()
        _ = try clip(folder)
        _ = try tool(
            "ffmpeg", ["-v", "error", "-i", folder.path("in.mkv"), "-c:v", "libx264", folder.path("plain.mp4")])
        try turnForDisplay(folder.path("plain.mp4"), to: folder.path("turned.mp4"))
        try mask("1", "shown.png", in: folder, size: "96x128")
        try expectFailure(
            ["slomo", "turned.mp4", "--mask", "shown.png"], "masks are as the file stores frames", in: folder)
    }
}
