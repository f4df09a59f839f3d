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
            (input.isStrict, input.ignoresDolbyVision, input.loops) = (true, true, true)
            (input.fields, input.fieldRate) = (.bottomFirst, .frame)
            (input.cadence, input.repeats) = (.off, .drop)
            input.allowsNetwork = false
            var output = ConversionOutput("out.mkv")
            (output.format, output.codec, output.crf, output.preset) = ("matroska", .av1, 30.5, "8")
            (output.pixelFormat, output.encoderThreads, output.keepsStart) = ("yuv420p10le", 3, true)
            (output.audio, output.failsOnLoss) = (.drop, true)
            var job = Conversion(
                input: input,
                effects: [
                    .denoise(.sigma(3), past: 1, future: 0),
                    .slomo(factor: Rational(5, 2)).keeping(
                        KeptAreas(
                            mask: "mask_%d.png",
                            rectangles: [try KeptRectangle("20,10,200,80"), try KeptRectangle("0,0,8,8")])),
                ],
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

    /// Jobs of earlier versions say whether interlaced frames are processed as they are.
    @Test(arguments: [
        ("\"interlaced\": true", FieldHandling.off), ("\"interlaced\": false", .auto),
        ("\"fields\": \"tff\"", .topFirst),
        ("\"fields\": \"bff\", \"field_rate\": \"field\"", .bottomFirst), ("\"fields\": \"off\"", .off),
    ])
    func fieldsAreRead(keys: String, fields: FieldHandling) throws {
        let text = """
            {"version": 1, "input": {"file": "in.ts", \(keys)}, "output": {"file": "out.mkv"}, "effects": [{"effect": "blur"}]}
            """
        let job = try Conversion(json: Data(text.utf8))
        #expect(job.input.fields == fields)
        #expect(job.input.fieldRate == (fields == .bottomFirst ? .field : nil))
        #expect(try Conversion(json: Data(job.json.utf8)) == job)
    }

    /// The effect has the settings that the input would repeat.
    @Test func fieldsAreSaidOnce() throws {
        var job = Self.plain
        job.effects = [.deinterlace(.topFirst), .denoise(.automatic)]
        _ = try job.checkedChain(.serial)
        job.input.fieldRate = .frame
        let error = #expect(throws: FrameError.self) { try job.checkedChain(.serial) }
        #expect(error?.message.contains("leave out --fields") == true)
        job = Self.plain
        job.effects = [.denoise(.automatic), .deinterlace()]
        let order = #expect(throws: FrameError.self) { try job.checkedChain(.serial) }
        #expect(order?.message.contains("must be the first") == true)
    }

    @Test(arguments: [
        ("{", "the job is invalid: it is not valid JSON"),
        ("{\"version\": 2, \"new\": 1}", "the job has version 2; this program reads version 1"),
        ("{\"version\": 1, \"input\": {}}", "the job is invalid: 'file' is missing at 'input'"),
        (
            "{\"version\": 1, \"speed\": 2}",
            "the job has the unknown key 'speed'; the known keys are at_cut, cuts, effects, extras, input, long_holds, output, own_motion, quality, version"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"path\": \"b\"}}",
            "'input' has the unknown key 'path'; the known keys are cadence, duration, field_rate, fields, file, fps, from, ignore_dolby_vision, interlaced, loop, network, repeats, start_number, strict, to"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\", \"radius\": 3}]}",
            "the effect 'blur' has the unknown key 'radius'; the known keys are effect, hold_rects, linear_light, mask, strength"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [], \"output\": {\"file\": \"b\"}}",
            "0 effects are not allowed in a job; it has 1 to 32"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"from\": {\"frame\": -3}}}",
            "a position is either a frame from 0 to 2147483647 or a time of 0 or later"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"from\": {\"time\": {\"value\": -9223372036854775808, \"timescale\": 1}}}}",
            "a position is either a frame from 0 to 2147483647 or a time of 0 or later"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"from\": {\"frames\": 3}}}",
            "a position has the unknown key 'frames'; the known keys are frame, time"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\"}], \"output\": {\"file\": \"b\"}, \"cuts\": {\"frames\": [-9223372036854775808]}}",
            "'cuts' takes frames from 0 to 2147483647"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\"}], \"output\": {\"file\": \"b\"}, \"quality\": \"best\"}",
            "quality 'best' is not allowed; it is normal or high"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\", \"fields\": \"up\"}}",
            "fields 'up' is not allowed; it is auto or tff or bff or off"
        ),
        (
            "{\"version\": 1, \"input\": {\"file\": \"a\"}, \"effects\": [{\"effect\": \"blur\"}], \"output\": {\"file\": \"b\"}, \"extras\": {\"thumbnails\": {\"folder\": \"f\", \"number\": 3}}}",
            "'thumbnails' has the unknown key 'number'; the known keys are count, folder"
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

    /// The contents of a grain table count, not where it lies, and long texts do not fill a message.
    @Test func identityHoldsWhatFilesContain() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["a.tbl", "b.tbl"].map { folder.appendingPathComponent($0) }
        for file in files { try Data("filmgrn1\n".utf8).write(to: file) }
        var jobs = files.map { file in
            var job = Self.plain
            job.effects = [.grain(.table(path: file.path))]
            return job
        }
        #expect(try jobs[0].identifyingSettings().difference(from: jobs[1].identifyingSettings()) == nil)
        let before = try jobs[0].identifyingSettings()
        try Data("filmgrn1\nE 0 1 1 1 1\n".utf8).write(to: files[0])
        let difference = try jobs[0].identifyingSettings().difference(from: before)
        #expect(difference?.hasPrefix("effects[0].table is \"contents ") == true)
        jobs[0].cuts = .frames(Array(0..<1000))
        let long = try jobs[0].identifyingSettings().first { $0.name == "cuts.frames" }
        #expect((long?.value?.utf8.count ?? 1000) < 100)
    }

    /// The contents of all images of a mask count.
    @Test func identityHoldsWhatMasksContain() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["a1.png", "a2.png", "b1.png", "b2.png"] {
            try Data("image \(name.last ?? " ")\(name.dropFirst().prefix(1))".utf8).write(
                to: folder.appendingPathComponent(name))
        }
        let jobs = ["a%d.png", "b%d.png"].map { name in
            var job = Self.plain
            job.effects[0] = job.effects[0].keeping(KeptAreas(mask: folder.appendingPathComponent(name).path))
            return job
        }
        let before = try jobs[0].identifyingSettings()
        #expect(try jobs[1].identifyingSettings().difference(from: before) == nil)
        try Data("another".utf8).write(to: folder.appendingPathComponent("a2.png"))
        let difference = try jobs[0].identifyingSettings().difference(from: before)
        #expect(difference?.hasPrefix("effects[0].mask is \"contents ") == true)
    }

    /// Equal jobs have equal JSON.
    @Test func equalTimesHaveEqualIdentities() throws {
        var (a, b) = (Self.plain, Self.plain)
        a.input.part = try ClipPart(start: .time(MediaTime(value: 4, timescale: 2)), end: nil)
        b.input.part = try ClipPart(start: .time(MediaTime(value: 2, timescale: 1)), end: nil)
        (a.cuts, b.cuts) = (.frames([9, 5, 9]), .frames([5, 9]))
        #expect(try a.identifyingSettings().difference(from: b.identifyingSettings()) == nil)
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
