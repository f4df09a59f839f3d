internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import Pipeline

/// `vfx denoise`: temporal noise reduction.
struct Denoise: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reduce the noise of a video using neighbouring frames.",
        discussion: """
            Each frame is compared with the frames before and after it along their motion,
            never across a cut. The noise is measured, by brightness, frequency and plane,
            unless --sigma or --noise-model states it. --strength 0.5 leaves half of its
            amplitude. Blocking and ringing of strong compression are reduced as well.
            Timestamps, audio and all other streams are kept unchanged.

            EXAMPLES
              vfx denoise in.mp4 -o out.mp4
            Half as strong, at the best quality however long it takes:
              vfx denoise in.mov -o out.mkv --strength 0.5 --quality high
            Without looking ahead:
              vfx denoise in.mkv -o out.mkv --sigma 12 --future 0
            With the film grain stored for players to add, which makes the file small:
              vfx denoise in.mkv -o out.mkv --codec av1 --grain keep
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var settings: SettingOptions<DenoiseStep>

    @OptionGroup(title: "Grain") var grain: GrainOptions
    @OptionGroup var audio: AudioOptions

    var extraFiles: [WritableKeyPath<Denoise, String?>] { [\.grain.grainTable] }

    func conversion() throws -> Conversion {
        var values = settings.values
        try checkReferences(values)
        // The option names a file, the setting is its text.
        if let file = values["model"], values["sigma"] == nil { values["model"] = try NoiseModelFile.read(file).text }
        var effects = [EffectStep(try DenoiseStep(values))]
        if let added = try grain.added() { effects.append(.grain(added)) }
        var job = try common.conversion(effects, audio: audio.treatment)
        job.extras.keepsGrain = grain.isKept
        job.extras.grainTable = grain.grainTable
        return job
    }

    var adviceOnStills: String? {
        "this is a single image without neighbours to compare it with; give a video or numbered images such as in_%05d.png, or use a spatial filter"
    }

    /// - Throws: `FrameError` if more frames are to be used than the quality allows.
    private func checkReferences(_ values: SettingValues) throws(FrameError) {
        let most = TemporalNoiseFilterConfiguration.maximumReferenceCount(common.effect.quality.prioritization)
        let higher = TemporalNoiseFilterConfiguration.maximumReferenceCount(.quality)
        for key in ["past", "future"] {
            guard let text = values[key] else { continue }
            _ = try OptionValue.whole(
                text, option: values.name(of: key), range: 0...most,
                context: most < higher ? " (\(higher) with --quality high)" : "")
        }
    }
}
