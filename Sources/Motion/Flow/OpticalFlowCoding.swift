public import FrameCore

/// The layout of an optical flow file, version 1. All numbers are little-endian.
///
/// | offset | type | meaning |
/// |---|---|---|
/// | 0 | 8 bytes | `VFXFLOW` and a zero byte |
/// | 8 | UInt32 | version, 1 |
/// | 12 | UInt32 | width of the frames in luma samples, 16…8192 |
/// | 16 | UInt32 | height of the frames in luma samples, 16…8192 |
/// | 20 | UInt32 | pyramid level L, 0 to the last level of such a pyramid; cells have a side of 4·2ᴸ samples |
/// | 24 | cells | forward field, row by row from the top |
/// | | cells | backward field |
/// | end − 4 | UInt32 | CRC-32 (as in PNG) of all preceding bytes |
///
/// The size of level L is the frame size halved L times, rounded up each time. A field has one cell for every 4×4
/// samples of that level, rounded up. A cell has 10 bytes:
///
/// | type | meaning |
/// |---|---|
/// | Int16 ×2 | motion to the right and down in 1/32 sample of level L, −32256…32256 |
/// | UInt16 | sum of absolute differences of the matched 8×8 block at 8 bits, 0…16320 |
/// | UInt16 | forward–backward consistency error, in 1/32 sample of level L |
/// | UInt8 | confidence, 0…255 |
/// | UInt8 | occlusion, 0…255 |
private enum Layout {
    static let magic = Array("VFXFLOW".utf8) + [0]
    static let version: UInt32 = 1
    static let headBytes = 24
    static let cellBytes = 10
    static let highestCost: UInt32 = 255 * 64

    /// Returns the columns and rows of cells of a level.
    static func cells(width: Int, height: Int, level: Int) -> (columns: Int, rows: Int) {
        func side(_ samples: Int) -> Int {
            var side = samples
            for _ in 0..<level { side = (side + 1) / 2 }
            return (side + MotionVectorField.cellSize - 1) / MotionVectorField.cellSize
        }
        return (side(width), side(height))
    }
}

extension OpticalFlow {
    /// Returns the flow as the bytes of a file, without loss.
    ///
    /// The layout, version 1, little-endian: `VFXFLOW\0`; UInt32 version, width, height and pyramid level; the cells of
    /// the forward field and then of the backward field row by row, 10 bytes each (Int16 x and y in 1/32 sample of the
    /// level, UInt16 block difference, UInt16 forward–backward consistency error, UInt8 confidence, UInt8 occlusion); a
    /// CRC-32 of everything before it.
    public func encoded() -> [UInt8] {
        let cellBytes = Layout.cellBytes * 2 * forward.columns * forward.rows
        var file = ByteWriter(capacity: Layout.headBytes + cellBytes + 4)
        file.raw(Layout.magic)
        file.little(Layout.version)
        file.little(UInt32(width))
        file.little(UInt32(height))
        file.little(UInt32(forward.level))
        for field in [forward, backward] {
            let confidence = field.confidenceMap, occlusion = field.occlusionMap
            for i in 0..<field.columns * field.rows {
                let v = field.cells.vectors.base[i]
                file.little(v.x)
                file.little(v.y)
                file.little(UInt16(min(field.cells.costs.base[i], Layout.highestCost)))
                file.little(field.consistencyErrors.base[i])
                file.little(confidence.base[i])
                file.little(occlusion.base[i])
            }
        }
        file.little(CRC32.of(file.bytes))
        return file.bytes
    }

    /// Reads the bytes that ``encoded()`` returned.
    /// - Throws: `FrameError` when the data is not an optical flow file, has another version, a size, level or value
    ///   out of range, a length that does not match its size, or a checksum that does not match.
    public init(decoding data: some Collection<UInt8>) throws(FrameError) {
        var bytes = ByteReader(Array(data))
        guard bytes.next(Layout.magic.count)?.elementsEqual(Layout.magic) == true else {
            throw FrameError(.decode, "this is not an optical flow file: it does not start with VFXFLOW")
        }
        guard let version = bytes.nextLittle(UInt32.self), let w = bytes.nextLittle(UInt32.self),
            let h = bytes.nextLittle(UInt32.self), let l = bytes.nextLittle(UInt32.self)
        else {
            throw FrameError(
                .decode, "the optical flow file ends after \(data.count) bytes; its header has \(Layout.headBytes)")
        }
        guard version == Layout.version else {
            throw FrameError(
                .unsupportedFormat,
                "the optical flow file has version \(version); this program reads version \(Layout.version)")
        }
        let width = Int(w), height = Int(h), level = Int(l)
        try FlowField.checkSize(width, height)
        let levels = LumaPyramid.levelCount(width: width, height: height)
        guard level < levels else {
            throw FrameError(
                .decode,
                "the optical flow file has level \(level); \(width)x\(height) has levels 0 to \(levels - 1)")
        }
        let (columns, rows) = Layout.cells(width: width, height: height, level: level)
        let length = Layout.headBytes + 2 * columns * rows * Layout.cellBytes + 4
        guard data.count == length else {
            throw FrameError(
                .decode,
                "the optical flow file has \(data.count) bytes; \(width)x\(height) at level \(level) needs \(length)")
        }
        guard bytes.little(length - 4, as: UInt32.self) == CRC32.of(bytes.bytes.dropLast(4)) else {
            throw FrameError(.decode, "the optical flow file is damaged; its checksum does not match")
        }
        func field() throws(FrameError) -> FlowField {
            let (cells, errors, confidence) = try Self.cells(&bytes, columns, rows)
            return FlowField(
                width: width, height: height, level: level, cells: cells, consistencyErrors: errors,
                confidence: LazyFlowConfidence(confidence))
        }
        try self.init(forward: field(), backward: field())
    }

    private static func cells(
        _ bytes: inout ByteReader, _ columns: Int, _ rows: Int
    ) throws(FrameError) -> (MotionVectorField, Buffer2D<UInt16>, FlowConfidence) {
        let side = MotionVectorField.cellSize
        let cells = MotionVectorField(width: columns * side, height: rows * side)
        let errors = Buffer2D<UInt16>(columns: columns, rows: rows, filledWith: 0)
        let known = FlowConfidence(columns: columns, rows: rows)
        let range = -MotionVector.limit...MotionVector.limit
        for i in 0..<columns * rows {
            guard let x = bytes.nextLittle(Int16.self), let y = bytes.nextLittle(Int16.self),
                let cost = bytes.nextLittle(UInt16.self),
                let error = bytes.nextLittle(UInt16.self), let confidence = bytes.nextLittle(UInt8.self),
                let occlusion = bytes.nextLittle(UInt8.self)
            else { throw FrameError(.decode, "the optical flow file ends too soon") }
            guard range.contains(x), range.contains(y), cost <= Layout.highestCost else {
                throw FrameError(
                    .decode,
                    "a cell of the optical flow file has motion \(x),\(y) and difference \(cost); allowed are -\(MotionVector.limit) to \(MotionVector.limit) and 0 to \(Layout.highestCost)"
                )
            }
            cells.vectors.base[i] = MotionVector(x, y)
            cells.costs.base[i] = UInt32(cost)
            errors.base[i] = error
            known.confidence.base[i] = confidence
            known.occlusion.base[i] = occlusion
        }
        return (cells, errors, known)
    }
}
