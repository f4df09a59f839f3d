internal import ArgumentParser
internal import Jobs
internal import Pipeline

/// `vfx blur`: motion blur.
struct Blur: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add motion blur, as a longer exposure would.",
        discussion: """
            The exposure is centred on each frame. Its length is a shutter angle of
            strength x 3.6 degrees: 50 is the 180 degrees usual in film, and 100 exposes
            for the whole frame interval. Still areas, timestamps, audio and all other
            streams are kept unchanged.

            EXAMPLES
              vfx blur in.mp4 -o out.mp4
            A full 360 degrees, in linear light instead of code values:
              vfx blur in.mov -o out.mkv --strength 100 --linear-light
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var settings: SettingOptions<BlurStep>
    @OptionGroup var audio: AudioOptions

    func conversion() throws -> Conversion {
        try common.conversion([EffectStep(BlurStep(settings.values))], audio: audio.treatment)
    }
}
