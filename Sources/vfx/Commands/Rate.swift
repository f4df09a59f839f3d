internal import ArgumentParser
internal import MediaIO
internal import Pipeline

/// `vfx rate`: another frame rate, the same duration.
struct Rate: ParsableCommand {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case copy, drop }

    static let configuration = CommandConfiguration(
        abstract: "Convert a video to another frame rate at the same speed.",
        discussion: """
            The source is sampled n/rate seconds after its first frame, whatever the times
            of its own frames are; a source frame that lies exactly there is kept as it is.
            D seconds become D*rate frames, rounded.

            EXAMPLES
              vfx rate in.mp4 -o out.mp4 --fps 60
              vfx rate in.mkv -o out.mkv --fps 24000/1001
            Means 60000/1001 exactly:
              vfx rate in.mov -o out.mp4 --fps 59.94
            """)

    @OptionGroup(title: "Input") var input: InputOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per second of the result, 1 to 1000: 60, 24000/1001, 23.976.", valueName: "rate"))
    var fps: String

    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(help: "Copy audio untouched, or leave it out.")
    var audio: Audio = .copy

    @OptionGroup(title: "Effect") var effect: EffectOptions
    @OptionGroup(title: "Reports") var report: ReportOptions

    func run() throws {
        let plan = try RateConversionPlan(rate: FrameRateValue.parse(fps, option: "--fps"))
        try ConversionJob(
            plan: plan, hasEvenTimes: true, retiming: .identity, audio: audio == .drop ? .drop : .carry, input: input,
            output: output, effect: effect, report: report
        ).run()
    }
}
