internal import CVFXInterface
internal import FrameCore

/// The layout of the frames of a stream.
struct FrameLayout: Sendable {
    var format: PixelFormat
    var width: Int
    var height: Int

    /// - Throws: ``CallError`` or `FrameError` if no effect takes such frames.
    init(width: Int32, height: Int32, subsampling: Int32, depth: Int32) throws {
        guard let chroma = ChromaSubsampling(code: subsampling) else {
            throw CallError(
                VFX_ERROR_UNSUPPORTED,
                "subsampling \(subsampling) is not supported; it is 400, 420, 422 or 444, YCbCr without alpha")
        }
        format = try PixelFormat(subsampling: chroma, bitDepth: Int(depth))
        self.width = Int(width)
        self.height = Int(height)
    }

    /// Returns the planes of a frame, checked.
    func planes(of frame: vfx_frame) throws -> [(base: UnsafeMutableRawPointer, stride: Int)] {
        guard Int(frame.width) == width, Int(frame.height) == height, Int(frame.depth) == format.bitDepth,
            frame.subsampling == format.subsampling.code
        else {
            throw CallError(
                VFX_ERROR_ARGUMENT,
                "the frame is \(frame.width)x\(frame.height) with subsampling \(frame.subsampling) and \(frame.depth) bits; the stream has \(width)x\(height), \(format.subsampling.code) and \(format.bitDepth)"
            )
        }
        let bases = [frame.planes.0, frame.planes.1, frame.planes.2]
        let strides = [frame.strides.0, frame.strides.1, frame.strides.2]
        return try (0..<format.planeCount).map { plane in
            guard let base = bases[plane] else {
                throw CallError(
                    VFX_ERROR_ARGUMENT, "plane \(plane) is a null pointer; the format has \(format.planeCount) planes")
            }
            let row = format.planeWidth(plane, width: width) * format.bytesPerSample
            guard strides[plane].magnitude >= row, strides[plane].magnitude <= 1 << 30 else {
                throw CallError(
                    VFX_ERROR_ARGUMENT,
                    "the stride of plane \(plane) is \(strides[plane]) bytes; a row has \(row), and 1073741824 are the most"
                )
            }
            guard (Int(bitPattern: base) | strides[plane]) % format.bytesPerSample == 0 else {
                throw CallError(
                    VFX_ERROR_ARGUMENT,
                    "plane \(plane) is not aligned; its address and stride are multiples of 2 for samples of \(format.bitDepth) bits"
                )
            }
            return (UnsafeMutableRawPointer(mutating: base), strides[plane])
        }
    }

    /// Copies planes.
    func copy(_ planes: [(base: UnsafeMutableRawPointer, stride: Int)], from pool: PixelBufferPool) throws
        -> PixelBuffer
    {
        var buffer = try pool.makeBuffer()
        try buffer.withOverwrittenPlanes { copies in
            for (plane, source) in planes.enumerated() {
                let copy = copies[plane], bytes = copy.width * format.bytesPerSample
                for row in 0..<copy.height {
                    copy.row(row).copyMemory(from: source.base + row * source.stride, byteCount: bytes)
                }
            }
        }
        return buffer
    }
}

/// Keeps a caller's planes, and tells the caller when they are no longer needed.
///
/// `@unchecked Sendable`: `isTaken` is set before any other thread can drop the last reference, because the thread that
/// sets it has one; the context is passed on and not used.
final class BorrowedPlanes: @unchecked Sendable {
    private let release: @convention(c) (UnsafeMutableRawPointer?) -> Void
    private let context: UnsafeMutableRawPointer?
    /// Whether the stream has taken the frame.
    var isTaken = false

    init(_ release: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?) {
        self.release = release
        self.context = context
    }

    deinit { if isTaken { release(context) } }
}

extension vfx_frame {
    /// Reads a caller's structure.
    ///
    /// - Throws: ``CallError`` if the pointer is null or the structure is smaller than this version's.
    init(checking pointer: UnsafePointer<vfx_frame>?) throws {
        guard let pointer else { throw CallError(VFX_ERROR_ARGUMENT, "the frame is a null pointer") }
        let size = UnsafeRawPointer(pointer).load(as: UInt32.self), least = MemoryLayout<vfx_frame>.size
        guard size >= least else {
            throw CallError(VFX_ERROR_ARGUMENT, "struct_size is \(size); it is sizeof(vfx_frame), at least \(least)")
        }
        self = pointer.pointee
    }

    /// The times and the colour description with the samples of `buffer`.
    func frame(_ buffer: PixelBuffer) throws -> Frame {
        guard time_scale >= 1 else {
            throw CallError(VFX_ERROR_ARGUMENT, "time_scale is \(time_scale); it is at least 1")
        }
        guard duration >= 0, duration_scale >= 0 else {
            throw CallError(
                VFX_ERROR_ARGUMENT, "the duration is \(duration)/\(duration_scale); neither number is negative")
        }
        guard let order = FieldOrder.ofCode(field_order) else {
            throw CallError(VFX_ERROR_ARGUMENT, "field_order is \(field_order); it is 0 to 2")
        }
        return Frame(
            buffer: buffer, presentationTime: MediaTime(value: time, timescale: time_scale),
            duration: duration_scale == 0 ? nil : MediaTime(value: duration, timescale: duration_scale),
            color: try color, fieldOrder: order)
    }

    private var color: ColorDescription {
        get throws {
            func code(_ value: Int32, _ name: String) throws -> UInt8 {
                guard let code = UInt8(exactly: value) else {
                    throw CallError(VFX_ERROR_ARGUMENT, "\(name) is \(value); it is 0 to 255")
                }
                return code == 0 ? 2 : code
            }
            guard let range = ColorDescription.Range(code: range) else {
                throw CallError(VFX_ERROR_ARGUMENT, "range is \(range); it is 0 to 2")
            }
            guard let location = ColorDescription.ChromaLocation(code: chroma_location) else {
                throw CallError(VFX_ERROR_ARGUMENT, "chroma_location is \(chroma_location); it is 0 to 6")
            }
            return ColorDescription(
                matrix: .init(rawValue: try code(matrix, "matrix")),
                primaries: .init(rawValue: try code(primaries, "primaries")),
                transfer: .init(rawValue: try code(transfer, "transfer")), range: range, chromaLocation: location)
        }
    }
}
