/// How coarsely AV1 keyframes are quantized, read from the frame header, since libav's decoders do not export it (AV1
/// bitstream specification, 5.5 and 5.9).
struct AV1Quantizer {
    private var sequence: SequenceHeader?

    /// - Parameter extradata: what a container holds beside the packets: a configuration record (AV1 in ISO base media
    ///   files, 2.3), open bitstream units, or nothing.
    init(extradata: [UInt8]) {
        // Units begin with a zero bit, records with a one.
        let isRecord = extradata.first.map { $0 & 0x80 != 0 } ?? false
        extradata.dropFirst(isRecord ? 4 : 0).withUnsafeBufferPointer { _ = index(of: $0) }
    }

    /// Returns the base quantizer index, `base_q_idx` (5.9.12), of the first frame, from 0 to 255.
    ///
    /// - Parameter packet: a temporal unit whose units state their sizes (5.2); nil is returned if it does not begin with a
    ///   new intra frame, or if something is missing or damaged.
    mutating func index(of packet: UnsafeBufferPointer<UInt8>) -> Int? {
        var hasFrame = false, index: Int?
        OBU.forEach(in: packet) { kind, start, payload in
            guard !hasFrame else { return }
            // None of the headers read here comes near the limit.
            var reader = BitReader(Array(packet[payload.prefix(1024)]))
            switch kind {
            case .sequenceHeader: sequence = SequenceHeader(&reader) ?? sequence
            case .frameHeader, .frame:
                hasFrame = true
                // A byte with the layers may follow the first.
                let layers = packet[start] & 4 != 0 ? packet[start + 1] : 0
                index = sequence?.index(ofFrame: &reader, layers: 1 << Int(layers >> 5) | 1 << Int(8 + layers >> 3 & 3))
            case .metadata: break
            }
        }
        return index
    }
}

/// The part of a sequence header (5.5) that frame headers depend on.
private struct SequenceHeader {
    private var isReduced = false
    private var hasEqualIntervals = false
    private var decoderModel: DecoderModel?
    /// For each operating point, its layers, and whether frame headers state its buffer removal times.
    private var operatingPoints: [(layers: Int, hasTimes: Bool)] = []
    private var widthBits = 0
    private var heightBits = 0
    private var width = 0
    private var height = 0
    private var frameNumberBits = 0
    private var hasLargeBlocks = false
    /// Whether tools for screen content are in use; nil if each frame header states it.
    private var hasScreenTools: Bool?
    private var hasIntegerMotionFlag = true
    private var orderBits = 0
    private var hasScaling = false

    private struct DecoderModel {
        let removalBits: Int
        let presentationBits: Int
    }

    init?(_ reader: inout BitReader) {
        reader.skip(4)
        isReduced = reader.flag()
        if isReduced { reader.skip(5) } else { readOperatingPoints(&reader) }
        widthBits = reader.bits(4) + 1
        heightBits = reader.bits(4) + 1
        width = reader.bits(widthBits) + 1
        height = reader.bits(heightBits) + 1
        if !isReduced, reader.flag() { frameNumberBits = reader.bits(4) + reader.bits(3) + 3 }
        hasLargeBlocks = reader.flag()
        reader.skip(2)
        if !isReduced { readTools(&reader) }
        hasScaling = reader.flag()
        if reader.isDamaged { return nil }
    }

    /// Reads the part of the header that still pictures may leave out.
    private mutating func readOperatingPoints(_ reader: inout BitReader) {
        var timeBits = 0
        if reader.flag() {  // timing info (5.5.3)
            reader.skip(64)
            hasEqualIntervals = reader.flag()
            if hasEqualIntervals { reader.skipVariableLength() }
            if reader.flag() {  // decoder model info (5.5.4)
                timeBits = reader.bits(5) + 1
                reader.skip(32)
                decoderModel = DecoderModel(removalBits: reader.bits(5) + 1, presentationBits: reader.bits(5) + 1)
            }
        }
        let hasDelays = reader.flag()
        for _ in 0...reader.bits(5) {
            let layers = reader.bits(12)
            if reader.bits(5) > 7 { reader.skip(1) }
            let hasTimes = decoderModel != nil && reader.flag()
            if hasTimes { reader.skip(2 * timeBits + 1) }
            if hasDelays, reader.flag() { reader.skip(4) }
            operatingPoints.append((layers, hasTimes))
        }
    }

    /// Reads which tools are in use, from `enable_interintra_compound` on.
    private mutating func readTools(_ reader: inout BitReader) {
        reader.skip(4)
        let hasOrder = reader.flag()
        if hasOrder { reader.skip(2) }
        if !reader.flag() { hasScreenTools = reader.flag() }
        if hasScreenTools != false {
            hasIntegerMotionFlag = reader.flag()
            if !hasIntegerMotionFlag { reader.skip(1) }
        }
        if hasOrder { orderBits = reader.bits(3) + 1 }
    }

    /// Reads a frame header (5.9.2) up to its base quantizer index.
    ///
    /// - Parameter layers: the bits that operating points which include its layers have set.
    func index(ofFrame reader: inout BitReader, layers: Int) -> Int? {
        var isKey = true, isShown = true, isResilient = true
        if !isReduced {
            if reader.flag() { return nil }  // an existing frame is shown
            let type = reader.bits(2)
            guard type == 0 || type == 2 else { return nil }
            isKey = type == 0
            isShown = reader.flag()
            if isShown, let decoderModel, !hasEqualIntervals { reader.skip(decoderModel.presentationBits) }
            if !isShown { reader.skip(1) }  // showable_frame
            isResilient = isKey && isShown || reader.flag()
        }
        let isAdaptive = !reader.flag()  // disable_cdf_update
        let hasScreenTools = hasScreenTools ?? reader.flag()
        if hasScreenTools, hasIntegerMotionFlag { reader.skip(1) }
        reader.skip(frameNumberBits)
        let hasOwnSize = !isReduced && reader.flag()
        reader.skip(orderBits)
        if let decoderModel, reader.flag() {
            for point in operatingPoints
            where point.hasTimes && (point.layers == 0 || point.layers & layers == layers) {
                reader.skip(decoderModel.removalBits)
            }
        }
        let refreshesAll = isKey && isShown || reader.bits(8) == 255
        if !refreshesAll, isResilient { reader.skip(8 * orderBits) }
        let upscaledWidth = hasOwnSize ? reader.bits(widthBits) + 1 : width
        let height = hasOwnSize ? reader.bits(heightBits) + 1 : height
        var width = upscaledWidth
        if hasScaling, reader.flag() {  // superres_params (5.9.8)
            let denominator = reader.bits(3) + 9
            width = (width * 8 + denominator / 2) / denominator
        }
        if reader.flag() { reader.skip(32) }  // render_size (5.9.6)
        if hasScreenTools, width == upscaledWidth { reader.skip(1) }  // allow_intrabc
        if !isReduced, isAdaptive { reader.skip(1) }  // disable_frame_end_update_cdf
        reader.skipTiles(width: width, height: height, blockBits: hasLargeBlocks ? 7 : 6)
        let index = reader.bits(8)
        return reader.isDamaged ? nil : index
    }
}

extension BitReader {
    /// Skips `tile_info` (5.9.15).
    ///
    /// - Parameter blockBits: the binary logarithm of the size of superblocks.
    fileprivate mutating func skipTiles(width: Int, height: Int, blockBits: Int) {
        let columns = (width + 1 << blockBits - 1) >> blockBits, rows = (height + 1 << blockBits - 1) >> blockBits
        let maxWidth = 4096 >> blockBits
        let minColumnBits = Self.tileBits(columns, by: maxWidth)
        let minBits = max(minColumnBits, Self.tileBits(rows * columns, by: (4096 * 2304) >> (2 * blockBits)))
        var columnBits: Int, rowBits: Int
        if flag() {
            columnBits = increasing(minColumnBits, upTo: Self.tileBits(min(columns, 64), by: 1))
            rowBits = increasing(max(minBits - columnBits, 0), upTo: Self.tileBits(min(rows, 64), by: 1))
        } else {
            let tileColumns = tileSizes(total: columns, upTo: maxWidth)
            let area = (rows * columns) >> (minBits > 0 ? minBits + 1 : 0)
            let tileRows = tileSizes(total: rows, upTo: max(area / max(tileColumns.largest, 1), 1))
            columnBits = Self.tileBits(tileColumns.count, by: 1)
            rowBits = Self.tileBits(tileRows.count, by: 1)
        }
        if columnBits + rowBits > 0 { skip(columnBits + rowBits + 2) }
    }

    /// Returns `tile_log2`: how often `size` has to be doubled to reach `target`.
    private static func tileBits(_ target: Int, by size: Int) -> Int {
        (0..<32).first { size << $0 >= target } ?? 32
    }

    private mutating func increasing(_ start: Int, upTo limit: Int) -> Int {
        var value = start
        while value < limit, flag() { value += 1 }
        return value
    }

    /// Reads the widths or heights of tiles that share `total` superblocks, in at most 64 columns or rows.
    private mutating func tileSizes(total: Int, upTo limit: Int) -> (count: Int, largest: Int) {
        var rest = total, count = 0, largest = 0
        while rest > 0, !isDamaged {
            let size = number(below: min(rest, limit)) + 1
            rest -= size
            count += 1
            largest = max(largest, size)
            if count > 64 { fail() }
        }
        return (count, largest)
    }
}
