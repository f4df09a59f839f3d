internal import FrameCore

/// The state of a detector as bytes, so that another process can continue where this one stopped.
///
/// All numbers are little-endian. Arrays begin with their count. Floating-point numbers are stored by their bits, so
/// that nothing is rounded.
extension SceneCutDetector {
    /// The version of the form; another version is not read.
    private static let stateVersion: Int32 = 1
    /// More frames, pairs or values than any state has.
    fileprivate static let mostEntries = 1 << 16

    /// The state after the frames appended so far.
    package var state: [UInt8] {
        var writer = ByteWriter(capacity: 1 << 20)
        writer.little(Self.stateVersion)
        writer.array(frames) { $0.signature($1) }
        writer.array(pairs) { $0.pair($1) }
        for value in [firstFrame, firstPair, next, count, whiteRun, litThrough] { writer.little(Int64(value)) }
        writer.array(flashPairs) { $0.little(Int64($1)) }
        writer.array([kept, lastShown].compactMap(\.self)) { $0.signature($1) }
        writer.little(UInt8(kept == nil ? 0 : 1))
        fades.write(to: &writer)
        return writer.bytes
    }

    /// Continues from a state; nil if the bytes are not one.
    ///
    /// - Parameter threshold: the threshold of the detector whose state it is; not part of the bytes.
    package init?(state: [UInt8], threshold: Float = Self.defaultThreshold) {
        self.init(threshold: threshold)
        var reader = ByteReader(state)
        guard reader.nextLittle(Int32.self) == Self.stateVersion, let frames = reader.array({ $0.signature() }),
            let pairs = reader.array({ $0.pair() }), let numbers = reader.numbers(6),
            let flashes = reader.array({ $0.number() }), let signatures = reader.array({ $0.signature() }),
            let hasKept = reader.nextLittle(UInt8.self), let fades = FadeHistory(&reader)
        else { return nil }
        self.frames = frames
        self.pairs = pairs
        (firstFrame, firstPair, next) = (numbers[0], numbers[1], numbers[2])
        (count, whiteRun, litThrough) = (numbers[3], numbers[4], numbers[5])
        flashPairs = flashes
        self.fades = fades
        kept = hasKept == 1 ? signatures.first : nil
        lastShown = signatures.count > (hasKept == 1 ? 1 : 0) ? signatures.last : nil
        guard isConsistent else { return nil }
    }

    /// Whether the indices refer to frames and pairs that exist.
    private var isConsistent: Bool {
        firstFrame >= 0 && firstPair >= 1 && next >= 1 && count >= 0 && whiteRun >= 0
            && firstFrame + frames.count == count && (count == 0 || firstPair + pairs.count == count)
            && firstFrame <= max(0, next - 1) && firstPair <= next && next <= max(1, count)
            && Set((frames + [kept, lastShown].compactMap(\.self)).map { [$0.width, $0.height] }).count <= 1
    }
}

extension CausalSceneCutDetector {
    /// The state after the calls so far.
    package var state: [UInt8] {
        var writer = ByteWriter()
        writer.array(pairs) { $0.pair($1) }
        return writer.bytes
    }

    /// Continues from a state; nil if the bytes are not one.
    package init?(state: [UInt8], threshold: Float = SceneCutDetector.defaultThreshold) {
        self.init(threshold: threshold)
        var reader = ByteReader(state)
        guard let pairs = reader.array({ $0.pair() }) else { return nil }
        self.pairs = pairs
    }
}

extension FrameSignature {
    /// The signature as bytes.
    package var state: [UInt8] {
        var writer = ByteWriter()
        writer.signature(self)
        return writer.bytes
    }

    /// Reads a signature; nil if the bytes are not one.
    package init?(state: [UInt8]) {
        var reader = ByteReader(state)
        guard let found = reader.signature() else { return nil }
        self = found
    }
}

extension FadeHistory {
    func write(to writer: inout ByteWriter) {
        writer.array(spreads) { $0.little($1) }
        for value in [count, lastCut] { writer.little(Int64(value)) }
    }

    init?(_ reader: inout ByteReader) {
        guard let spreads = reader.array({ $0.nextLittle(Int32.self) }), let numbers = reader.numbers(2),
            numbers.allSatisfy({ $0 >= 0 }), spreads.count <= Self.length, spreads.count <= numbers[0]
        else { return nil }
        self.spreads = spreads
        (count, lastCut) = (numbers[0], numbers[1])
    }
}

extension ByteWriter {
    fileprivate mutating func array<T>(_ values: [T], _ write: (inout ByteWriter, T) -> Void) {
        little(UInt32(values.count))
        for value in values { write(&self, value) }
    }

    fileprivate mutating func grid(_ grid: DownscaledPlane) {
        little(Int32(grid.width))
        little(Int32(grid.height))
        array(grid.values) { $0.little($1) }
    }

    fileprivate mutating func signature(_ signature: FrameSignature) {
        little(Int32(signature.width))
        little(Int32(signature.height))
        little(Int32(signature.luma.width))
        little(Int32(signature.luma.height))
        array(signature.fineLuma) { $0.little($1) }
        array(signature.samples) { $0.little($1) }
        array(signature.chroma.map { [$0.u, $0.v] } ?? []) { $0.grid($1) }
    }

    fileprivate mutating func pair(_ pair: PairMeasurement) {
        array(pair.values) { $0.little($1.bitPattern) }
        little(UInt8((pair.isBreak ? 1 : 0) | (pair.match.isColorless ? 2 : 0)))
    }
}

extension ByteReader {
    fileprivate mutating func array<T>(_ read: (inout ByteReader) -> T?) -> [T]? {
        guard let count = nextLittle(UInt32.self), count <= SceneCutDetector.mostEntries else { return nil }
        var values: [T] = []
        for _ in 0..<count {
            guard let value = read(&self) else { return nil }
            values.append(value)
        }
        return values
    }

    fileprivate mutating func number() -> Int? {
        nextLittle(Int64.self).flatMap { $0.magnitude < 1 << 40 ? Int($0) : nil }
    }

    fileprivate mutating func numbers(_ count: Int) -> [Int]? {
        let values = (0..<count).compactMap { _ in number() }
        return values.count == count ? values : nil
    }

    fileprivate mutating func size() -> (width: Int, height: Int)? {
        guard let width = nextLittle(Int32.self), let height = nextLittle(Int32.self), (1...1 << 16).contains(width),
            (1...1 << 16).contains(height)
        else { return nil }
        return (Int(width), Int(height))
    }

    fileprivate mutating func grid() -> DownscaledPlane? {
        guard let size = size(), let values = array({ $0.nextLittle(Int16.self) }),
            values.count == size.width * size.height, values.allSatisfy({ (0...1020).contains($0) })
        else { return nil }
        return DownscaledPlane(width: size.width, height: size.height, values: values)
    }

    fileprivate mutating func signature() -> FrameSignature? {
        guard let frame = size(), let luma = size(), let fine = array({ $0.nextLittle(UInt16.self) }),
            let samples = array({ $0.nextLittle(UInt16.self) }), let chroma = array({ $0.grid() })
        else { return nil }
        let reduction = BoxDownscaler(width: frame.width, height: frame.height)
        guard luma == (reduction.columns, reduction.rows), fine.count == luma.width * luma.height,
            fine.allSatisfy({ $0 <= 4095 }), chroma.isEmpty || chroma.count == 2
        else { return nil }
        return FrameSignature(
            FrameSignature.Grids(
                width: frame.width, height: frame.height, luma: (luma.width, luma.height, fine), samples: samples,
                chroma: chroma.count == 2 ? (chroma[0], chroma[1]) : nil))
    }

    fileprivate mutating func pair() -> PairMeasurement? {
        guard let bits = array({ $0.nextLittle(UInt32.self) }), let flags = nextLittle(UInt8.self) else { return nil }
        return PairMeasurement(
            bits.map(Float.init(bitPattern:)), isBreak: flags & 1 != 0, isColorless: flags & 2 != 0)
    }
}

extension PairMeasurement {
    /// All measured numbers, in the order in which ``init(_:isBreak:isColorless:)`` takes them.
    fileprivate var values: [Float] {
        [
            match.forward, match.backward, match.residual, match.difference, match.histogramDistance,
            match.structure.forward, match.structure.backward, match.travel, change.sampleMean, change.cellMaximum,
            change.patchMaximum, sharpness.x, sharpness.y, lightChange, spread,
        ]
    }

    fileprivate init?(_ values: [Float], isBreak: Bool, isColorless: Bool) {
        guard values.count == 15, values.allSatisfy(\.isFinite) else { return nil }
        var match = PairMatch()
        (match.forward, match.backward) = (values[0], values[1])
        (match.residual, match.difference, match.histogramDistance) = (values[2], values[3], values[4])
        match.structure = (values[5], values[6])
        match.travel = values[7]
        match.isColorless = isColorless
        var change = FrameChange()
        (change.sampleMean, change.cellMaximum, change.patchMaximum) = (values[8], values[9], values[10])
        self.init(
            match: match, change: change, sharpness: (values[11], values[12]), lightChange: values[13],
            spread: values[14], isBreak: isBreak)
    }
}
