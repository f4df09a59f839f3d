package import FrameCore

extension EffectChain {
  /// The factor by which the clip becomes longer.
  package var stretch: Rational {
    effects.reduce(Rational(1, 1)) { product, effect in
      let plan = (effect as? FrameRateConversionPass)?.plan
      let factor =
        (plan as? SlowMotionPlan).map { Rational(Int32($0.stretch), 1) }
        ?? (plan as? StretchPlan)?.factor
      return factor.flatMap { product.multiplied(by: $0) } ?? product
    }
  }

  /// Whether a source with evenly spaced frames results in an output with evenly spaced frames.
  package var hasEvenTimes: Bool {
    effects.reduce(true) { isEven, effect in
      let plan = (effect as? FrameRateConversionPass)?.plan
      if plan is RateConversionPlan { return true }
      return isEven && ((plan as? SlowMotionPlan)?.isEven ?? true)
    }
  }

  /// How cuts are to be found for these effects.
  package var cuts: CutSearch {
    if isImmediate { return .none }
    let first = effects.first as? TemporalNoiseFilterPass
    return first?.future == 0 && effects.dropFirst().allSatisfy { $0 is FilmGrainPass }
      ? .live : .lookingAhead
  }

  /// Whether parts of the job can be made on their own.
  package var isDivisible: Bool {
    !effects.contains { ($0 as? FilmGrainPass)?.countsFrames ?? false }
  }
}
