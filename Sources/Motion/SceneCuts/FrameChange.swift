/// How far two pictures differ at the same place, fine enough to tell a repeated picture from a small motion.
struct FrameChange: Sendable {
    /// Mean absolute difference of single samples, in 8-bit levels.
    var sampleMean: Float = 0
    /// Largest difference of cell means, in 8-bit levels.
    var cellMaximum: Float = 0

    /// Largest change of the mean of 3 × 3 luma cells, in 8-bit levels: coding noise goes both ways, a small motion does
    /// not.
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
                // Sums of columns of three, so that each cell is read three times and not nine.
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

    /// Whether the second picture repeats the first, where new pictures usually bring `reference`.
    ///
    /// Repeated pictures come back from a codec not quite alike: a little everywhere, without a place that stands out. So
    /// what is not nearly alike to the bit must change less than new pictures do: a slow pan or fade changes little too, but so do
    /// its neighbours; and a mouse pointer or a mouth changes few cells, but those much and side by side.
    func isDuplicate(reference: FrameChange) -> Bool {
        if sampleMean < 0.04, cellMaximum < 1.25 { return true }
        return sampleMean < min(1.5, 0.5 * reference.sampleMean)
            && cellMaximum < max(1.25, min(20, 0.35 * reference.cellMaximum, 6 + 80 * sampleMean))
            && patchMaximum < max(0.5, min(6, 0.2 * reference.cellMaximum))
    }

    /// The third largest of each measure, so that a flash among the neighbours, which makes two odd pairs, does not set
    /// the scale; of few neighbours the second.
    static func typical(_ changes: [FrameChange]) -> FrameChange {
        func pick(_ values: [Float]) -> Float {
            let sorted = values.sorted(by: >)
            return sorted.dropFirst(sorted.count >= 8 ? 2 : 1).first ?? sorted.first ?? 0
        }
        var result = FrameChange()
        result.sampleMean = pick(changes.map(\.sampleMean))
        result.cellMaximum = pick(changes.map(\.cellMaximum))
        return result
    }
}
