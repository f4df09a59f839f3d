/// Reads fields of bits, the most significant first, from untrusted bytes.
///
/// Reading never fails at once: a field that is incomplete or larger than allowed is 0, and so is all that follows.
/// ``isDamaged`` is then true, and the values read are meaningless.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether more has been read than there is, or a number was larger than allowed.
    private(set) var isDamaged = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads an unsigned number, u(n) or f(n), of at most 32 bits.
    mutating func bits(_ count: Int) -> Int {
        guard (0...32).contains(count), count <= bytes.count * 8 - position else { return fail() }
        var value = 0
        for place in position..<position + count {
            value = value << 1 | Int(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
        }
        position += count
        return value
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    mutating func skip(_ count: Int) {
        if count >= 0, count <= bytes.count * 8 - position { position += count } else { fail() }
    }

    /// Reads a number coded as ue(v) (ITU-T H.265, 9.2).
    mutating func exponentialGolomb(upTo limit: Int = Int(UInt32.max) - 1) -> Int {
        guard let zeros = zeros(upTo: 32) else { return fail() }
        let value = 1 << zeros - 1 + bits(zeros)
        return value <= limit && !isDamaged ? value : fail()
    }

    /// Reads a number coded as se(v) (ITU-T H.265, 9.2.2).
    mutating func signedExponentialGolomb() -> Int {
        let code = exponentialGolomb()
        return code & 1 == 1 ? (code + 1) / 2 : -code / 2
    }

    /// Skips a number coded as uvlc() (AV1, 4.10.3).
    mutating func skipVariableLength() {
        // From 32 zeros on, nothing follows them.
        guard let zeros = zeros(upTo: bytes.count * 8) else {
            fail()
            return
        }
        if zeros < 32 { skip(zeros) }
    }

    /// Reads a number below `limit`, coded as ns(n) (AV1, 4.10.7).
    mutating func number(below limit: Int) -> Int {
        guard limit > 0, limit <= 1 << 16 else { return fail() }
        let width = Int.bitWidth - limit.leadingZeroBitCount, short = 1 << width - limit
        let value = bits(width - 1)
        return value < short ? value : value << 1 - short + bits(1)
    }

    /// Reads zeros and the one after them; returns nil if there are more than `limit`.
    private mutating func zeros(upTo limit: Int) -> Int? {
        for count in 0...max(limit, 0) {
            if flag() { return count }
            if isDamaged { return nil }
        }
        return nil
    }

    /// Marks everything from here on as damaged; returns what is then read.
    @discardableResult
    mutating func fail() -> Int {
        isDamaged = true
        position = bytes.count * 8
        return 0
    }
}
