/// Parameters of a blend of two scenes. The values were chosen on the `tune` half of
/// `Tests/Measurements/FrameAnalysis/transitions.py`, 2026-11-25.
private enum BlendParameters {
    /// Share of the earlier frame in a blend, in 1/256; near the ends a blend is one frame with a little noise.
    static let share = 38...218
    /// Largest residual of a blend that shows.
    static let residual: Float = 0.15
    /// Minimum distance of the frame from the nearer of the two, in 8-bit levels. Slow changes of a scene stay below.
    static let distance: Float = 10.4
}

/// A frame reduced to about 32 cells along its longer side, in which small motion hardly shows.
package struct BlendGrid: Sendable {
    /// Luma, then chroma with twice the weight, in 1/4 of an 8-bit level.
    let values: [Int16]
    /// The number of values that are luma.
    let lumaCount: Int

    package init(_ signature: FrameSignature) {
        var values = signature.coarse.values
        lumaCount = values.count
        if let chroma = signature.chroma {
            for plane in [chroma.u, chroma.v] {
                values += plane.reduced(by: coarseFactor / 2).values.map { 2 * ($0 - 512) }
            }
        }
        self.values = values
    }

    /// Sum of the products of the values of two grids of the same size.
    func product(_ other: BlendGrid) -> Int {
        values.withUnsafeBufferPointer { a in
            other.values.withUnsafeBufferPointer { b in
                var sum = 0
                for index in 0..<min(a.count, b.count) { sum &+= Int(Int32(a[index]) &* Int32(b[index])) }
                return sum
            }
        }
    }
}

/// Evidence that a frame shows two scenes over one another, however long it does.
///
/// In a dissolve, also one that stops halfway, a frame is a weighted mean of one before and one after it, far from both.
/// Motion rarely makes such a mean: what moves is in three places in three frames.
package struct SceneBlend: Sendable, Hashable {
    /// Squared distance of the frame from the nearest weighted mean of an earlier and a later frame, as a fraction of
    /// its squared distance from the nearer of the two: 0 in a blend, 1 or nearly if it is none.
    package private(set) var residual: Float = 1
    /// ``residual`` among the pairs from which the frame clearly differs.
    package private(set) var visibleResidual: Float = 1

    /// No evidence.
    package init() {}

    /// Compares a frame with each pair of an earlier and a later frame.
    package init(_ middle: BlendGrid, before: [BlendGrid], after: [BlendGrid]) {
        let size = middle.values.count
        let (before, after) = (before.filter { $0.values.count == size }, after.filter { $0.values.count == size })
        let square = middle.product(middle)
        let later = after.map { (grid: $0, square: $0.product($0), withMiddle: $0.product(middle)) }
        let visible = 16 * BlendParameters.distance * BlendParameters.distance * Float(middle.lumaCount)
        for a in before {
            let (squareA, middleA) = (a.product(a), a.product(middle))
            let distanceA = square + squareA - 2 * middleA
            for (b, squareB, middleB) in later {
                let distanceB = square + squareB - 2 * middleB
                let near = min(distanceA, distanceB)
                let both = a.product(b)
                let apart = squareA + squareB - 2 * both
                guard near > 0, apart > 0 else { continue }
                let along = middleA - middleB - both + squareB
                let part = 256 * along / apart
                guard BlendParameters.share.contains(part) else { continue }
                let off = max(0, 65536 * distanceB - 512 * part * along + part * part * apart)
                let found = Float(off) / (65536 * Float(near))
                residual = min(residual, found)
                if Float(near) > visible { visibleResidual = min(visibleResidual, found) }
            }
        }
    }

    /// Whether the frame shows two scenes.
    package var isVisible: Bool { visibleResidual < BlendParameters.residual }
}
