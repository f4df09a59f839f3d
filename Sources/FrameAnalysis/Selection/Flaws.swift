/// What is wrong with what a frame shows, although it may be sharp and well lit.
///
/// The limits and weights were set on the clips of `Tests/Measurements/FrameAnalysis/labels.txt`, November 2026.
extension Candidate.Objections {
    /// Whether a part moves and is blurred, as a hand that waves.
    package var isSmeared: Bool { smear > 0.03 }
    /// Whether something that is not usually at the border is cut off by it.
    package var isCutByEdge: Bool { edgeCut > 0.06 }
    /// Whether there is little to see, compared with other frames.
    package var isEmpty: Bool { contents < 0.62 }
    /// Whether a frame without flaws should be taken instead if there is one.
    package var isFlawed: Bool { isSmeared || isCutByEdge || isEmpty }

    /// The deduction from the rank for the flaws.
    package var flawPenalty: Float {
        // In a clip that shakes or is out of focus, most frames exceed the first limit, and the second tells them apart.
        let smeared = 0.3 * ramp(smear, 0.015, 0.075) + 0.15 * ramp(smear, 0.075, 0.3)
        // A small part of a side weighs much already, since a head is small.
        let cut = 0.45 * ramp(edgeCut, 0.02, 0.5).squareRoot()
        return smeared + cut + 0.4 * (1 - ramp(contents, 0.4, 0.75))
    }

    /// The flaws in words.
    var flaws: [String] {
        var words: [String] = []
        if isSmeared { words.append("a moving part is blurred") }
        if isCutByEdge { words.append("something is cut by the edge") }
        if isEmpty { words.append("little to see") }
        return words
    }
}
