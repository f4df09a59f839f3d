/// How coarsely a VP8 keyframe, as WebP files hold it, quantizes luma (RFC 6386, sections 7 and 9.1 to 9.6).
struct VP8Quantizer {
    /// The mean step, in 8-bit code values of an orthonormal transform.
    let step: Double
    /// Whether the edges of blocks are filtered.
    let isLoopFiltered: Bool

    /// Reads the header of a frame.
    ///
    /// - Parameter frame: a frame; nil is returned if it is no keyframe or incomplete.
    init?(_ frame: ArraySlice<UInt8>) {
        let start = Array(frame.prefix(10))
        guard start.count == 10, start[0] & 1 == 0, start[3...5] == [0x9D, 0x01, 0x2A],
            var header = BoolDecoder(frame.dropFirst(10))
        else { return nil }
        header.skip(bits: 2)  // color space and clamping
        var segments: (values: [Int], areAbsolute: Bool)?
        var shares = [1.0, 0, 0, 0]
        if header.flag() {
            let hasMap = header.flag()
            if header.flag() {
                let areAbsolute = header.flag()
                segments = ((0..<4).map { _ in header.optionalSigned(bits: 7) }, areAbsolute)
                for _ in 0..<4 { _ = header.optionalSigned(bits: 6) }
            }
            if hasMap {
                let odds = (0..<3).map { _ in Double(header.flag() ? header.literal(bits: 8) : 255) / 256 }
                shares = [
                    odds[0] * odds[1], odds[0] * (1 - odds[1]), (1 - odds[0]) * odds[2], (1 - odds[0]) * (1 - odds[2]),
                ]
            }
        }
        header.skip(bits: 1)  // the loop filter's kind
        isLoopFiltered = header.literal(bits: 6) > 0
        header.skip(bits: 3)  // its sharpness
        if header.flag(), header.flag() { for _ in 0..<8 { _ = header.optionalSigned(bits: 6) } }
        header.skip(bits: 2)  // partitions
        let base = header.literal(bits: 7)
        guard !header.isPastEnd else { return nil }
        step = zip(shares, segments?.values ?? [0, 0, 0, 0]).reduce(0) { sum, segment in
            let index = segments?.areAbsolute == true ? segment.1 : base + segment.1
            return sum + segment.0 * Self.step(ofIndex: index)
        }
    }

    /// Returns the step of a quantizer index: half of the value in the table for AC coefficients (section 14.1), since the
    /// inverse transform divides by 8 what an orthonormal one divides by 4.
    private static func step(ofIndex index: Int) -> Double {
        // Between these, the table is straight but for rounding.
        let knots = [(0, 4.0), (54, 58), (83, 116), (96, 155), (102, 173), (116, 229), (127, 284)]
        let index = min(max(index, 0), 127), upper = max(1, knots.firstIndex { index <= $0.0 } ?? knots.count - 1)
        let (a, b) = (knots[upper - 1], knots[upper])
        return (a.1 + (b.1 - a.1) * Double(index - a.0) / Double(b.0 - a.0)) / 2
    }
}

/// Reads what VP8 codes with even odds (RFC 6386, section 7.3).
private struct BoolDecoder {
    private var bytes: ArraySlice<UInt8>
    private var value: UInt32
    private var range: UInt32 = 255
    private var shifts = 0
    /// Whether more has been read than there is.
    private(set) var isPastEnd = false

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        value = UInt32(bytes[bytes.startIndex]) << 8 | UInt32(bytes[bytes.startIndex + 1])
        self.bytes = bytes.dropFirst(2)
    }

    mutating func flag() -> Bool {
        let split = 1 + (range - 1) >> 1, isSet = value >= split << 8
        if isSet {
            range -= split
            value -= split << 8
        } else {
            range = split
        }
        while range < 128 {
            (value, range) = (value << 1, range << 1)
            shifts += 1
            guard shifts == 8 else { continue }
            shifts = 0
            if let next = bytes.popFirst() { value |= UInt32(next) } else { isPastEnd = true }
        }
        return isSet
    }

    mutating func literal(bits: Int) -> Int { (0..<bits).reduce(0) { value, _ in value << 1 | (flag() ? 1 : 0) } }

    mutating func skip(bits: Int) { for _ in 0..<bits { _ = flag() } }

    /// Returns a number with a sign, or 0 if the flag before it is not set.
    mutating func optionalSigned(bits: Int) -> Int {
        guard flag() else { return 0 }
        let value = literal(bits: bits)
        return flag() ? -value : value
    }
}
