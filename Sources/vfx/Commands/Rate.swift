internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Pipeline

/// `vfx rate`: another frame rate, the same duration.
struct Rate: ConversionCommand {
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

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per second of the result, 1 to 1000: 60, 24000/1001, 23.976.", valueName: "rate"))
    var fps: String

    @OptionGroup var audio: AudioOptions

    func work(_ options: ConversionOptions) throws(FrameError) -> ConversionWork {
        .interpolation(
            try RateConversionPlan(rate: OptionValue.frameRate(fps, option: "--fps")), retiming: .identity,
            audio: audio.treatment, options: cuts.applied(to: options))
    }
}
