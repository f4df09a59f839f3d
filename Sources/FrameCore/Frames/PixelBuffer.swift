import Kernels

/// A planar image in memory: a value type with copy-on-write storage.
///
/// Copies share their samples. All writing goes through ``withMutablePlanes(_:)``, which first makes the storage
/// unique, so a buffer that has been passed on never changes under its reader.
public struct PixelBuffer: Sendable {
    /// Alignment in bytes of the first sample and of the stride in planes allocated here. Borrowed planes need not be
    /// aligned.
    public static let alignment = 64
    /// Bytes after the last sample of each row that may be read and overwritten in planes allocated here.
    public static let rowPadding = 64
    /// The allowed width and height, in pixels: up to the limit of JPEG.
    public static let sizeRange = 1...65_535

    /// The layout of the planes.
    public let format: PixelFormat
    /// Width in pixels.
    public let width: Int
    /// Height in rows of pixels.
    public let height: Int
    /// The planes' memory. Holding another reference to it keeps the samples in place and unmodified: writes go to a
    /// copy.
    package private(set) var storage: PixelStorage

    /// Allocates planes with undefined contents.
    /// - Throws: ``FrameError`` if a side is outside ``sizeRange`` or memory cannot be allocated.
    public init(format: PixelFormat, width: Int, height: Int) throws(FrameError) {
        guard Self.sizeRange.contains(width), Self.sizeRange.contains(height) else {
            throw FrameError(
                .unsupportedSize,
                "\(width)x\(height) is not a supported size; each side must be \(Self.sizeRange.lowerBound) to \(Self.sizeRange.upperBound) pixels"
            )
        }
        try self.init(
            format: format, width: width, height: height,
            storage: PixelStorage(format: format, width: width, height: height))
    }

    package init(format: PixelFormat, width: Int, height: Int, storage: PixelStorage) {
        self.format = format
        self.width = width
        self.height = height
        self.storage = storage
    }

    /// Wraps planes owned by another object, such as a decoder's frame, without copying them.
    ///
    /// - Parameters:
    ///   - format: layout of the planes.
    ///   - width: width in pixels, in ``sizeRange``.
    ///   - height: height in rows of pixels, in ``sizeRange``.
    ///   - planes: the first sample and the stride in bytes of each plane of `format`; strides may be negative.
    ///   - owner: kept alive while any copy of the buffer exists; must not change the samples during that time.
    /// - Returns: nil if planes are missing or a side is outside ``sizeRange``.
    public init?(
        format: PixelFormat, width: Int, height: Int,
        borrowing planes: [(base: UnsafeMutableRawPointer, stride: Int)], owner: any AnyObject & Sendable
    ) {
        guard planes.count >= format.planeCount, Self.sizeRange.contains(width), Self.sizeRange.contains(height) else {
            return nil
        }
        self.init(
            format: format, width: width, height: height,
            storage: PixelStorage(planes: Array(planes.prefix(format.planeCount)), owner: owner))
    }

    /// Whether a write happens in place, without copying the samples.
    public var isUniquelyOwned: Bool {
        mutating get { isKnownUniquelyReferenced(&storage) && storage.isWritable }
    }

    /// Calls `body` with read access to the planes.
    public func withPlanes<R, E: Error>(_ body: (Planes) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(storage) {} }
        return try body(Planes(storage: storage, format: format, width: width, height: height))
    }

    /// Calls `body` with write access to the planes; shared samples are copied first.
    ///
    /// - Throws: ``FrameError`` if memory for the copy cannot be allocated.
    public mutating func withMutablePlanes<R>(_ body: (MutablePlanes) throws(FrameError) -> R) throws(FrameError) -> R {
        if !isUniquelyOwned { try replaceStorage(keepingSamples: true) }
        return try access(body)
    }

    /// Like ``withMutablePlanes(_:)``, for writers that set every sample: shared storage is replaced, not copied.
    ///
    /// - Throws: ``FrameError`` if memory cannot be allocated.
    public mutating func withOverwrittenPlanes<R>(_ body: (MutablePlanes) throws(FrameError) -> R) throws(FrameError)
        -> R
    {
        if !isUniquelyOwned { try replaceStorage(keepingSamples: false) }
        return try access(body)
    }

    private func access<R>(_ body: (MutablePlanes) throws(FrameError) -> R) throws(FrameError) -> R {
        defer { withExtendedLifetime(storage) {} }
        return try body(MutablePlanes(planes: Planes(storage: storage, format: format, width: width, height: height)))
    }

    private mutating func replaceStorage(keepingSamples: Bool) throws(FrameError) {
        let fresh = try PixelStorage(format: format, width: width, height: height)
        if keepingSamples {
            for plane in 0..<format.planeCount {
                let bytes = format.planeWidth(plane, width: width) * format.bytesPerSample
                let (from, to) = (storage.planes[plane], fresh.planes[plane])
                for row in 0..<format.planeHeight(plane, height: height) {
                    (to.base + row * to.stride).copyMemory(from: from.base + row * from.stride, byteCount: bytes)
                }
            }
        }
        storage = fresh
    }

    /// Whether all samples are equal, padding excluded.
    public func hasSameSamples(as other: PixelBuffer) -> Bool {
        guard format == other.format, width == other.width, height == other.height else { return false }
        if storage === other.storage { return true }
        return withPlanes { mine in
            other.withPlanes { theirs in
                (0..<format.planeCount).allSatisfy { plane in
                    let a = mine[plane], b = theirs[plane]
                    return (0..<a.height).allSatisfy { row in
                        vfx_bytes_equal(
                            a.base + row * a.stride, b.base + row * b.stride, a.width * format.bytesPerSample) != 0
                    }
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Whether any sample exceeds the format's maximum value, which is possible in 16-bit words.
    package var exceedsDepth: Bool {
        guard (9...15).contains(format.bitDepth) else { return false }
        return withPlanes { planes in
            (0..<planes.count).contains { plane in
                let plane = planes[plane]
                return (0..<plane.height).contains { row in
                    let words = plane.row(row).assumingMemoryBound(to: UInt16.self)
                    var union: UInt16 = 0
                    for x in 0..<plane.width { union |= words[x] }
                    return Int(union) > format.maximumValue
                }
            }
        }
    }

    /// Clamps samples to the format's maximum value.
    ///
    /// - Throws: ``FrameError`` if memory for a copy cannot be allocated.
    package mutating func clipToDepth() throws(FrameError) {
        let most = UInt16(truncatingIfNeeded: format.maximumValue)
        guard format.bytesPerSample == 2 else { return }
        try withMutablePlanes { planes throws(FrameError) in
            for plane in 0..<planes.count {
                let plane = planes[plane]
                for row in 0..<plane.height {
                    let words = plane.row(row).assumingMemoryBound(to: UInt16.self)
                    for x in 0..<plane.width { words[x] = min(words[x], most) }
                }
            }
        }
    }
}

/// The memory of a ``PixelBuffer``.
///
/// `@unchecked Sendable`: the pointers are written only through a uniquely referenced `PixelBuffer`, and the owner of
/// borrowed planes promises not to change its samples.
package final class PixelStorage: @unchecked Sendable {
    package typealias Plane = (base: UnsafeMutableRawPointer, stride: Int)
    let planes: [Plane]
    let isWritable: Bool
    private let allocation: UnsafeMutableRawPointer?
    private let byteCount: Int
    private let owner: (any AnyObject & Sendable)?
    private let recycler: PixelMemoryRecycler?

    convenience init(format: PixelFormat, width: Int, height: Int) throws(FrameError) {
        let layout = PixelLayout(format: format, width: width, height: height)
        guard let memory = vfx_allocate(layout.byteCount, PixelBuffer.alignment) else {
            throw FrameError(
                .allocation, "cannot allocate \(layout.byteCount) bytes for a \(width)x\(height) \(format) frame")
        }
        self.init(layout: layout, memory: memory, recycler: nil)
    }

    init(layout: PixelLayout, memory: UnsafeMutableRawPointer, recycler: PixelMemoryRecycler?) {
        planes = layout.planes.map { (memory + $0.offset, $0.stride) }
        isWritable = true
        allocation = memory
        byteCount = layout.byteCount
        owner = nil
        self.recycler = recycler
    }

    init(planes: [Plane], owner: any AnyObject & Sendable) {
        self.planes = planes
        self.owner = owner
        isWritable = false
        allocation = nil
        byteCount = 0
        recycler = nil
    }

    deinit {
        guard let allocation else { return }
        if let recycler { recycler.recycle(allocation) } else { vfx_free(allocation) }
    }
}

/// The offsets and strides of an image's planes within one allocation.
struct PixelLayout: Sendable {
    var planes: [(offset: Int, stride: Int)] = []
    var byteCount = 0

    init(format: PixelFormat, width: Int, height: Int) {
        for plane in 0..<format.planeCount {
            let rowBytes = format.planeWidth(plane, width: width) * format.bytesPerSample + PixelBuffer.rowPadding
            var stride = (rowBytes + PixelBuffer.alignment - 1) / PixelBuffer.alignment * PixelBuffer.alignment
            // Rows that are a multiple of 4 KiB apart would compete for the same cache sets.
            if stride % 4096 == 0 { stride += PixelBuffer.alignment }
            planes.append((byteCount, stride))
            byteCount += stride * format.planeHeight(plane, height: height)
        }
    }
}
