public import FrameCore

/// One motion vector per sample of a frame, the form that other programs exchange.
public struct DenseFlow: Sendable, Hashable {
    /// The magnitude at or above which a component marks the motion as unknown, as in Middlebury files.
    public static let unknownThreshold: Float = 1e9

    /// Width in samples.
    public let width: Int
    /// Height in samples.
    public let height: Int
    /// Motion in samples to the right and down, row by row from the top.
    public let vectors: [SIMD2<Float>]

    /// Creates a flow from one vector per sample.
    ///
    /// - Parameters:
    ///   - width: 1…65535 samples.
    ///   - height: 1…65535 samples.
    ///   - vectors: `width * height` finite vectors, row by row from the top.
    /// - Throws: `FrameError` when an argument is out of range.
    public init(width: Int, height: Int, vectors: [SIMD2<Float>]) throws(FrameError) {
        try Self.checkSize(width, height)
        guard vectors.count == width * height else {
            throw FrameError(
                .invalidArgument,
                "\(vectors.count) vectors were given for \(width)x\(height) samples; \(width * height) are needed")
        }
        if let odd = vectors.firstIndex(where: { !$0.x.isFinite || !$0.y.isFinite }) {
            throw FrameError(
                .invalidArgument,
                "the vector at \(odd % width),\(odd / width) is \(vectors[odd].x),\(vectors[odd].y); components must be finite"
            )
        }
        self.init(width: width, height: height, checked: vectors)
    }

    init(width: Int, height: Int, checked vectors: [SIMD2<Float>]) {
        self.width = width
        self.height = height
        self.vectors = vectors
    }

    private static func checkSize(_ width: Int, _ height: Int) throws(FrameError) {
        guard (1...65535).contains(width), (1...65535).contains(height) else {
            throw FrameError(
                .unsupportedSize, "a flow of \(width)x\(height) is not supported; flows are 1x1 to 65535x65535")
        }
    }

    /// Returns the mean motion of each cell of 4×4 samples. Unknown motion counts as zero.
    func cells() -> MotionVectorField {
        let field = MotionVectorField(width: width, height: height), side = MotionVectorField.cellSize
        for row in 0..<field.rows {
            for column in 0..<field.columns {
                var sum = SIMD2<Float>.zero, count: Float = 0
                for y in row * side..<min(height, (row + 1) * side) {
                    for x in column * side..<min(width, (column + 1) * side) {
                        let v = vectors[y * width + x]
                        if max(abs(v.x), abs(v.y)) < Self.unknownThreshold { sum += v }
                        count += 1
                    }
                }
                let most = Float(MotionVector.limit)
                let mean = (sum / count * Float(1 << MotionVector.fractionBits))
                    .clamped(lowerBound: .init(repeating: -most), upperBound: .init(repeating: most))
                field.vectors[column, row] = MotionVector(mean, rounding: .toNearestOrAwayFromZero)
            }
        }
        return field
    }
}

// MARK: - Middlebury .flo

extension DenseFlow {
    /// The number at the start of every `.flo` file: 202021.25, whose bytes spell `PIEH`.
    private static let floTag: UInt32 = 0x4845_4950

    /// Reads a `.flo` file: tag, width and height as 32-bit integers, then pairs of 32-bit floats row by row, all
    /// little-endian (S. Baker et al., A Database and Evaluation Methodology for Optical Flow, IJCV 2011).
    /// - Throws: `FrameError` for a wrong tag, a size out of range, or a length that does not match the size.
    public init(flo data: some Collection<UInt8>) throws(FrameError) {
        var bytes = ByteReader(Array(data))
        guard let tag = bytes.nextLittle(UInt32.self), tag == Self.floTag else {
            throw FrameError(.decode, "this is not a .flo file: it does not start with PIEH")
        }
        guard let w = bytes.nextLittle(Int32.self), let h = bytes.nextLittle(Int32.self) else {
            throw FrameError(.decode, "the .flo file ends after \(data.count) bytes; its header has 12")
        }
        let width = Int(w), height = Int(h)
        try Self.checkSize(width, height)
        guard data.count == 12 + 8 * width * height else {
            throw FrameError(
                .decode,
                "the .flo file has \(data.count) bytes; \(width)x\(height) vectors need \(12 + 8 * width * height)")
        }
        var vectors: [SIMD2<Float>] = []
        vectors.reserveCapacity(width * height)
        while let x = bytes.nextLittle(UInt32.self), let y = bytes.nextLittle(UInt32.self) {
            vectors.append(SIMD2(Float(bitPattern: x), Float(bitPattern: y)))
        }
        try self.init(width: width, height: height, vectors: vectors)
    }

    /// Returns the flow as the bytes of a `.flo` file.
    public func flo() -> [UInt8] {
        var file = ByteWriter(capacity: 12 + 8 * vectors.count)
        file.little(Self.floTag)
        file.little(Int32(width))
        file.little(Int32(height))
        for v in vectors {
            file.little(v.x.bitPattern)
            file.little(v.y.bitPattern)
        }
        return file.bytes
    }
}

// MARK: - Half precision

extension DenseFlow {
    /// Creates a flow from two-component half-precision vectors, row by row from the top.
    /// - Throws: `FrameError` when the count does not match the size or a component is not finite.
    public init(width: Int, height: Int, halfPrecision: [SIMD2<Float16>]) throws(FrameError) {
        try self.init(width: width, height: height, vectors: halfPrecision.map { SIMD2<Float>($0) })
    }

    /// Returns two-component half-precision vectors, row by row from the top: eleven significant bits, magnitudes
    /// limited to 65504.
    public func halfPrecision() -> [SIMD2<Float16>] {
        let most = SIMD2<Float>(repeating: Float(Float16.greatestFiniteMagnitude))
        return vectors.map { SIMD2<Float16>($0.clamped(lowerBound: -most, upperBound: most)) }
    }
}
