import Kernels

/// Hands out equal-sized pixel buffers and takes their memory back when the last copy goes.
public final class PixelBufferPool: Sendable {
    /// Format of the buffers.
    public let format: PixelFormat
    /// Luma samples per row.
    public let width: Int
    /// Rows of luma.
    public let height: Int
    private let layout: PixelLayout
    private let recycler: PixelMemoryRecycler

    /// Makes a pool; nothing is allocated yet.
    ///
    /// - Parameters:
    ///   - format: of the buffers.
    ///   - width: luma samples per row, in ``PixelBuffer/sizeRange``.
    ///   - height: rows of luma, in ``PixelBuffer/sizeRange``.
    ///   - keeping: how many free allocations are kept for reuse.
    /// - Throws: ``FrameError`` when a side lies outside ``PixelBuffer/sizeRange``.
    public init(format: PixelFormat, width: Int, height: Int, keeping: Int = 8) throws(FrameError) {
        guard PixelBuffer.sizeRange.contains(width), PixelBuffer.sizeRange.contains(height) else {
            throw FrameError(
                .unsupportedSize,
                "\(width)x\(height) is not a supported size; each side must be \(PixelBuffer.sizeRange.lowerBound) to \(PixelBuffer.sizeRange.upperBound) pixels"
            )
        }
        self.format = format
        self.width = width
        self.height = height
        layout = PixelLayout(format: format, width: width, height: height)
        recycler = PixelMemoryRecycler(limit: max(0, keeping))
    }

    /// A buffer whose contents are undefined.
    /// - Throws: ``FrameError`` when memory is short.
    public func makeBuffer() throws(FrameError) -> PixelBuffer {
        guard let memory = recycler.take() ?? vfx_allocate(layout.byteCount, PixelBuffer.alignment) else {
            throw FrameError(
                .allocation, "no memory for a \(width)x\(height) \(format) picture of \(layout.byteCount) bytes")
        }
        return PixelBuffer(
            format: format, width: width, height: height,
            storage: PixelStorage(layout: layout, memory: memory, recycler: recycler))
    }
}

/// Free list shared by a pool and the buffers it made, so that memory outlives neither needlessly.
///
/// `@unchecked Sendable`: the list is reached only under the lock.
final class PixelMemoryRecycler: @unchecked Sendable {
    private let free = Lock<[UInt]>([])
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func take() -> UnsafeMutableRawPointer? {
        free.withLock { $0.popLast() }.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
    }

    func recycle(_ memory: UnsafeMutableRawPointer) {
        let kept = free.withLock { list in
            guard list.count < limit else { return false }
            list.append(UInt(bitPattern: memory))
            return true
        }
        if !kept { vfx_free(memory) }
    }

    deinit { free.withLock { $0.forEach { vfx_free(UnsafeMutableRawPointer(bitPattern: $0)) } } }
}
