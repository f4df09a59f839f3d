internal import ArgumentParser
internal import CommandLineCore
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

            EXAMPLES
            4 times slower:
              vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
            8 times slower, with seven evenly spaced phases:
              vfx slomo in.mov -o out.mkv --factor 8
            Through pipes:
              cat in.y4m | vfx slomo - -o - --phases 0.5 --format yuv4mpegpipe | ffplay -
            Measure speed only:
              vfx slomo in.mp4 -o /dev/null --format null --stats
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions
    @OptionGroup(title: "Effect") var repeats: RepeatOptions

    @OptionGroup var settings: SettingOptions<SlomoStep>

    @Option(help: "Stretch the audio at constant pitch, or drop it.")
    var audio: Audio = .stretch

    func conversion() throws -> Conversion {
        if let phases = settings["phases"] {
            _ = try OptionValue.phases(phases, maximumCount: SlowMotionPlan.maximumPhaseCount)
        }
        return try common.conversion(
            [EffectStep(SlomoStep(settings.values))], audio: audio == .drop ? .drop : .keep, cuts: cuts,
            repeats: repeats)
    }
}
