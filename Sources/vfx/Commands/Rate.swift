internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs
internal import Pipeline

/// `vfx rate`: another frame rate, the same duration.
struct Rate: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert a video to another frame rate at the same speed.",
        discussion: """
            The source is sampled n/rate seconds after its first frame, regardless of the
            times of its frames. A source frame at exactly that time is kept unchanged;
            all other frames are interpolated. D seconds become D*rate frames, rounded.

            EXAMPLES
              vfx rate in.mp4 -o out.mp4 --fps 60
              vfx rate in.mkv -o out.mkv --fps 24000/1001
            Exactly 60000/1001:
              vfx rate in.mov -o out.mp4 --fps 59.94
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames per second of the output, 1 to 1000, e.g. 60, 24000/1001 or 23.976.", valueName: "rate"))
    var fps: String

    @OptionGroup var audio: AudioOptions

    func conversion() throws -> Conversion {
        try common.conversion(
            [.rate(OptionValue.frameRate(fps, option: "--fps"))], audio: audio.treatment, cuts: cuts)
    }
}
