/// How a picture was compressed; it chooses the weights of the network that cleans compressed pictures.
package struct RestorationCondition: Sendable, Hashable {
    /// How strongly the picture was compressed, in 1/512: from 0, not at all, to 512 (see ``DegradationCondition/coding``).
    package let coding: Int
    /// Whether the codec filters the edges of its blocks, as H.264, HEVC, VP9 and AV1 do, and JPEG and MPEG-2 do not.
    package let isLoopFiltered: Bool

    /// - Parameters:
    ///   - coding: how strongly the picture was compressed, limited to 0…512.
    ///   - isLoopFiltered: whether the codec filters the edges of its blocks.
    package init(coding: Int, isLoopFiltered: Bool) {
        self.coding = min(max(coding, 0), 512)
        self.isLoopFiltered = isLoopFiltered
    }

    /// - Parameters:
    ///   - step: the mean step with which the lowest frequencies of luma were quantized, in 8-bit code values of an
    ///     orthonormal transform.
    ///   - isLoopFiltered: whether the codec filters the edges of its blocks.
    package init(step: Double, isLoopFiltered: Bool) {
        self.init(coding: DegradationCondition.coding(ofStep: step), isLoopFiltered: isLoopFiltered)
    }

    /// Steps below this are not relied on if only the picture shows them: what has never been compressed has to stay as it
    /// is, and some sources of video and drawn patterns show small ones.
    private static let leastShown = 6.0

    /// Returns the step to rely on: the one that a file states, or a coarse one that its picture shows.
    ///
    /// What was compressed more than once may show a far coarser step than the latest codec's.
    package static func step(stated: Double?, shown: Double?) -> Double? {
        let shown = shown.flatMap { $0 >= max(leastShown, 3 * (stated ?? 0)) ? $0 : nil }
        return shown ?? stated
    }

    /// Whether there is something to clean.
    package var isCompressed: Bool { coding > 0 }

    /// The weights of the planes of weights, in 1/256.
    var planeWeights: [Int] {
        // One plane has its full weight at medium compression, and another at the strongest; two more are for filtered edges.
        let coding = [min(coding, 512 - coding), max(0, coding - 256)]
        return [256] + coding + (isLoopFiltered ? [256] + coding : [0, 0, 0])
    }
}
