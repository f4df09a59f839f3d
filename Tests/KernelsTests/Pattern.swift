/// SplitMix64: a small seeded generator with the same numbers on every system.
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func `in`(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
}

/// Contents of a source plane.
enum Pattern: CaseIterable {
    case random, zero, maximum, extremes, checkerboard, inverseCheckerboard, columns, rows, ramp

    func sample<S: FixedWidthInteger & UnsignedInteger>(x: Int, y: Int, maximum: S, random: inout Random) -> S {
        switch self {
        case .random: S(truncatingIfNeeded: random.next() % (UInt64(maximum) + 1))
        case .zero: 0
        case .maximum: maximum
        case .extremes: random.next() & 1 == 0 ? 0 : maximum
        case .checkerboard: (x + y) & 1 == 0 ? 0 : maximum
        case .inverseCheckerboard: (x + y) & 1 == 0 ? maximum : 0
        case .columns: x & 2 == 0 ? 0 : maximum
        case .rows: y & 2 == 0 ? 0 : maximum
        case .ramp: S(truncatingIfNeeded: (x * 7 + y * 13) & Int(maximum))
        }
    }

    static func any(_ random: inout Random) -> Pattern { allCases[random.in(0...allCases.count - 1)] }
}

/// Seeds of the random tests; a failure names the seed with which to repeat it.
let seeds: [UInt64] = [1, 20_250_117, 0xDEAD_BEEF]

/// Widths with every remainder modulo the vector length, and some longer rows.
let widths: [Int] = Array(1...67) + [127, 128, 129, 255, 641, 1920]
