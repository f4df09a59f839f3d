import FrameCore
import Foundation
import Pipeline
import Testing

@Suite struct RecipeTests {
    private static let all: [EffectStep] = [
        .deinterlace(.bottomFirst, rate: .frame),
        .denoise(.automatic), .denoise(.strength(0.3)), .denoise(.sigma(12.5)), .denoise(.sigma(12, strength: 0.25)),
        .denoise(.automatic, deblocking: .off), .denoise(.sigma(3), deblocking: .automatic),
        .upscale(.factor(Rational(4, 3))),
        .upscale(.size(width: 1920, height: 1080)), .upscale(.factor(Rational(2, 1)), deblocking: .off),
        .slomo(phases: [Rational(1, 4), Rational(2, 3)]),
        .rate(Rational(24000, 1001)), .blur(strength: 30, isLinearLight: false),
        .blur(strength: 100, isLinearLight: true), .grain(.strength(4.5)),
        .denoise(.automatic, past: 2, future: 0), .denoise(.automatic, past: 8),
        .upscale(.factor(Rational(2, 1)), inputType: .video),
        .upscale(.factor(Rational(2, 1)), isLowLatency: true), .slomo(factor: Rational(3, 2)), .smooth(depth: 3),
        .smooth(depth: 1, scale: 2), EffectStep(FlowStep()),
        EffectStep(FlowStep(output: .arrows, direction: .previous, maximum: 8.5, hasLegend: false, range: .full)),
    ]

    @Test func whatIsWrittenIsRead() throws {
        let recipe = try EffectRecipe(Self.all)
        let text = try recipe.json
        #expect(try EffectRecipe(json: Data(text.utf8)) == recipe)
        #expect(text.hasSuffix("}\n") && text.contains("\"version\" : 1") && !text.contains("cut_threshold"))
        let strict = try EffectRecipe([.rate(Rational(60, 1))], cutThreshold: 0.7)
        #expect(try EffectRecipe(json: Data(strict.json.utf8)) == strict)
        #expect(strict.cuts.threshold == 0.7 && recipe.cuts == .lookingAhead)
        let old = try EffectRecipe([.rate(Rational(60, 1))], longHolds: .interpolate)
        #expect(try EffectRecipe(json: Data(old.json.utf8)) == old && old.longHolds == .interpolate)
        #expect(recipe.longHolds == nil && !text.contains("long_holds"))
    }

    /// What applies to all effects is a part of the recipe, too, and of the chain that it makes.
    @Test(arguments: [CutTreatment.blend, nil], [true, false])
    func settingsOfTheChainAreKept(atCut: CutTreatment?, sharesMotion: Bool) throws {
        let steps = [EffectStep.slomo(phases: [Rational(1, 2)]), .rate(Rational(60, 1))]
        let recipe = try EffectRecipe(steps, atCut: atCut, sharesMotion: sharesMotion)
        let text = try recipe.json, again = try EffectRecipe(json: Data(text.utf8))
        #expect(again == recipe && again.atCut == atCut && again.sharesMotion == sharesMotion)
        #expect(text.contains("\"at_cut\" : \"blend\"") == (atCut != nil))
        #expect(text.contains("\"own_motion\" : true") == !sharesMotion)
        let chain = try again.chain(ConversionOptions())
        #expect(chain.sharesMotion == sharesMotion)
        #expect(chain.summary.contains("blend at cuts") == (atCut == .blend))
        #expect(chain.summary.contains("each by its own motion") == !sharesMotion)
        // Without a treatment of its own, the recipe leaves it to the options.
        let other = try EffectRecipe(steps).chain(ConversionOptions(atCut: .blend))
        #expect(other.summary.contains("blend at cuts"))
    }

    @Test(arguments: [
        ("deinterlace", EffectStep.deinterlace()), ("deinterlace=tff", .deinterlace(.topFirst)),
        ("deinterlace=auto:frame", .deinterlace(rate: .frame)), (" deinterlace=bff:field ", .deinterlace(.bottomFirst)),
    ])
    func deinterlacingIsReadAsItStands(text: String, step: EffectStep) throws {
        #expect(try StepText.steps(text) == [step])
        let recipe = try EffectRecipe(StepText.steps(text + ",slomo=x2"))
        #expect(try EffectRecipe(json: Data(recipe.json.utf8)) == recipe)
    }

    @Test(arguments: [
        "deinterlace=", "deinterlace=up", "deinterlace=tff:", "deinterlace=tff:frames", "deinterlace=off",
    ])
    func otherFieldsAreRefused(text: String) {
        #expect(throws: FrameError.self) { try StepText.steps(text) }
    }

    /// Other effects would process rows of two times together.
    @Test func deinterlacingComesFirst() throws {
        for steps in [[EffectStep.denoise(.automatic), .deinterlace()], [.deinterlace(), .deinterlace()]] {
            let error = #expect(throws: FrameError.self) { try EffectRecipe(steps) }
            #expect(
                error?.message
                    == "'deinterlace' is effect 2 of the chain; it must be the first, because other effects need progressive frames"
            )
        }
    }

    @Test func chainsAreReadAsTheyStand() throws {
        let steps = try StepText.steps(
            "denoise=auto:deblock=off,denoise=sigma=9/0.5:deblock=auto,denoise=auto,slomo=0.25/0.5/0.75,upscale=2,denoise,denoise=sigma=12,denoise=sigma=9/0.5,denoise=0.5,upscale=1920x1080,upscale=2:deblock=off,upscale=64x64:deblock=auto,rate=60,blur=30"
        )
        #expect(
            steps == [
                .denoise(.automatic, deblocking: .off), .denoise(.sigma(9, strength: 0.5), deblocking: .automatic),
                .denoise(.automatic), .slomo(phases: [Rational(1, 4), Rational(1, 2), Rational(3, 4)]),
                .upscale(.factor(Rational(2, 1))), .denoise(.automatic), .denoise(.sigma(12)),
                .denoise(.sigma(9, strength: 0.5)), .denoise(.strength(0.5)),
                .upscale(.size(width: 1920, height: 1080)), .upscale(.factor(Rational(2, 1)), deblocking: .off),
                .upscale(.size(width: 64, height: 64)), .rate(Rational(60, 1)),
                .blur(strength: 30, isLinearLight: false),
            ])
    }

    @Test(arguments: [
        ("", "a chain needs at least one effect"),
        (
            "denoise,",
            "'' is not an effect; the effects are deinterlace, denoise, upscale, slomo, rate, blur, grain, smooth, flow"
        ),
        (
            "sharpen=2",
            "'sharpen' is not an effect; the effects are deinterlace, denoise, upscale, slomo, rate, blur, grain, smooth, flow"
        ),
        ("slomo", "'slomo' needs a value, as in slomo=0.5"),
        ("denoise=sigma=/0.5", "sigma '' is not a number"),
        ("denoise=sigma=9/", "denoise strength '' is not a number"),
        ("denoise=much", "denoise strength 'much' is not a number"),
        ("denoise=auto:deblock=on", "deblock 'on' is not allowed; it is auto or off"),
        ("upscale=2:deblock=maybe", "deblock 'maybe' is not allowed; it is auto or off"),
        ("denoise=2", "strength 2.0 is not allowed; it must be a number from 0 to 1"),
        ("upscale=17", "upscale '17' is not a number of 1 to 16, such as 2, 1.5 or 4/3"),
        ("upscale=9x9", "upscale '9x9' is not a size such as 1920x1080 with sides of 16 to 8192 pixels"),
        ("slomo=0.5/0.25", "phase 1/4 comes after phase 1/2; phases must ascend"),
        ("slomo=0.5/x", "phase 'x' is not a number such as 0.25 (at most 9 decimal places)"),
        ("blur=0", "strength 0 is not allowed; it is a whole number from 1 to 100"),
        ("grain", "'grain' needs a value, as in grain=4"),
        ("grain=40", "the grain strength 40.0 is not allowed; it is a number from 0 to 32"),
        ("grain=missing.tbl", "the grain table cannot be read"),
        ("rate=5000", "5000 frames per second are not allowed; the rate is 1 to 1000"),
    ])
    func badChainsAreRefused(text: String, message: String) {
        let error = #expect(throws: FrameError.self) { try EffectRecipe(StepText.steps(text)) }
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("nonsense", "the recipe is invalid: it is not valid JSON"),
        ("{}", "the recipe is invalid: 'version' is missing at the top level"),
        ("{\"version\": 2, \"effects\": []}", "the recipe has version 2; this program reads version 1"),
        ("{\"version\": 1}", "the recipe is invalid: 'effects' is missing at the top level"),
        ("{\"version\": 1, \"effects\": []}", "0 effects are not allowed in a chain; it has 1 to 32"),
        (
            "{\"version\": 1, \"effects\": [], \"speed\": 3}",
            "the recipe has the unknown key 'speed'; the known keys are at_cut, cut_threshold, effects, long_holds, own_motion, version"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"glow\"}]}",
            "'glow' is not an effect; the effects are deinterlace, denoise, upscale, slomo, rate, blur, grain, smooth, flow"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"blur\", \"strength\": 3, \"power\": 1}]}",
            "the effect 'blur' has the unknown key 'power'; the known keys are effect, hold_rects, linear_light, mask, strength"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"blur\", \"strength\": 3.5}]}",
            "strength '3.5' is not a whole number from 1 to 100"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"denoise\", \"strength\": 1.5, \"sigma\": 3}]}",
            "strength '1.5' is not 'auto' or a number from 0 to 1"
        ),
        (
            "{\"version\": 1, \"cut_threshold\": 1.5, \"effects\": [{\"effect\": \"denoise\"}]}",
            "a cut threshold of 1.5 is not allowed; it must be from 0 to 1"
        ),
        (
            "{\"version\": 1, \"at_cut\": \"jump\", \"effects\": [{\"effect\": \"denoise\"}]}",
            "the recipe is invalid: 'at_cut' is not allowed"
        ),
        (
            "{\"version\": 1, \"own_motion\": 1, \"effects\": [{\"effect\": \"denoise\"}]}",
            "the recipe is invalid: 'own_motion' has the wrong type"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"upscale\"}]}",
            "no output size is given; use scale or size, such as scale 2 or size 1920x1080"
        ),
        (
            "{\"version\": 1, \"effects\": [{\"effect\": \"slomo\", \"phases\": []}]}",
            "0 phases were given; 1 to 255 are allowed"
        ),
    ])
    func badRecipesAreRefused(text: String, message: String) {
        let error = #expect(throws: FrameError.self) { try EffectRecipe(json: Data(text.utf8)) }
        #expect(error?.message == message)
    }

    @Test func numbersMayBeNumbersOrWords() throws {
        let text = """
            {"version": 1, "effects": [{"effect": "upscale", "scale": 1.5}, {"effect": "upscale", "scale": "2"},
            {"effect": "slomo", "phases": [0.25, "1/3"]}, {"effect": "rate", "fps": 60},
            {"effect": "denoise"}]}
            """
        #expect(
            try EffectRecipe(json: Data(text.utf8)).steps == [
                .upscale(.factor(Rational(3, 2))), .upscale(.factor(Rational(2, 1))),
                .slomo(phases: [Rational(1, 4), Rational(1, 3)]), .rate(Rational(60, 1)), .denoise(.automatic),
            ])
    }

    @Test func sizesAreBounded() throws {
        #expect(throws: FrameError.self) { try EffectRecipe(json: Data(count: EffectRecipe.maximumBytes + 1)) }
        let many = Array(repeating: EffectStep.denoise(.automatic), count: 33)
        #expect(throws: FrameError.self) { try EffectRecipe(many) }
        let slow = EffectStep.slomo(phases: (1..<100).map { Rational($0, 100) })
        #expect(try EffectRecipe([slow]).stretch == Rational(100, 1))
        let error = #expect(throws: FrameError.self) { try EffectRecipe([slow, slow]) }
        #expect(error?.message.contains("more than 4096 times longer") == true)
    }

    /// A chain may make more frames than there are numbers.
    @Test func countsThatDoNotFitAreUnknown() throws {
        let steps = Array(repeating: EffectStep.smooth(depth: 4), count: 20)
        var source = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
        source.frameCount = 750
        let made = try EffectRecipe(steps).chain(ConversionOptions()).outputStream(for: source)
        #expect(made.frameCount == nil)
    }

    @Test func evenTimesAreKnown() throws {
        func isEven(_ steps: EffectStep...) throws -> Bool {
            try EffectRecipe(steps).chain(ConversionOptions()).hasEvenTimes
        }
        let third = EffectStep.slomo(phases: [Rational(1, 3)]), fifty = EffectStep.rate(Rational(50, 1))
        #expect(try isEven(.denoise(.automatic), .slomo(phases: [Rational(1, 2)])))
        #expect(try !isEven(third, .denoise(.automatic)) && isEven(third, fifty) && !isEven(fifty, third))
    }
}
