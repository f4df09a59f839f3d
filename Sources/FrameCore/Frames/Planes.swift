/// Read access to the planes of a ``PixelBuffer``, valid inside the closure that received it.
public struct Planes {
    private let storage: PixelStorage
    /// Format of the buffer.
    public let format: PixelFormat
    private let width: Int
    private let height: Int

    init(storage: PixelStorage, format: PixelFormat, width: Int, height: Int) {
        self.storage = storage
        self.format = format
        self.width = width
        self.height = height
    }

    /// Number of planes: 1 or 3.
    public var count: Int { format.planeCount }

    /// A plane: 0 is luma, 1 Cb, 2 Cr; below ``count``.
    public subscript(plane: Int) -> Plane {
        let memory = storage.planes[plane]
        return Plane(
            base: UnsafeRawPointer(memory.base), stride: memory.stride, width: format.planeWidth(plane, width: width),
            height: format.planeHeight(plane, height: height))
    }
}

/// Read access to one plane.
public struct Plane {
    /// First sample of the first row.
    public let base: UnsafeRawPointer
    /// Bytes from one row to the next; may be negative.
    public let stride: Int
    /// Samples per row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// A plane in memory that the caller keeps alive.
    package init(base: UnsafeRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }

    /// First byte of a row.
    public func row(_ y: Int) -> UnsafeRawPointer { base + y * stride }
}

/// Write access to the planes of a uniquely owned ``PixelBuffer``, valid inside the closure that received it.
public struct MutablePlanes {
    /// Read access to the same planes.
    package let planes: Planes

    /// Format of the buffer.
    public var format: PixelFormat { planes.format }
    /// Number of planes: 1 or 3.
    public var count: Int { planes.count }

    /// A plane: 0 is luma, 1 Cb, 2 Cr; below ``count``.
    public subscript(plane: Int) -> MutablePlane {
        let p = planes[plane]
        return MutablePlane(
            base: UnsafeMutableRawPointer(mutating: p.base), stride: p.stride, width: p.width, height: p.height)
    }
}

/// Write access to one plane.
public struct MutablePlane {
    /// First sample of the first row.
    public let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    public let stride: Int
    /// Samples per row.
    public let width: Int
    /// Rows.
    public let height: Int

    /// A plane in memory that the caller keeps alive.
    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }

    /// First byte of a row.
    public func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * stride }
}
