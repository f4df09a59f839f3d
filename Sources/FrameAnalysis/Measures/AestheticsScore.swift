/// A score for how good a frame looks, computed only from measures of that frame.
package struct AestheticsScore: Sendable, Hashable {
    /// The score, −1…1.
    package let overall: Float
    package let utility: UtilityKind?
    package let cues: AestheticCues
    /// By how much the score rises for each unit of the weighted sum of the cues.
    private let gain: Float

    /// The highest score that a utility frame can get.
    private static let utilityCeiling: Float = -0.5

    package init(overall: Float, utility: UtilityKind? = nil, cues: AestheticCues = AestheticCues()) {
        self.init(overall: overall, utility: utility, cues: cues, gain: 0)
    }

    private init(overall: Float, utility: UtilityKind?, cues: AestheticCues, gain: Float) {
        self.overall = overall
        self.utility = utility
        self.cues = cues
        self.gain = gain
    }

    /// Returns the score of a frame in which this fraction of the picture is moving and blurred: it is not still.
    func smeared(_ share: Float) -> AestheticsScore {
        var cues = cues
        cues[.stillness] *= 1 - ramp(share, 0.01, 0.06)
        let loss = gain * AestheticCue.stillness.weight * (self.cues[.stillness] - cues[.stillness])
        return AestheticsScore(overall: overall - loss, utility: utility, cues: cues, gain: gain)
    }

    init(_ picture: AnalysisPicture) {
        let light = picture.light, sharp = picture.sharpness
        var cues = AestheticCues()
        let weights = Self.tileWeights(picture)
        cues[.subjectSharpness] = ramp(sharp.weighted(weights), 0.08, 0.72)
        cues[.overallSharpness] = ramp(sharp.quantile(0.85), 0.1, 0.75)
        let (across, down) = (sharp.total(across: true), sharp.total(across: false))
        cues[.stillness] = ramp(min(across, down) / max(across, down, 0.05), 0.35, 0.9)
        let level = 0.5 * (light.mean + light.median)
        let middle = min(ramp(level, 0.02, 0.34), ramp(1 - level, 0.08, 0.36))
        let clipped = 1 - 0.6 * ramp(light.clippedBright, 0.01, 0.2) - 0.3 * ramp(light.clippedDark, 0.05, 0.5)
        cues[.exposure] = middle * clipped * ramp(light.p95, 0.1, 0.6)
        cues[.contrast] = ramp(light.p95 - light.p5, 0.05, 0.8)
        cues[.colorfulness] = ramp(light.colorfulness, 0, 60)
        cues[.noise] = 1 - ramp(picture.noise, 1.5, 14)
        cues[.blockiness] = 1 - ramp(picture.blockiness, 0.08, 0.9)
        cues[.composition] = Self.composition(picture.attention.attention)
        self.cues = cues
        utility = Self.utility(picture)
        // Without light, contrast or anything sharp, the other cues mean nothing.
        let gate =
            (0.25 + 0.75 * ramp(sharp.quantile(0.9), 0.04, 0.34)) * (0.2 + 0.8 * ramp(light.p95 - light.p5, 0.03, 0.3))
            * (0.2 + 0.8 * ramp(light.p95, 0.05, 0.3))
        // Grain, block edges and blown highlights spoil a frame however good it is otherwise, and the other cues
        // mistake them for sharpness and color.
        let flaws =
            (1 - 0.4 * ramp(picture.noise, 2.5, 14)) * (1 - 0.35 * ramp(picture.blockiness, 0.12, 0.8))
            * (1 - 0.6 * ramp(light.clippedBright, 0.03, 0.3))
        let score = 2 * gate * flaws * cues.weightedSum - 1
        gain = 2 * gate * flaws * (utility == nil ? 1 : (Self.utilityCeiling + 1) / 2)
        overall = utility == nil ? score : -1 + (score + 1) * (Self.utilityCeiling + 1) / 2
    }

    /// How much each tile of the sharpness map belongs to the subject.
    private static func tileWeights(_ picture: AnalysisPicture) -> [Float] {
        let (map, sharp) = (picture.attention.attention, picture.sharpness)
        var weights = [Float](repeating: 0, count: sharp.columns * sharp.rows)
        for row in 0..<sharp.rows {
            for column in 0..<sharp.columns {
                let x = min(
                    map.width - 1, (2 * column + 1) * SharpnessMap.tile * map.width / (2 * picture.detail.width))
                let y = min(
                    map.height - 1, (2 * row + 1) * SharpnessMap.tile * map.height / (2 * picture.detail.height))
                let heat = map[x, y]
                weights[row * sharp.columns + column] = 0.05 + heat * heat
            }
        }
        return weights
    }

    /// High when attention is concentrated in one region and little of it is at the border, 0…1.
    private static func composition(_ map: FloatPlane) -> Float {
        let total = map.values.reduce(0, +)
        guard total > 0 else { return 0 }
        let sorted = map.values.sorted(by: >)
        let hottest = sorted[..<(sorted.count / 5)].reduce(0, +) / total
        var border: Float = 0
        let edge = map.width / 16
        for y in 0..<map.height {
            for x in 0..<map.width
            where x < edge || y < edge || x >= map.width - edge || y >= map.height - edge {
                border += map[x, y]
            }
        }
        return 0.6 * ramp(hottest, 0.3, 0.7) + 0.4 * (1 - ramp(border / total, 0.06, 0.24))
    }

    private static func utility(_ picture: AnalysisPicture) -> UtilityKind? {
        let light = picture.light, texture = picture.texture
        let contrast = light.p99 - light.p1
        if light.p99 < 0.1 { return .black }
        if light.p1 > 0.85 { return .white }
        if contrast < 0.05 { return .blank }
        if texture.barness > 0.93, texture.flatShare > 0.5 { return .bars }
        if TestPattern.isShown(in: picture) { return .bars }
        if contrast < 0.1 { return .faded }
        let isDrawn = texture.flatShare > 0.5 || light.commonestShare > 0.55
        // On a page of text, everything that is not flat is lettering, which stands out from the background.
        let isLettered = texture.strokeShare > 0.42 * (1 - texture.flatShare) && texture.strokeShare > 0.02
        // The ground of a card may be a gradient, which has many tones but no texture.
        let isGround = texture.flatShare > 0.5 || texture.twoToneShare > 0.7
        if isLettered, texture.strokesOnGround > 0.5, isDrawn, isGround, contrast > 0.2 { return .text }
        return nil
    }
}

/// 0 up to `low`, 1 from `high`, linear in between.
func ramp(_ value: Float, _ low: Float, _ high: Float) -> Float {
    max(0, min(1, (value - low) / (high - low)))
}

/// The cues that make up the aesthetics score; each is 0 (bad) … 1 (good).
package enum AestheticCue: String, Sendable, CaseIterable {
    case subjectSharpness, overallSharpness, stillness, exposure, contrast, colorfulness, noise, blockiness, composition

    /// The weight of this cue in the score; the weights of all cues add up to 1. Studies of editors' choices agree only
    /// on the order: sharpness and texture first, then light, then color, and composition last.
    ///
    /// | cue | weight | reason |
    /// |---|---|---|
    /// | subject sharpness | 0.24 | a soft subject cannot be fixed and is seen first; the background may be soft |
    /// | overall sharpness | 0.12 | something must be sharp; distinguishes defocus from shallow depth of field |
    /// | stillness | 0.08 | one direction softer than the other is motion blur; a neighbouring frame is likely better |
    /// | exposure | 0.18 | mid-tones without clipping; clipped detail is lost |
    /// | contrast | 0.10 | a small image needs it; fades and haze have little |
    /// | colorfulness | 0.08 | catches the eye, but black-and-white films must not lose out |
    /// | noise | 0.08 | visible grain, which also passes for sharpness |
    /// | blockiness | 0.07 | block edges from coarse coding, which also pass for sharpness |
    /// | composition | 0.05 | one thing that stands out, away from the border; backed by the weakest evidence |
    package var weight: Float {
        switch self {
        case .subjectSharpness: 0.24
        case .overallSharpness: 0.12
        case .stillness: 0.08
        case .exposure: 0.18
        case .contrast: 0.10
        case .colorfulness: 0.08
        case .noise: 0.08
        case .blockiness: 0.07
        case .composition: 0.05
        }
    }

    /// The name of the cue in reports.
    package var title: String {
        switch self {
        case .subjectSharpness: "subject sharp"
        case .overallSharpness: "sharp"
        case .stillness: "no motion blur"
        case .exposure: "exposure"
        case .contrast: "contrast"
        case .colorfulness: "color"
        case .noise: "clean"
        case .blockiness: "no blocks"
        case .composition: "composition"
        }
    }
}

/// The value of every cue for one frame.
package struct AestheticCues: Sendable, Hashable {
    private var values: [Float]

    package init() { values = [Float](repeating: 0, count: AestheticCue.allCases.count) }

    package subscript(cue: AestheticCue) -> Float {
        get { values[Self.position(cue)] }
        set { values[Self.position(cue)] = max(0, min(1, newValue)) }
    }

    package var weightedSum: Float { AestheticCue.allCases.reduce(0) { $0 + $1.weight * self[$1] } }

    private static func position(_ cue: AestheticCue) -> Int { AestheticCue.allCases.firstIndex(of: cue) ?? 0 }
}
