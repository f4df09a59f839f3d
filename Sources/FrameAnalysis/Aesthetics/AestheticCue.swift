/// What the aesthetics score is made of: each cue is 0 (bad) … 1 (good).
package enum AestheticCue: String, Sendable, CaseIterable {
    case subjectSharpness, overallSharpness, stillness, exposure, contrast, colorfulness, noise, blockiness, composition

    /// The one table of weights; they add up to 1. Studies of editors' choices agree on the order alone: sharpness and
    /// texture first, then light, then color, composition last.
    ///
    /// | cue | weight | reason |
    /// |---|---|---|
    /// | subject sharpness | 0.24 | a soft subject cannot be mended and is the first thing seen; the background may be soft |
    /// | overall sharpness | 0.12 | something must be sharp; tells defocus from shallow depth |
    /// | stillness | 0.08 | one direction softer than the other is motion blur, which tells of a better neighbour |
    /// | exposure | 0.18 | middle light without clipped ends; what is clipped is lost |
    /// | contrast | 0.10 | a small picture needs it; fades and haze have little |
    /// | colorfulness | 0.08 | catches the eye, but black-and-white films must not lose for it |
    /// | noise | 0.08 | visible grain, which also passes for sharpness |
    /// | blockiness | 0.07 | block edges of coarse coding, which also pass for sharpness |
    /// | composition | 0.05 | one thing that stands out, inside the frame; the weakest evidence |
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

    /// How reports call it.
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

/// The cues of a frame, one number for each.
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
