internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import Pipeline
internal import Storyboards

/// `vfx enhance`: several effects in one pass.
struct Enhance: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run several effects in one pass, and make thumbnails of the result.",
        discussion: """
            The video is read once and passes from effect to effect without intermediate
            files. --denoise, --upscale, --slomo and --blur run in this order, regardless
            of their order on the command line; --chain and --recipe allow any other
            order. Cuts are detected once, on the input, and no effect mixes frames across
            one. If slomo stretches time, audio and subtitles are stretched as well.

            Effects in a chain, separated by commas: denoise=auto, denoise=0.5,
            denoise=auto:deblock=off, denoise=sigma=12, denoise=sigma=12/0.5, upscale=2,
            upscale=1920x1080, slomo=0.25/0.5/0.75, slomo=x4 (the same), rate=60, blur=30,
            grain=4, grain=film.tbl.

            EXAMPLES
              vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5
            With thumbnails and a storyboard of the result:
              vfx enhance in.mov -o out.mp4 --blur 30 --thumbnails best/ --storyboard b/
            In another order:
              vfx enhance in.mp4 -o out.mkv --chain slomo=0.25/0.5/0.75,denoise=auto
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions
    @OptionGroup(title: "Effect") var repeats: RepeatOptions
    @OptionGroup(title: "Effect") var kept: KeptAreaOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Reduce noise: the part to remove, from 0 (none) to 1 (all), or auto.", valueName: "strength"))
    var denoise: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Scale factor or displayed size, e.g. 2, 1.5, 4/3 or 1920x1080.", valueName: "size"))
    var upscale: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Positions of the new frames between two source frames: ascending numbers between 0 and 1, n of which make the clip n+1 times longer; or x4 for four times slower.",
            valueName: "p,p,..."))
    var slomo: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Motion blur: length of the exposure, 1 to 100.", valueName: "strength"))
    var blur: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Effects in the order in which they run.", valueName: "effect=value,..."))
    var chain: String?

    @Option(help: ArgumentHelp("File that lists the effects, as written by --print-recipe.", valueName: "file"))
    var recipe: String?

    @Flag(help: "Let each effect estimate its own motion; gives the same frames as separate commands.")
    var ownMotion = false

    @Flag(help: "Print the effects as a recipe (JSON) and exit.")
    var printRecipe = false

    @Option(
        help: ArgumentHelp("Folder for the best frames of the result, as with vfx thumbnails.", valueName: "folder"))
    var thumbnails: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of frames to pick, 1 to 100. Default: 3.", valueName: "number"))
    var thumbnailCount: String?

    @Option(help: ArgumentHelp("Folder for a storyboard of the result, as with vfx storyboard.", valueName: "folder"))
    var storyboard: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time between its tiles, in whole milliseconds, or a number of frames such as 48f. Default: 10.",
            valueName: "time"))
    var storyboardInterval: String?

    @OptionGroup var audio: AudioOptions

    func convert() throws {
        guard printRecipe else { return try runConversion() }
        let text = try during(.options) {
            let recipe = try effects()
            return try EffectRecipe(
                recipe.steps, cutThreshold: common.cutList.threshold() ?? recipe.cuts.threshold, atCut: recipe.atCut,
                longHolds: recipe.longHolds, sharesMotion: recipe.sharesMotion
            ).json
        }
        guard Console.writeOut(text) else { throw JobFailure("the recipe cannot be written", .writeFailed) }
    }

    var extraFolders: [WritableKeyPath<Enhance, String?>] { [\.thumbnails, \.storyboard] }

    func conversion() throws -> Conversion {
        let recipe = try effects()
        var job = try common.conversion(recipe.steps, audio: audio.treatment, repeats: repeats)
        job.atCut = recipe.atCut ?? job.atCut
        job.longHolds = recipe.longHolds ?? job.longHolds
        job.sharesMotion = recipe.sharesMotion
        if common.cutList.isDefault { job.cuts = .found(threshold: recipe.cuts.threshold) }
        job.extras = try extras()
        return job
    }

    var reportsEffects: Bool { true }
    var adviceOnStills: String? {
        "this is a single image, and the effects need neighbouring frames; give a video or numbered images such as in_%05d.png, or enlarge it with vfx upscale"
    }

    /// The effects, with the options that apply to all of them.
    private func effects() throws -> EffectRecipe {
        var recipe = try chosenEffects()
        recipe.atCut = cuts.atCut ?? recipe.atCut
        recipe.longHolds = cuts.longHolds ?? recipe.longHolds
        if ownMotion { recipe.sharesMotion = false }
        let areas = try kept.areas()
        guard !areas.isEmpty else { return recipe }
        guard recipe.steps.contains(where: \.canKeepAreas) else {
            throw FrameError(
                .invalidArgument,
                "--mask and --hold-rect apply to slomo, rate, smooth, blur and denoise; none of these is in the chain")
        }
        return try EffectRecipe(
            recipe.steps.map { $0.keeping(areas) }, cutThreshold: recipe.cuts.threshold, atCut: recipe.atCut,
            longHolds: recipe.longHolds, sharesMotion: recipe.sharesMotion)
    }

    private func chosenEffects() throws -> EffectRecipe {
        let flags = [denoise, upscale, slomo, blur].contains { $0 != nil }
        guard [flags, chain != nil, recipe != nil].count(where: { $0 }) <= 1 else {
            throw FrameError(
                .invalidArgument,
                "--recipe, --chain and the effects' own options (--denoise, --upscale, --slomo, --blur) are mutually exclusive; use only one kind"
            )
        }
        if let chain { return try EffectRecipe(StepText.steps(chain)) }
        if let recipe { return try Self.read(recipe) }
        guard flags else {
            throw FrameError(
                .invalidArgument,
                "no effect is given; use --denoise, --upscale, --slomo or --blur, or --chain, or --recipe")
        }
        var steps: [EffectStep] = []
        if let denoise { steps.append(.denoise(try StepText.noise(denoise))) }
        if let upscale { steps.append(try StepText.step("upscale=\(upscale)")) }
        if let slomo {
            let most = SlowMotionPlan.maximumPhaseCount
            steps.append(
                .slomo(phases: try StepText.evenPhases(slomo) ?? OptionValue.phases(slomo, maximumCount: most)))
        }
        if let blur {
            let range = MotionBlurPass.strengthRange
            steps.append(
                .blur(strength: try OptionValue.whole(blur, option: "--blur", range: range), isLinearLight: false))
        }
        return try EffectRecipe(steps)
    }

    private static func read(_ path: String) throws -> EffectRecipe {
        let location = FrameError.Location(file: path)
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: EffectRecipe.maximumBytes + 1)
        else { throw FrameError(.input, "the recipe cannot be read", at: location) }
        do {
            return try EffectRecipe(json: data)
        } catch var error as FrameError {
            error.location = location
            throw error
        }
    }

    private func extras() throws(FrameError) -> ConversionExtras {
        var extras = ConversionExtras()
        if thumbnailCount != nil, thumbnails == nil {
            throw FrameError(.invalidArgument, "--thumbnail-count requires --thumbnails")
        }
        if storyboardInterval != nil, storyboard == nil {
            throw FrameError(.invalidArgument, "--storyboard-interval requires --storyboard")
        }
        if let thumbnails {
            extras.thumbnails = .init(folder: thumbnails)
            if let thumbnailCount {
                extras.thumbnails?.count = try OptionValue.whole(
                    thumbnailCount, option: "--thumbnail-count", range: 1...100)
            }
        }
        if let storyboard {
            extras.storyboard = .init(folder: storyboard)
            if let storyboardInterval {
                extras.storyboard?.interval = try OptionValue.position(
                    storyboardInterval, option: "--storyboard-interval")
            }
        }
        return extras
    }
}
