internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import Pipeline

/// `vfx denoise`: temporal noise reduction.
struct Denoise: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reduce the noise of a video with the help of neighbouring frames.",
        discussion: """
            Each frame is compared with the frames before and after it along their motion,
            never across a cut. The noise is measured, by brightness, frequency and plane,
            unless --sigma or --noise-model states it. --strength 0.5 leaves half of its
            amplitude. Where strong compression shows, blocking and ringing are reduced,
            too. Timestamps, audio and all other streams are kept unchanged.

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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Part of the noise to remove, from 0 (no change) to 1 or auto (all of it). Default: auto.",
            valueName: "number"))
    var strength: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Noise level of white noise, if known: standard deviation in 8-bit code values, 0 to 255.",
            valueName: "number"))
    var sigma: String?

    @Option(
        help: ArgumentHelp(
            "Noise that vfx info --write-noise has measured, in this clip or in another one of the same camera.",
            valueName: "file"))
    var noiseModel: String?

    @Option(
        help:
            "Reduce blocking and ringing where the video was compressed strongly. Default: auto, and off with --sigma."
    )
    var deblock: Deblocking?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of earlier frames to use, 0 to 3 (at high quality 0 to 8). Default: the maximum.",
            valueName: "number"))
    var past: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of later frames to use, 0 to 3 (at high quality 0 to 8). Default: the maximum.",
            valueName: "number"))
    var future: String?

    @OptionGroup(title: "Grain") var grain: GrainOptions
    @OptionGroup var audio: AudioOptions

    var extraFiles: [WritableKeyPath<Denoise, String?>] { [\.grain.grainTable] }

    func conversion() throws -> Conversion {
        let quality = common.effect.quality.prioritization
        let (past, future) = (
            try references(past, "--past", quality), try references(future, "--future", quality)
        )
        if past == 0, future == 0 {
            throw FrameError(
                .invalidArgument,
                "--past 0 and --future 0 leave nothing to compare a frame with; at least one of them must be above 0")
        }
        var effects = [EffectStep.denoise(try noise(), deblocking: deblock, past: past, future: future)]
        if let added = try grain.added() { effects.append(.grain(added)) }
        var job = try common.conversion(effects, audio: audio.treatment)
        job.extras.keepsGrain = grain.isKept
        job.extras.grainTable = grain.grainTable
        return job
    }

    var adviceOnStills: String? {
        "this is a single image without neighbours to compare it with; give a video or numbered images such as in_%05d.png, or use a spatial filter"
    }

    private func noise() throws(FrameError) -> NoiseLevel {
        let part: Float? =
            switch strength {
            case nil, "auto": nil
            case let strength?:
                try OptionValue.decimal(strength, option: "--strength", range: 0...1, words: "'auto' or ")
            }
        if let noiseModel {
            guard sigma == nil else {
                throw FrameError(
                    .invalidArgument, "--sigma and --noise-model are mutually exclusive; give only one of them")
            }
            return .model(try NoiseModelFile.read(noiseModel), strength: part ?? 1)
        }
        guard let sigma else { return part.map { .strength($0) } ?? .automatic }
        return .sigma(try OptionValue.decimal(sigma, option: "--sigma", range: 0...255), strength: part ?? 1)
    }

    private func references(
        _ text: String?, _ option: String, _ quality: QualityPrioritization
    ) throws(FrameError) -> Int? {
        guard let text else { return nil }
        let most = TemporalNoiseFilterConfiguration.maximumReferenceCount(quality)
        let higher = TemporalNoiseFilterConfiguration.maximumReferenceCount(.quality)
        return try OptionValue.whole(
            text, option: option, range: 0...most, context: most < higher ? " (\(higher) with --quality high)" : "")
    }
}
