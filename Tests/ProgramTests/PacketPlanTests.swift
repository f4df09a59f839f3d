import Foundation
import TestSupport
import Testing

/// Plans that decode nothing, because packets tell the frames: the joined file must still be that of one machine.
@Suite(.enabled(if: hasTools, "ffmpeg makes the clips"))
struct PacketPlanTests {
    /// The first frames of scenes in 660 frames: some just before the places where workers begin to read and where
    /// segments begin, some at them and just after.
    private static let cuts = [0, 90, 175, 178, 232, 236, 243, 420, 470, 484, 660]
    private static let sources = [
        "testsrc2=s=64x48:r=20", "mandelbrot=s=64x48:r=20", "gradients=s=64x48:r=20:seed=3:speed=0.05",
        "testsrc=s=64x48:r=20,noise=alls=20:allf=t",
    ]

    private static let made: Result<(folder: TemporaryFolder, path: String), any Error> = Result {
        let folder = try TemporaryFolder(), path = folder.path("scenes.mkv")
        var inputs: [String] = [], graph = "", joined = ""
        for (index, (first, next)) in zip(cuts, cuts.dropFirst()).enumerated() {
            inputs += ["-f", "lavfi", "-i", sources[index % sources.count]]
            graph += "[\(index):v]trim=end_frame=\(next - first),format=yuv420p,setsar=1[v\(index)];"
            joined += "[v\(index)]"
        }
        graph += joined + "concat=n=\(cuts.count - 1):v=1:a=0"
        _ = try tool(
            "ffmpeg", ["-v", "error"] + inputs + ["-filter_complex", graph, "-c:v", "ffv1", path])
        return (folder, path)
    }

    private func clip(_ name: String, in folder: TemporaryFolder) throws -> String {
        let scenes = try Self.made.get().path, path = folder.path(name)
        let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "50"]
        let options: [String]
        switch name {
        case "open.mp4": options = h264.dropLast(2) + ["-x264-params", "open-gop=1:keyint=30"]
        case "hevc.mp4":
            let parameters = "log-level=error:open-gop=1:keyint=25:bframes=4"
            options = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", parameters]
        case "uneven.mp4": options = h264 + ["-vf", "select='not(eq(mod(n,23),3))'", "-vsync", "vfr"]
        default: options = h264
        }
        _ = try tool("ffmpeg", ["-v", "error", "-i", scenes] + options + [path])
        guard name == "edited.mp4" else { return path }
        let edited = folder.path("cut-" + name)
        _ = try tool("ffmpeg", ["-v", "error", "-ss", "0.73", "-i", path, "-c", "copy", edited])
        return edited
    }

    /// Runs a command on one machine and divided, and returns what the plan says and what the join says.
    private func divide(
        _ arguments: [String], planning: [String] = [], in folder: TemporaryFolder
    ) throws -> (plan: [String: Any], join: ProgramRun) {
        let whole = try vfx(arguments + ["-o", "whole.mkv", "--overwrite", "--quiet"], in: folder)
        #expect([0, 3].contains(whole.status), "\(whole.standardError)")
        let plan = try vfx(arguments + ["-o", "out.mkv", "--plan", "job", "--json"] + planning, in: folder)
        #expect(plan.status == 0, "\(plan.standardError)")
        let event = try #require(try events(plan.outputText).first { $0["type"] as? String == "plan" })
        for segment in (0..<(event["segments"] as? Int ?? 0)).reversed() {
            let run = try vfx("work", "job", "--segment", "\(segment)", "--quiet", in: folder)
            #expect(run.status == 0, "\(run.standardError)")
        }
        return (event, try vfx("join", "job", in: folder))
    }

    @Test(arguments: [
        ("plain.mp4", ["slomo", "--phases", "0.5"], false), ("plain.mkv", ["blur"], false),
        ("edited.mp4", ["denoise"], false), ("uneven.mp4", ["rate", "--fps", "30"], false),
        ("hevc.mp4", ["enhance", "--chain", "denoise=0.5,rate=10"], false), ("open.mp4", ["blur"], true),
    ])
    func theJoinedFileIsThatOfOneMachine(name: String, command: [String], isDecoded: Bool) throws {
        let folder = try TemporaryFolder(), input = try clip(name, in: folder)
        let arguments = [command[0], input, "--threads", "2", "--codec", "ffv1"] + command.dropFirst()
        let (plan, join) = try divide(arguments, in: folder)
        #expect(plan["decoded"] as? Bool == isDecoded && plan["segments_without_seeking"] as? Int == 0)
        #expect(join.status == 0, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    /// A packet that the decoder rejects is not seen by a plan that decodes nothing.
    @Test func lostFramesAreFoundByTheJoin() throws {
        let folder = try TemporaryFolder(), input = try clip("plain.mp4", in: folder)
        let listed = try tool(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", input])
        let fields = try #require(listed.split(separator: "\n").dropFirst(301).first).split(separator: ",")
        let (size, place) = (try #require(Int(fields[0])), try #require(Int(fields[1])))
        var data = try Data(contentsOf: URL(fileURLWithPath: input))
        data.replaceSubrange(place..<place + size, with: Data(count: size))
        try data.write(to: URL(fileURLWithPath: input))
        let arguments = ["blur", input, "--threads", "2", "--codec", "ffv1"]
        let (_, refused) = try divide(arguments, in: folder)
        #expect(
            refused.status == 65
                && refused.standardError.contains(
                    "the workers of segments 1 and 2 have read different frames before the second"),
            "\(refused.standardError)")
        #expect(refused.standardError.contains("plan the job again with --plan-by-decoding"))
        #expect(!folder.contents.contains("out.mkv"))
        try FileManager.default.removeItem(atPath: folder.path("job"))
        let (plan, join) = try divide(arguments, planning: ["--plan-by-decoding"], in: folder)
        #expect(plan["decoded"] as? Bool == true && join.status == 3, "\(join.standardError)")
        #expect(try LongClip.contents(folder.path("out.mkv")) == LongClip.contents(folder.path("whole.mkv")))
    }

    @Test func decodingForAPlanNeedsAPlan() throws {
        let folder = try TemporaryFolder()
        for words in [[], ["--estimate"]] {
            let run = try vfx(
                ["blur", try LongClip.path(), "-o", "out.mkv", "--plan-by-decoding"] + words, in: folder)
            #expect(run.status == 64 && run.standardError.contains("--plan-by-decoding applies to --plan"))
        }
    }
}
