internal import ArgumentParser
internal import CommandLineCore
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
            Frames that repeat the picture before them are left out first, so that 24
            pictures/s in 30 frames/s, drawings on twos and lost frames move evenly.

            EXAMPLES
              vfx rate in.mp4 -o out.mp4 --fps 60
              vfx rate in.mkv -o out.mkv --fps 24000/1001
            Exactly 60000/1001:
              vfx rate in.mov -o out.mp4 --fps 59.94
            The pictures themselves, such as 24 of film in 30 or 60 frames/s:
              vfx rate in.mp4 -o out.mp4 --fps source
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions
    @OptionGroup(title: "Effect") var repeats: RepeatOptions
    @OptionGroup(title: "Effect") var loop: LoopOptions

    @OptionGroup var settings: SettingOptions<RateStep>
    @OptionGroup var audio: AudioOptions

    func conversion() throws -> Conversion {
        var values = settings.values
        // Rounded rates such as 29.97 stand for exact ones on the command line.
        values["fps"] = try values["fps"].map {
            $0 == "source" ? $0 : try OptionValue.frameRate($0, option: "--fps").description
        }
        return try common.conversion(
            [EffectStep(RateStep(values))], audio: audio.treatment, cuts: cuts, repeats: repeats, loop: loop)
    }
}
