/// Parameters of duplicates. Differences are in 8-bit levels.
///
/// A reference is the change that a new frame usually brings (see ``FrameChange/typical(_:)``). Values without a source
/// were adjusted by hand on the joined scenes of `Tests/Measurements/SceneCuts`, 2026-11-21.
private enum DuplicateParameters {
    /// Mean sample difference below which two frames are alike except for rounding. Chosen by hand, November 2026.
    static let identicalSamples: Float = 0.04
    /// Largest cell difference below which two frames are alike except for rounding.
    static let identicalCells: Float = 1.25
    /// Largest mean sample difference of a duplicate. Chosen by hand, November 2026.
    static let samples: Float = 1.5
    /// Largest mean sample difference of a duplicate, as a share of the reference.
    static let samplesShare: Float = 0.5
    /// Cell difference that is always allowed in a duplicate.
    static let freeCells: Float = 1.25
    /// Largest cell difference of a duplicate.
    static let cells: Float = 20
    /// Largest cell difference of a duplicate, as a share of the reference.
    static let cellsShare: Float = 0.35
    /// Largest cell difference of a duplicate without any mean sample difference.
    static let cellsAtZero: Float = 6
    /// What each level of mean sample difference adds to ``cellsAtZero``, since coding noise is everywhere.
    static let cellsPerSample: Float = 80
    /// Patch difference that is always allowed in a duplicate.
    static let freePatches: Float = 0.5
    /// Largest patch difference of a duplicate.
    static let patches: Float = 6
    /// Largest patch difference of a duplicate, as a share of the reference's cell difference.
    static let patchesShare: Float = 0.2
    /// Minimum number of neighbours for the reference to be the third largest change instead of the second largest.
    static let manyNeighbours = 8
}

/// The measurements of two neighbouring frames, made when the second one arrives.
struct PairMeasurement: Sendable {
    let match: PairMatch
    let change: FrameChange
    /// Sharpness along x and along y, of the sharper frame, in 1/64 of an 8-bit level.
    let sharpness: (x: Float, y: Float)
    /// Difference of mean luma, in 8-bit levels.
    let lightChange: Float
    /// Contrast of the frame with less contrast, in 8-bit levels.
    let spread: Float
    /// Whether the pair is known to be a cut or to lead into or out of a flash.
    var isBreak = false

    init(
        match: PairMatch, change: FrameChange, sharpness: (x: Float, y: Float), lightChange: Float, spread: Float,
        isBreak: Bool
    ) {
        (self.match, self.change, self.sharpness) = (match, change, sharpness)
        (self.lightChange, self.spread, self.isBreak) = (lightChange, spread, isBreak)
    }

    init(_ a: FrameSignature, _ b: FrameSignature) {
        match = PairMatch(a, b)
        change = FrameChange(a, b)
        lightChange = Float(abs(a.statistics.mean - b.statistics.mean)) / 4
        spread = Float(min(a.statistics.spread, b.statistics.spread)) / 4
        sharpness = (
            Float(max(a.statistics.gradientX, b.statistics.gradientX)),
            Float(max(a.statistics.gradientY, b.statistics.gradientY))
        )
    }
}

/// The difference of two frames without motion compensation, fine enough to distinguish a duplicate from a small
/// motion.
struct FrameChange: Sendable {
    /// Mean absolute difference of single luma samples, in 8-bit levels.
    var sampleMean: Float = 0
    /// Largest absolute difference of cell means, luma or chroma, in 8-bit levels.
    var cellMaximum: Float = 0

    /// Largest change of the mean of 3×3 luma cells, in 8-bit levels. Coding noise cancels out in it, a small motion
    /// does not.
    var patchMaximum: Float = 0

    init() {}

    init(_ a: FrameSignature, _ b: FrameSignature) {
        guard a.fineLuma.count == b.fineLuma.count, a.samples.count == b.samples.count else {
            (sampleMean, cellMaximum) = (255, 255)
            return
        }
        var (sum, largest): (Int, Int32) = (0, 0)
        for (p, q) in zip(a.samples, b.samples) { sum &+= abs(Int(p) &- Int(q)) }
        for (p, q) in zip(a.fineLuma, b.fineLuma) { largest = max(largest, abs(Int32(p) &- Int32(q))) }
        if let chromaA = a.chroma, let chromaB = b.chroma {
            for (p, q) in zip(chromaA.u.values, chromaB.u.values) {
                largest = max(largest, 4 &* abs(Int32(p) &- Int32(q)))
            }
            for (p, q) in zip(chromaA.v.values, chromaB.v.values) {
                largest = max(largest, 4 &* abs(Int32(p) &- Int32(q)))
            }
        }
        patchMaximum = Self.largestPatch(a.fineLuma, b.fineLuma, width: a.luma.width, height: a.luma.height)
        sampleMean = Float(sum) / Float(16 * max(1, a.samples.count))
        cellMaximum = Float(largest) / 16
    }

    private static func largestPatch(_ a: [UInt16], _ b: [UInt16], width: Int, height: Int) -> Float {
        guard width >= 3, height >= 3, a.count == width * height, b.count == a.count else { return 0 }
        var largest: Int32 = 0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                // Sums of three rows per column, so that each cell is read three times instead of nine.
                var columns = [Int32](repeating: 0, count: width)
                for y in 0..<height - 2 {
                    for x in 0..<width {
                        var sum: Int32 = 0
                        for row in y..<y + 3 { sum &+= Int32(a[row &* width &+ x]) &- Int32(b[row &* width &+ x]) }
                        columns[x] = sum
                    }
                    for x in 0..<width - 2 {
                        largest = max(largest, abs(columns[x] &+ columns[x &+ 1] &+ columns[x &+ 2]))
                    }
                }
            }
        }
        return Float(largest) / (9 * 16)
    }

    /// Whether the second frame repeats the first.
    ///
    /// After coding, a repeated frame differs a little everywhere, and no area stands out. So two frames that are not
    /// nearly identical must differ by less than new frames do. A slow pan or fade changes little too, but so do its
    /// neighbours. A mouse pointer or a mouth changes few cells, but changes them strongly and side by side.
    ///
    /// - Parameter reference: the change that a new frame usually brings here.
    func isDuplicate(reference: FrameChange) -> Bool {
        typealias P = DuplicateParameters
        if sampleMean < P.identicalSamples, cellMaximum < P.identicalCells { return true }
        let cells = min(P.cells, P.cellsShare * reference.cellMaximum, P.cellsAtZero + P.cellsPerSample * sampleMean)
        return sampleMean < min(P.samples, P.samplesShare * reference.sampleMean)
            && cellMaximum < max(P.freeCells, cells)
            && patchMaximum < max(P.freePatches, min(P.patches, P.patchesShare * reference.cellMaximum))
    }

    /// Returns the change that a new frame usually brings: the third largest of each measure, or the second largest if
    /// there are few changes.
    ///
    /// A flash among the neighbours makes two outliers, which must not set the scale.
    static func typical(_ changes: [FrameChange]) -> FrameChange {
        func pick(_ values: [Float]) -> Float {
            let sorted = values.sorted(by: >)
            return sorted.dropFirst(sorted.count >= DuplicateParameters.manyNeighbours ? 2 : 1).first ?? sorted.first
                ?? 0
        }
        var result = FrameChange()
        result.sampleMean = pick(changes.map(\.sampleMean))
        result.cellMaximum = pick(changes.map(\.cellMaximum))
        return result
    }
}
