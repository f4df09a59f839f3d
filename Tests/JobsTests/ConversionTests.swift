import Foundation
import FrameCore
import FrameEffects
import Jobs
import Pipeline
import Testing

@Suite struct ConversionTests {
    /// A job in which nothing has its default.
    private static var everything: Conversion {
        get throws {
            var input = ConversionInput(
                "in_%03d.png",
                part: try ClipPart(start: .frame(30), end: .length(.time(MediaTime(value: 5, timescale: 2)))))
            input.frameRate = Rational(24000, 1001)
            input.startNumber = 7
            (input.allowsInterlaced, input.isStrict, input.ignoresDolbyVision) = (true, true, true)
            input.allowsNetwork = false
            var output = ConversionOutput("out.mkv")
            (output.format, output.codec, output.crf, output.preset) = ("matroska", .av1, 30.5, "8")
            (output.pixelFormat, output.encoderThreads, output.keepsStart) = ("yuv420p10le", 3, true)
            (output.audio, output.failsOnLoss) = (.drop, true)
            var job = Conversion(
                input: input, effects: [.denoise(.sigma(3), past: 1, future: 0), .slomo(factor: Rational(5, 2))],
                quality: .quality, output: output)
            (job.sharesMotion, job.atCut, job.longHolds) = (false, .blend, .interpolate)
            job.cuts = .frames([3, 250])
            job.extras.thumbnails = .init(folder: "best", count: 5)
            job.extras.storyboard = .init(folder: "board", interval: .frame(48))
            (job.extras.keepsGrain, job.extras.grainTable) = (true, "film.tbl")
            return job
        }
    }

    private static var plain: Conversion {
        Conversion(
            input: ConversionInput("in.mp4"), effects: [.blur(strength: 50, isLinearLight: false)],
            output: ConversionOutput("out.mkv"))
    }

    @Test func whatIsWrittenIsRead() throws {
        for var job in [try Self.everything, Self.plain] {
            for cuts in [ConversionCuts.found(threshold: 0.25), .file("cuts.txt"), .frames([]), job.cuts] {
                job.cuts = cuts
                #expect(try Conversion(json: Data(job.json.utf8)) == job)
            }
        }
    }

    /// A new property must be written, too.
    @Test func nothingOfAJobIsLeftOut() throws {
        func check(_ value: Any, _ standard: Any, _ place: String) {
            for (a, b) in zip(Mirror(reflecting: value).children, Mirror(reflecting: standard).children) {
                let name = place + "." + (a.label ?? "")
                if ["input", "output", "extras"].contains(a.label) {
                    check(a.value, b.value, name)
                } else {
                    #expect("\(a.value)" != "\(b.value)", "\(name) has its default in the test of what is written")
                }
            }
        }
        var standard = Self.plain
        standard.input = ConversionInput("")
        standard.output = ConversionOutput("")
        check(try Self.everything, standard, "job")
        let again = try Conversion(json: Data(Self.everything.json.utf8))
        #expect(again == (try Self.everything))
    }

    @Test func missingKeysHaveTheirDefaults() throws {
        let text = """
            {"version": 1, "input": {"file": "in.mp4"}, "output": {"file": "out.mkv"}, "effects": [{"effect": "blur"}]}
            """
        #expect(try Conversion(json: Data(text.utf8)) == Self.plain)
    }

    @Test(arguments: [
        ("{", "the job is invalid: it is not valid JSON"),
        ("{\"version\": 2}", "the job has version 2; this program reads version 1"),
        ("{\"version\": 1, \"input\": {}}", "the job is invalid: 'file' is missing at 'input'"),
        (
            "{\"version\": 1, \"speed\": 2}",
            "the job has the unknown key 'speed'; the known keys are at_cut, cuts, effects, extras, input, long_holds, output, own_motion, quality, version"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"path\": \"b\"}}",
            "'input' has the unknown key 'path'; the known keys are duration, file, fps, from, ignore_dolby_vision, interlaced, network, start_number, strict, to"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\", \"radius\": 3}]}",
            "the effect 'blur' has the unknown key 'radius'; the known keys are effect, linear_light, strength"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [], \"output\": {\"file\": \"b\"}}",
            "0 effects are not allowed in a job; it has 1 to 32"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"from\": {\"frame\": -3}}}",
            "a position is either a frame from 0 or a time"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\"}], \"output\": {\"file\": \"b\", \"crf\": 101}}",
            "crf 101.0 is not a number from 0 to 100"
        ),
    ])
    func badJobsAreRefused(text: String, message: String) {
        let error = #expect(throws: FrameError.self) { try Conversion(json: Data(text.utf8)) }
        #expect(error?.message == message)
    }

    /// Files may be moved; everything else belongs to the identity, by its key.
    @Test func identityNamesKeys() throws {
        let settings = try Self.plain.identifyingSettings()
        var moved = Self.plain
        (moved.input.file, moved.output.file, moved.input.allowsNetwork) = ("elsewhere.mp4", "there.mkv", false)
        moved.extras.thumbnails = .init(folder: "best")
        #expect(try moved.identifyingSettings().difference(from: settings) == nil)
        for (change, words) in [
            (
                { $0.effects = [.blur(strength: 51, isLinearLight: false)] },
                "effects[0].strength is \"51\" but was \"50\""
            ),
            ({ $0.output.crf = 20 }, "output.crf is \"20\" but was not set"),
            ({ $0.quality = .quality }, "quality is \"high\" but was \"normal\""),
            ({ $0.cuts = .frames([3, 9]) }, "cuts.frames is \"3 9\" but was not set"),
            (
                { $0.input.part = try? ClipPart(start: .frame(3), end: nil) },
                "input.from.frame is \"3\" but was not set"
            ),
            ({ $0.extras.keepsGrain = true }, "extras.keep_grain is \"true\" but was \"false\""),
        ] as [((inout Conversion) -> Void, String)] {
            var job = Self.plain
            change(&job)
            #expect(try job.identifyingSettings().difference(from: settings) == words)
        }
    }

    @Test func pathsAreMadeAbsolute() throws {
        var job = try Self.everything
        job.cuts = .file("cuts.txt")
        job.effects.append(.grain(.table(path: "g.tbl")))
        let absolute = job.withAbsolutePaths(in: "/work")
        #expect(absolute.input.file == "/work/in_%03d.png" && absolute.output.file == "/work/out.mkv")
        #expect(absolute.extras.thumbnails?.folder == "/work/best" && absolute.extras.grainTable == "/work/film.tbl")
        #expect(absolute.extras.storyboard?.folder == "/work/board" && absolute.cuts == .file("/work/cuts.txt"))
        #expect(absolute.effects.last == .grain(.table(path: "/work/g.tbl")))
        #expect(absolute.withAbsolutePaths(in: "/other") == absolute)
        var piped = Self.plain
        (piped.input.file, piped.output.file) = ("-", "rtmp://host/live")
        #expect(piped.withAbsolutePaths(in: "/work") == piped)
    }
}
