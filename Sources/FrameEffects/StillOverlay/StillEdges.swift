import Motion

/// Parameters of the edges that stand still. Differences and contrasts are in 8-bit grey levels. The values were chosen by
/// hand, November 2026.
private enum EdgeParameters {
    /// Minimum contrast of a 3×3 square at an edge, in both frames.
    static let contrast: UInt8 = 30
    /// Sum of the differences of a 3×3 square up to which it is still, at the minimum contrast. Five eighths of a further
    /// contrast are added: an edge is coded less exactly than a plain.
    static let still: UInt8 = 45
}

/// Tells which samples are at an edge that both frames show at the same place.
struct StillEdges {
    /// The number of samples of a row that are tested together.
    static let group = 16
    /// Stands for a sample that is not at a still edge.
    static let none = UInt8.max

    /// Luma of both frames at 8 bits, of the same size.
    let a: PaddedPlane
    let b: PaddedPlane
    /// The addresses of their first samples, and the distances of their rows.
    private let first: UnsafePointer<UInt8>
    private let second: UnsafePointer<UInt8>
    private let strides: (a: Int, b: Int)

    init(_ a: PaddedPlane, _ b: PaddedPlane) {
        (self.a, self.b) = (a, b)
        (first, second, strides) = (UnsafePointer(a.bytes), UnsafePointer(b.bytes), (a.stride, b.stride))
    }

    /// The sample of the first frame at a position.
    @inline(__always)
    func inA(_ x: Int, _ y: Int) -> UnsafePointer<UInt8> { first + (y &* strides.a &+ x) }

    /// The sample of the second frame at a position.
    @inline(__always)
    func inB(_ x: Int, _ y: Int) -> UnsafePointer<UInt8> { second + (y &* strides.b &+ x) }

    /// Returns for each sample of a group the sum of the differences of its 3×3 square, or ``none`` if it is not at a still
    /// edge; nil if no sample is. A group may reach beyond the right edge of the frame.
    @inline(__always)
    func sums(_ x: Int, _ y: Int) -> SIMD16<UInt8>? {
        typealias P = EdgeParameters
        let p = UnsafeRawPointer(inA(x, y)), q = UnsafeRawPointer(inB(x, y))
        let least = SIMD16(repeating: P.contrast - 1)
        var contrast = Self.contrasts(p, strides.a)
        guard Self.isAny(contrast .> least) else { return nil }
        contrast = Self.lower(contrast, Self.contrasts(q, strides.b))
        guard Self.isAny(contrast .> least) else { return nil }
        var sum = SIMD16<UInt8>.zero
        for j in -1...1 {
            for i in -1...1 {
                // A sum stops at 255, which is more than any limit.
                let difference = Self.differences(Self.load(p, j &* strides.a &+ i), Self.load(q, j &* strides.b &+ i))
                sum &+= Self.lower(difference, ~sum)
            }
        }
        // The sum of a half, an eighth and this last bit is five eighths rounded down.
        let further = contrast &- SIMD16(repeating: P.contrast)
        let last = further & (further &>> 2) & SIMD16(repeating: 1), still = SIMD16(repeating: P.still)
        let limit = (further &>> 1) &+ (further &>> 3) &+ last &+ still
        let none = SIMD16(repeating: Self.none), centre = Self.differences(Self.load(p, 0), Self.load(q, 0))
        sum.replace(with: none, where: sum .> limit)
        sum.replace(with: none, where: contrast .< SIMD16(repeating: P.contrast))
        sum.replace(with: none, where: centre .> still)
        return Self.isAny(sum .< none) ? sum : nil
    }

    @inline(__always)
    private static func load(_ p: UnsafeRawPointer, _ offset: Int) -> SIMD16<UInt8> {
        (p + offset).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    @inline(__always)
    private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }

    @inline(__always)
    private static func lower(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
        a.replacing(with: b, where: b .< a)
    }

    @inline(__always)
    private static func upper(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
        a.replacing(with: b, where: b .> a)
    }

    @inline(__always)
    private static func differences(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
        upper(a, b) &- lower(a, b)
    }

    /// Returns the contrasts of the 3×3 squares of a group.
    @inline(__always)
    private static func contrasts(_ p: UnsafeRawPointer, _ stride: Int) -> SIMD16<UInt8> {
        var low = load(p, 0), high = low
        for j in -1...1 {
            for i in -1...1 {
                let samples = load(p, j &* stride &+ i)
                low = lower(low, samples)
                high = upper(high, samples)
            }
        }
        return high &- low
    }

    /// Returns the sum of the differences of the 3×3 samples round a position in the first frame and another in the second.
    @inline(__always)
    func difference(_ x: Int, _ y: Int, _ u: Int, _ v: Int) -> Int32 {
        let p = inA(x, y), q = inB(u, v)
        var sum: Int32 = 0
        for j in -1...1 {
            for i in -1...1 { sum &+= abs(Int32(p[j &* strides.a &+ i]) &- Int32(q[j &* strides.b &+ i])) }
        }
        return sum
    }

    /// Returns the lower of the contrasts of the 3×3 samples round a position in both frames.
    func contrast(_ x: Int, _ y: Int) -> Int32 {
        func contrast(_ p: UnsafePointer<UInt8>, _ stride: Int) -> Int32 {
            var low = p[0], high = p[0]
            for j in -1...1 {
                for i in -1...1 {
                    low = min(low, p[j &* stride &+ i])
                    high = max(high, p[j &* stride &+ i])
                }
            }
            return Int32(high) &- Int32(low)
        }
        return min(contrast(inA(x, y), strides.a), contrast(inB(x, y), strides.b))
    }
}
