import Kernels

/// Planar picture in memory, a value with copy-on-write storage.
///
/// Copies share their samples. Writing happens only through ``withMutablePlanes(_:)``, which first makes the storage
/// unique, so a buffer that has been handed on never changes under its reader.
public struct PixelBuffer: Sendable {
    /// Alignment of the first sample and of the stride of each plane allocated here, in bytes; borrowed planes have any.
    public static let alignment = 64
    /// Bytes after the last sample of each row that may be read and overwritten, in planes allocated here.
    public static let rowPadding = 64
    /// Sizes a buffer may have, per side.
    public static let sizeRange = 1...16384

    /// Layout of the planes.
    public let format: PixelFormat
    /// Luma samples per row.
    public let width: Int
    /// Rows of luma.
    public let height: Int
    /// The samples stay where they are, and are never written, as long as this is held besides by the buffer.
    package private(set) var storage: PixelStorage

    /// Allocates planes whose contents are undefined.
    /// - Throws: ``FrameError`` when a side lies outside ``sizeRange`` or memory is short.
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

    /// Wraps planes that belong to someone else (a decoder's frame), without a copy.
    ///
    /// - Parameters:
    ///   - format: layout of the planes.
    ///   - width: luma samples per row, in ``sizeRange``.
    ///   - height: rows of luma, in ``sizeRange``.
    ///   - planes: one entry per plane of `format`: first sample and stride in bytes (negative strides are allowed).
    ///   - owner: kept alive as long as any copy of the buffer; must not change the samples meanwhile.
    /// - Returns: nil when planes are missing or a side lies outside ``sizeRange``.
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

    /// Whether writing would happen in place.
    public var isUniquelyOwned: Bool {
        mutating get { isKnownUniquelyReferenced(&storage) && storage.isWritable }
    }

    /// Gives read access to the planes for the duration of `body`.
    public func withPlanes<R, E: Error>(_ body: (Planes) throws(E) -> R) throws(E) -> R {
        defer { withExtendedLifetime(storage) {} }
        return try body(Planes(storage: storage, format: format, width: width, height: height))
    }

    /// Gives write access for the duration of `body`; samples are copied first when the storage is shared.
    ///
    /// - Throws: ``FrameError`` when memory for the copy is short.
    public mutating func withMutablePlanes<R>(_ body: (MutablePlanes) throws(FrameError) -> R) throws(FrameError) -> R {
        if !isUniquelyOwned { try replaceStorage(keepingSamples: true) }
        return try access(body)
    }

    /// Like ``withMutablePlanes(_:)`` for writers that set every sample: shared storage is replaced without copying it.
    ///
    /// - Throws: ``FrameError`` when memory is short.
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

    /// Whether all samples (not the padding) are equal.
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
    /// Whether a sample is larger than the format's bits can say; 16-bit words may hold such values.
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

    /// Makes samples that are too large for the format the largest it has.
    ///
    /// - Throws: ``FrameError`` when memory for a copy is short.
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

/// Memory behind a ``PixelBuffer``.
///
/// `@unchecked Sendable`: the pointers are written only through a uniquely referenced `PixelBuffer`, and a borrowed
/// owner promises not to change its samples.
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
                .allocation, "no memory for a \(width)x\(height) \(format) picture of \(layout.byteCount) bytes")
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

/// Where the planes of a picture lie in one allocation.
struct PixelLayout: Sendable {
    var planes: [(offset: Int, stride: Int)] = []
    var byteCount = 0

    init(format: PixelFormat, width: Int, height: Int) {
        for plane in 0..<format.planeCount {
            let rowBytes = format.planeWidth(plane, width: width) * format.bytesPerSample + PixelBuffer.rowPadding
            var stride = (rowBytes + PixelBuffer.alignment - 1) / PixelBuffer.alignment * PixelBuffer.alignment
            // Rows a multiple of 4 KiB apart would all compete for the same cache sets.
            if stride % 4096 == 0 { stride += PixelBuffer.alignment }
            planes.append((byteCount, stride))
            byteCount += stride * format.planeHeight(plane, height: height)
        }
    }
}
