import FrameCore
import FrameEffects
import Pipeline
import Testing

/// What a chain knows of its effects.
@Suite struct ChainFactTests {
    private static let options = ConversionOptions()

    private static func chain(_ effects: any ClipEffect...) throws -> EffectChain { try EffectChain(effects) }
    private static func effect(_ step: EffectStep) throws -> any ClipEffect { try step.effect(options) }

    @Test func times() throws {
        let double = try Self.effect(.slomo(phases: [Rational(1, 2)])), rate = try Self.effect(.rate(Rational(50, 1)))
        let uneven = try Self.effect(.slomo(phases: [Rational(1, 3)])),
            blur = try Self.effect(.blur(strength: 20, isLinearLight: false))
        let stretch = FrameRateConversionPass(plan: try StretchPlan(factor: Rational(5, 2)), options: Self.options)
        let smooth = try LowLatencyFrameInterpolationPass(depth: 2, options: Self.options)
        let rows: [(chain: EffectChain, stretch: Rational, isEven: Bool, rate: Rational?)] = [
            (try Self.chain(blur), Rational(1, 1), true, nil),
            (try Self.chain(double, blur, double), Rational(4, 1), true, nil),
            (try Self.chain(double, stretch), Rational(5, 1), true, nil),
            (try Self.chain(uneven), Rational(2, 1), false, nil),
            (try Self.chain(uneven, rate), Rational(2, 1), true, Rational(50, 1)),
            (try Self.chain(rate, uneven), Rational(2, 1), false, nil),
            (try Self.chain(rate, blur), Rational(1, 1), true, Rational(50, 1)),
            (try Self.chain(smooth), Rational(1, 1), true, nil),
            (try Self.chain(rate, smooth), Rational(1, 1), true, nil),
        ]
        for (chain, stretch, isEven, rate) in rows {
            #expect(chain.stretch == stretch, "\(chain.summary)")
            #expect(chain.hasEvenTimes == isEven, "\(chain.summary)")
            #expect(chain.sampledRate == rate, "\(chain.summary)")
            #expect(chain.isDivisible, "\(chain.summary)")
        }
        let slow = FrameRateConversionPass(plan: try SlowMotionPlan(factor: 256), options: Self.options)
        #expect(try EffectChain([slow, slow, slow, slow]).stretch == Rational(.max, 1))
    }

    @Test func cuts() throws {
        let live = try TemporalNoiseFilterPass(future: 0, options: Self.options)
        let denoise = try TemporalNoiseFilterPass(options: Self.options)
        let grain = try FilmGrainPass(strength: 4, options: Self.options)
        let upscale = LowLatencySuperResolutionScalerPass(target: .factor(Rational(2, 1)))
        let smooth = try LowLatencyFrameInterpolationPass(depth: 1, options: Self.options)
        #expect(try Self.chain(denoise).cuts == .lookingAhead)
        #expect(try Self.chain(live).cuts == .live)
        #expect(try Self.chain(live, grain).cuts == .live)
        #expect(try Self.chain(live, denoise).cuts == .lookingAhead)
        #expect(try Self.chain(upscale, live).cuts == .live)
        #expect(try Self.chain(upscale).cuts == CutSearch.none)
        #expect(try Self.chain(smooth, grain).cuts == CutSearch.none)
        #expect(try Self.chain(grain).cuts == .lookingAhead)
    }

    @Test func grainFromATableIsNotDivisible() throws {
        let table = FilmGrainPass(table: FilmGrainTable([]), options: Self.options)
        let denoise = try TemporalNoiseFilterPass(options: Self.options)
        #expect(try !Self.chain(table).isDivisible)
        #expect(try !Self.chain(denoise, table).isDivisible)
        #expect(try Self.chain(denoise, FilmGrainPass(strength: 4, options: Self.options)).isDivisible)
    }
}
