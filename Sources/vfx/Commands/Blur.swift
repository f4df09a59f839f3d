internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Pipeline

/// `vfx blur`: motion blur.
struct Blur: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Blur what moves, as a longer exposure would.",
        discussion: """
            The exposure is centred on each frame and as long as the shutter angle says:
            strength x 3.6 degrees, so 50 is the 180 degrees of film and 100 exposes for a
            whole frame. What does not move stays as it is; times, sound and all else are
            kept.

            EXAMPLES
              vfx blur in.mp4 -o out.mp4
            A full 360 degrees, summed up as light and not as code values:
              vfx blur in.mov -o out.mkv --strength 100 --linear-light
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the exposure, a whole number from 1 to 100.", valueName: "number"))
    var strength = "50"

    @Flag(help: "Sum up in linear light.")
    var linearLight = false

    @OptionGroup var audio: AudioOptions

    func work(_ options: ConversionOptions) throws(FrameError) -> ConversionWork {
        let number = try OptionValue.whole(strength, option: "--strength", range: MotionBlurPass.strengthRange)
        let pass = try MotionBlurPass(strength: number, isLinearLight: linearLight, options: options)
        return ConversionWork(chain: EffectChain(pass), audio: audio.treatment)
    }
}
