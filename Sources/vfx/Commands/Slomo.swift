internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs
internal import Pipeline

/// `vfx slomo`: slow motion by interpolated frames.
struct Slomo: ConversionCommand {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case stretch, drop }

    static let configuration = CommandConfiguration(
        abstract: "Slow a video down by interpolating frames.",
        discussion: """
            Every source frame is kept unchanged. One new frame per phase is interpolated
            between each two neighbours, and time is stretched by the number of phases
            plus one: N frames become (N-1)*(phases+1)+1. With a fractional
            factor, the clip is sampled evenly: N frames become N*factor, rounded up.
            Frames that repeat the picture before them are replaced by interpolated ones.
            With --speed, speed changes along points of the clip, linearly in the time of
            the output, and audio, subtitles and chapters follow.

            EXAMPLES
            4 times slower:
              vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
            8 times slower, with seven evenly spaced phases:
              vfx slomo in.mov -o out.mkv --factor 8
            A speed ramp: down to a quarter, hold for 1.5 s of the clip, and back:
              vfx slomo in.mp4 -o out.mp4 --speed 0:1,2:0.25,3.5:0.25,4:1 --ease smooth
            Four times as fast, with motion blur, and a freeze of two seconds at the end:
              vfx slomo in.mp4 -o out.mp4 --speed 0:4,9:4,10:0@2 --blur auto
            Through pipes:
              cat in.y4m | vfx slomo - -o - --phases 0.5 --format yuv4mpegpipe | ffplay -
            Measure speed only:
              vfx slomo in.mp4 -o /dev/null --format null --stats
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions
    @OptionGroup(title: "Effect") var repeats: RepeatOptions
    @OptionGroup(title: "Effect") var loop: LoopOptions

    @OptionGroup var settings: SettingOptions<SlomoStep>

    @Option(
        help: ArgumentHelp(
            "Read the points of --speed from this file: separated by commas or lines; # begins a comment.",
            valueName: "file"))
    var speedFile: String?

    @Flag(help: "With --speed: do not make the video, but print the time of the input that each frame shows.")
    var printTimes = false

    @Option(help: "Stretch the audio at constant pitch, or drop it.")
    var audio: Audio = .stretch

    func conversion() throws -> Conversion {
        if let phases = settings["phases"] {
            _ = try OptionValue.phases(phases, maximumCount: SlowMotionPlan.maximumPhaseCount)
        }
        var values = settings.values
        if let speedFile {
            guard values["speed"] == nil else {
                throw FrameError(
                    .invalidArgument, "--speed and --speed-file are mutually exclusive; give only one of them")
            }
            values["speed"] = try SpeedFile.read(speedFile)
        }
        // Rounded rates such as 29.97 stand for exact ones on the command line.
        values["fps"] = try values["fps"].map { try OptionValue.frameRate($0, option: "--fps").description }
        guard !printTimes || values["speed"] != nil else {
            throw FrameError(.invalidArgument, "--print-times prints the times of a speed ramp; give --speed")
        }
        return try common.conversion(
            [EffectStep(SlomoStep(values))], audio: audio == .drop ? .drop : .keep, cuts: cuts,
            repeats: repeats, loop: loop)
    }

    var writesFiles: Bool { !common.preview.estimate && !common.preview.printJob && !printTimes }

    func convert() throws {
        guard printTimes else { return try runConversion() }
        try SpeedTimesJob(printsJSON: printsJSON, file: file).run {
            var job = try conversion()
            job.input.part = try common.preview.part(or: job.input.part)
            return job
        }
    }
}
