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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Positions of the new frames between two source frames: ascending numbers between 0 and 1. Default: 0.5.",
            valueName: "p,p,..."))
    var phases: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Slow down by this factor, with evenly spaced phases; a number such as 8, 1.5 or 5/2, above 1 and at most 256.",
            valueName: "number"))
    var factor: String?

    @Option(help: "Stretch the audio at constant pitch, or drop it.")
    var audio: Audio = .stretch

    func conversion() throws -> Conversion {
        try common.conversion([step()], audio: audio == .drop ? .drop : .keep, cuts: cuts)
    }

    private func step() throws(FrameError) -> EffectStep {
        switch (phases, factor) {
        case (let phases?, nil):
            return .slomo(
                phases: try OptionValue.phases(phases, maximumCount: SlowMotionPlan.maximumPhaseCount))
        case (nil, let factor?): return .slomo(factor: try Self.factor(factor))
        case (nil, nil): return .slomo(factor: Rational(2, 1))
        default:
            throw FrameError(.invalidArgument, "--phases and --factor are mutually exclusive; give only one of them")
        }
    }

    private static func factor(_ text: String) throws(FrameError) -> Rational {
        guard let factor = Rational(exactly: Substring(text)) else {
            throw FrameError(
                .invalidArgument,
                "factor '\(text)' is not a number above 1 and at most \(SlowMotionPlan.maximumPhaseCount + 1), such as 4, 1.5 or 5/2"
            )
        }
        return factor.reduced
    }
}
