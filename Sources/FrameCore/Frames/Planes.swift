/// Read access to the planes of a ``PixelBuffer``, valid only inside the closure that receives it.
public struct Planes {
    private let storage: PixelStorage
    /// The format of the buffer.
    public let format: PixelFormat
    private let width: Int
    private let height: Int

    init(storage: PixelStorage, format: PixelFormat, width: Int, height: Int) {
        self.storage = storage
        self.format = format
        self.width = width
        self.height = height
    }

    /// The number of planes: 1 or 3 of color, and one more with alpha.
    public var count: Int { format.planeCount }

    /// Accesses a plane by its index below ``count``: luma, Cb and Cr, or green, blue and red; alpha is the last.
    public subscript(plane: Int) -> Plane {
        let memory = storage.planes[plane]
        return Plane(
            base: UnsafeRawPointer(memory.base), stride: memory.stride, width: format.planeWidth(plane, width: width),
            height: format.planeHeight(plane, height: height))
    }
}

/// Read access to one plane.
public struct Plane {
    /// The first sample of the first row.
    public let base: UnsafeRawPointer
    /// The distance from one row to the next in bytes; may be negative.
    public let stride: Int
    /// Width in samples.
    public let width: Int
    /// Height in rows.
    public let height: Int

    /// Creates a plane over memory that the caller keeps alive.
    package init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }

    /// Returns the first byte of a row.
    public func row(_ y: Int) -> UnsafeRawPointer { base + y * stride }

    /// Returns one sample, of a plane whose samples take `bytes` bytes.
    @inlinable package func sample(_ x: Int, _ y: Int, bytes: Int) -> Int {
        let row = base + y * stride
        return bytes == 1
            ? Int(row.load(fromByteOffset: x, as: UInt8.self)) : Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
    }
}

/// Write access to the planes of a uniquely owned ``PixelBuffer``, valid only inside the closure that receives it.
public struct MutablePlanes {
    /// Read access to the same planes.
    package let planes: Planes

    /// The format of the buffer.
    public var format: PixelFormat { planes.format }
    /// The number of planes: 1 or 3 of color, and one more with alpha.
    public var count: Int { planes.count }

    /// Accesses a plane by its index below ``count``: luma, Cb and Cr, or green, blue and red; alpha is the last.
    public subscript(plane: Int) -> MutablePlane {
        let p = planes[plane]
        return MutablePlane(
            base: UnsafeMutableRawPointer(mutating: p.base), stride: p.stride, width: p.width, height: p.height)
    }
}

/// Write access to one plane.
public struct MutablePlane {
    /// The first sample of the first row.
    public let base: UnsafeMutableRawPointer
    /// The distance from one row to the next in bytes; may be negative.
    public let stride: Int
    /// Width in samples.
    public let width: Int
    /// Height in rows.
    public let height: Int

    /// Creates a plane over memory that the caller keeps alive.
    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }

    /// Returns the first byte of a row.
    public func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * stride }
}
