import Kernels

/// Provides pixel buffers of one format and size, and reuses their memory once the last copy is gone.
public final class PixelBufferPool: Sendable {
    /// The format of the buffers.
    public let format: PixelFormat
    /// Width in luma samples.
    public let width: Int
    /// Height in luma rows.
    public let height: Int
    private let layout: PixelLayout
    private let recycler: PixelMemoryRecycler

    /// Creates a pool without allocating any memory.
    ///
    /// - Parameters:
    ///   - format: format of the buffers.
    ///   - width: width in luma samples, in ``PixelBuffer/sizeRange``.
    ///   - height: height in luma rows, in ``PixelBuffer/sizeRange``.
    ///   - keeping: the maximum number of free allocations kept for reuse.
    /// - Throws: ``FrameError`` if a side is outside ``PixelBuffer/sizeRange``.
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

    /// Returns a buffer with undefined contents.
    /// - Throws: ``FrameError`` if memory cannot be allocated.
    public func makeBuffer() throws(FrameError) -> PixelBuffer {
        guard let memory = recycler.take() ?? vfx_allocate(layout.byteCount, PixelBuffer.alignment) else {
            throw FrameError(
                .allocation, "cannot allocate \(layout.byteCount) bytes for a \(width)x\(height) \(format) frame")
        }
        return PixelBuffer(
            format: format, width: width, height: height,
            storage: PixelStorage(layout: layout, memory: memory, recycler: recycler))
    }
}

/// The free list shared by a pool and its buffers, which frees its memory when the last of them is gone.
///
/// `@unchecked Sendable`: the list is only accessed under the lock.
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
