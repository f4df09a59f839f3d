import FrameCore

/// How coarsely luma of HEVC keyframes is quantized, read from the slice header, since libav's decoder does not export it
/// (ITU-T H.265).
struct HEVCQuantizer {
    /// The size of the lengths before units; 0 if units have start codes.
    private var lengthBytes = 0
    private var sequences: [Int: SequenceParameters] = [:]
    private var pictures: [Int: PictureParameters] = [:]

    /// - Parameter extradata: what a container holds beside the packets: a configuration record (ISO/IEC 14496-15,
    ///   8.3.3.1), parameter sets with start codes (Annex B), or nothing.
    init(extradata: [UInt8]) {
        extradata.withUnsafeBufferPointer { bytes in
            guard bytes.count >= 23, bytes[0] == 1 else {
                for unit in NALUnits(bytes, lengthBytes: 0) { readParameterSet(unit) }
                return
            }
            lengthBytes = Int(bytes[21] & 3) + 1
            let reader = ByteReader(extradata)
            var place = 23
            for _ in 0..<bytes[22] {
                guard let count = reader.big(place + 1, as: UInt16.self) else { return }
                place += 3
                for _ in 0..<count {
                    guard let size = reader.big(place, as: UInt16.self).map(Int.init), reader.holds(place + 2, size)
                    else { return }
                    readParameterSet(NALUnit(bytes: bytes[place + 2..<place + 2 + size]))
                    place += 2 + size
                }
            }
        }
    }

    /// Returns the quantization parameter of the first slice, SliceQpY (7.4.7.1), of a picture at which decoding can start.
    ///
    /// It is 51 at most, and may be negative for more than 8 bits. Parameter sets in packets of any kind are kept for
    /// later ones.
    ///
    /// - Parameter packet: an access unit; nil is returned if it begins with a picture of another kind, if its first slice
    ///   is not coded as intra, or if something is missing or damaged.
    mutating func parameter(of packet: UnsafeBufferPointer<UInt8>) -> Int? {
        // Far fewer units precede a picture, but millions of empty ones would fit into a damaged packet.
        for unit in NALUnits(packet, lengthBytes: lengthBytes).prefix(256) where unit.layer == 0 {
            switch unit.type {
            case 16...23: return parameter(ofSlice: unit)
            case 0..<32: return nil
            default: readParameterSet(unit)
            }
        }
        return nil
    }

    private mutating func readParameterSet(_ unit: NALUnit) {
        guard unit.layer == 0, unit.type == 33 || unit.type == 34 else { return }
        // None of the parts read here, even with scaling lists, comes near this limit.
        var reader = BitReader(unit.unescaped(after: 2, upTo: 1 << 14))
        if unit.type == 33 {
            if let (id, parameters) = SequenceParameters.read(&reader) { sequences[id] = parameters }
        } else {
            if let (id, parameters) = PictureParameters.read(&reader) { pictures[id] = parameters }
        }
    }

    /// Reads a slice segment header (7.3.6.1).
    private func parameter(ofSlice unit: NALUnit) -> Int? {
        var reader = BitReader(unit.unescaped(after: 2, upTo: 512))
        guard reader.flag() else { return nil }  // not the first in the picture
        reader.skip(1)  // no_output_of_prior_pics_flag
        guard let picture = pictures[reader.exponentialGolomb()], let sequence = sequences[picture.sequence]
        else { return nil }
        reader.skip(picture.extraBits)
        guard reader.exponentialGolomb() == 2 else { return nil }
        if picture.hasOutputFlag { reader.skip(1) }
        if sequence.hasSeparatePlanes { reader.skip(2) }
        let isRefresh = unit.type == 19 || unit.type == 20
        if !isRefresh { sequence.skipReferences(&reader) }
        if sequence.hasOffsets { reader.skip(sequence.hasChroma ? 2 : 1) }
        let parameter = picture.parameter + reader.signedExponentialGolomb()
        return !reader.isDamaged && sequence.parameters.contains(parameter) ? parameter : nil
    }
}

/// The fields of a sequence parameter set (7.3.2.2) on which the layout of slice headers depends.
private struct SequenceParameters {
    let hasSeparatePlanes: Bool
    /// Whether slices have chroma, that is whether ChromaArrayType is not 0.
    let hasChroma: Bool
    /// The quantization parameters that the bit depth allows.
    let parameters: ClosedRange<Int>
    let orderBits: Int
    /// Whether sample adaptive offset is in use.
    let hasOffsets: Bool
    /// The pictures of each short-term reference picture set, as distances in order.
    let references: [[Int]]
    /// The number of long-term reference pictures to choose from; nil if slices have none.
    let longTermCount: Int?
    let hasMotionFlag: Bool

    static func read(_ reader: inout BitReader) -> (id: Int, Self)? {
        reader.skip(4)
        let layers = reader.bits(3)
        reader.skip(1)
        reader.skipProfile(layers: layers)
        let id = reader.exponentialGolomb(upTo: 15), chroma = reader.exponentialGolomb(upTo: 3)
        let hasSeparatePlanes = chroma == 3 && reader.flag()
        reader.skipNumbers(2)
        if reader.flag() { reader.skipNumbers(4) }  // conformance window
        let extraDepth = reader.exponentialGolomb(upTo: 8)
        reader.skipNumbers(1)
        let orderBits = reader.exponentialGolomb(upTo: 12) + 4
        reader.skipNumbers(reader.flag() ? 3 * (layers + 1) : 3)
        reader.skipNumbers(6)  // sizes of blocks
        if reader.flag(), reader.flag() { reader.skipScalingLists() }
        reader.skip(1)
        let hasOffsets = reader.flag()
        if reader.flag() {  // PCM
            reader.skip(8)
            reader.skipNumbers(2)
            reader.skip(1)
        }
        var references: [[Int]] = []
        for _ in 0..<reader.exponentialGolomb(upTo: 64) {
            references.append(reader.references(after: references, isInSlice: false))
        }
        var longTermCount: Int?
        if reader.flag() {
            let count = reader.exponentialGolomb(upTo: 32)
            reader.skip(count * (orderBits + 1))
            longTermCount = count
        }
        let hasMotionFlag = reader.flag()
        guard !reader.isDamaged else { return nil }
        return (
            id,
            Self(
                hasSeparatePlanes: hasSeparatePlanes, hasChroma: chroma != 0 && !hasSeparatePlanes,
                parameters: -6 * extraDepth...51, orderBits: orderBits, hasOffsets: hasOffsets, references: references,
                longTermCount: longTermCount, hasMotionFlag: hasMotionFlag)
        )
    }

    /// Skips the reference picture sets, which intra pictures also carry if later pictures need them.
    func skipReferences(_ reader: inout BitReader) {
        reader.skip(orderBits)
        if reader.flag() {
            reader.skip(bitsToChoose(from: references.count))
        } else {
            _ = reader.references(after: references, isInSlice: true)
        }
        if let longTermCount {
            let listed = longTermCount > 0 ? reader.exponentialGolomb(upTo: 32) : 0
            let own = reader.exponentialGolomb(upTo: 32)
            for index in 0..<listed + own {
                reader.skip(index < listed ? bitsToChoose(from: longTermCount) : orderBits + 1)
                if reader.flag() { reader.skipNumbers(1) }
            }
        }
        if hasMotionFlag { reader.skip(1) }
    }

    private func bitsToChoose(from count: Int) -> Int {
        count > 1 ? Int.bitWidth - (count - 1).leadingZeroBitCount : 0
    }
}

/// The fields of a picture parameter set (7.3.2.3) on which the layout of slice headers depends.
private struct PictureParameters {
    let sequence: Int
    let hasOutputFlag: Bool
    let extraBits: Int
    /// The quantization parameter to which slices add.
    let parameter: Int

    static func read(_ reader: inout BitReader) -> (id: Int, Self)? {
        let id = reader.exponentialGolomb(upTo: 63), sequence = reader.exponentialGolomb(upTo: 15)
        reader.skip(1)
        let hasOutputFlag = reader.flag(), extraBits = reader.bits(3)
        reader.skip(2)
        reader.skipNumbers(2)
        let parameter = 26 + reader.signedExponentialGolomb()
        guard !reader.isDamaged else { return nil }
        return (id, Self(sequence: sequence, hasOutputFlag: hasOutputFlag, extraBits: extraBits, parameter: parameter))
    }
}

extension BitReader {
    fileprivate mutating func skipNumbers(_ count: Int) { for _ in 0..<count { _ = exponentialGolomb() } }

    /// Skips `profile_tier_level` (7.3.3).
    ///
    /// - Parameter layers: the number of temporal sublayers besides the first.
    fileprivate mutating func skipProfile(layers: Int) {
        skip(96)
        guard layers > 0 else { return }
        let sizes = (0..<8).map { _ in (flag() ? 88 : 0) + (flag() ? 8 : 0) }
        for size in sizes.prefix(layers) { skip(size) }
    }

    /// Skips `scaling_list_data` (7.3.4).
    fileprivate mutating func skipScalingLists() {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                // Either the list to copy, or a value for DC with large blocks and up to 64 others.
                skipNumbers(flag() ? min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1)
            }
        }
    }

    /// Reads a short-term reference picture set (7.3.7, 7.4.8).
    ///
    /// - Parameter sets: those before it, which it may refer to; a slice's own comes after all of the sequence.
    /// - Returns: the distances of its pictures in order, the preceding ones first, from near to far.
    fileprivate mutating func references(after sets: [[Int]], isInSlice: Bool) -> [Int] {
        if !sets.isEmpty, flag() {
            let back = isInSlice ? exponentialGolomb(upTo: sets.count - 1) + 1 : 1
            let sign = flag() ? -1 : 1, shift = sign * (exponentialGolomb(upTo: 1 << 15 - 1) + 1)
            // The last is the picture that the other set belongs to. Those not used by the picture may be kept.
            let distances = (sets[sets.count - back] + [0]).filter { _ in flag() || flag() }.map { $0 + shift }
            return distances.filter { $0 < 0 }.sorted(by: >) + distances.filter { $0 > 0 }.sorted()
        }
        let counts = [(-1, exponentialGolomb(upTo: 16)), (1, exponentialGolomb(upTo: 16))]
        return counts.flatMap { sign, count in
            var distance = 0
            return (0..<count).map { _ in
                distance += sign * (exponentialGolomb(upTo: 1 << 15 - 1) + 1)
                skip(1)
                return distance
            }
        }
    }
}

/// The header of HEVC (7.3.1.2).
extension NALUnit {
    private var header: Int { bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
    fileprivate var type: Int { header >> 9 & 63 }
    fileprivate var layer: Int { header >> 3 & 63 }
}
