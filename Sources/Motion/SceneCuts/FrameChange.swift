/// How far two pictures differ at the same place, fine enough to tell a repeated picture from a small motion.
struct FrameChange: Sendable {
    /// Mean absolute difference of single samples, in 8-bit levels.
    var sampleMean: Float = 0
    /// Largest difference of cell means, in 8-bit levels.
    var cellMaximum: Float = 0

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
        sampleMean = Float(sum) / Float(16 * max(1, a.samples.count))
        cellMaximum = Float(largest) / 16
    }

    /// Whether the second picture repeats the first, where new pictures usually bring `reference`.
    ///
    /// Repeated pictures come back from a codec not quite alike. So what is not alike to the bit must change far less
    /// than new pictures do, everywhere: a slow pan or fade changes little too, but so do its neighbours, and a mouse
    /// pointer or a mouth changes few cells, but those much.
    func isDuplicate(reference: FrameChange) -> Bool {
        if sampleMean < 0.04, cellMaximum < 0.4 { return true }
        return sampleMean < min(1.5, 0.14 * reference.sampleMean)
            && cellMaximum < max(1.25, min(5, 0.12 * reference.cellMaximum))
    }

    /// The second largest of each measure, so that one odd neighbour does not set the scale.
    static func secondLargest(_ changes: [FrameChange]) -> FrameChange {
        var result = FrameChange()
        result.sampleMean = changes.map(\.sampleMean).sorted().dropLast().last ?? changes.first?.sampleMean ?? 0
        result.cellMaximum = changes.map(\.cellMaximum).sorted().dropLast().last ?? changes.first?.cellMaximum ?? 0
        return result
    }
}
