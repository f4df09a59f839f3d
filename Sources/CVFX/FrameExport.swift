internal import CVFXInterface
internal import FrameCore

extension vfx_frame {
    /// The same frame with its samples taken for vectors.
    var withVectors: vfx_frame {
        var frame = self
        (frame.width, frame.depth) = (width / 2, Int32(VFX_DEPTH_VECTORS))
        return frame
    }

    /// A structure without samples.
    init(struct_size: UInt32, _ format: PixelFormat, _ width: Int, _ height: Int) {
        self.init()
        self.struct_size = struct_size
        (self.width, self.height) = (Int32(clamping: width), Int32(clamping: height))
        (subsampling, depth) = (format.subsampling.code, Int32(format.bitDepth))
    }

    /// A result. Its planes are those of `frame`, which must be kept.
    init(struct_size: UInt32, _ frame: Frame, id: UInt64, beginsScene: Bool) {
        self.init(struct_size: struct_size, frame.buffer.format, frame.buffer.width, frame.buffer.height)
        self.id = id
        flags = beginsScene ? UInt32(VFX_FRAME_BEGINS_SCENE) : 0
        (time, time_scale) = (frame.presentationTime.value, frame.presentationTime.timescale)
        if let duration = frame.duration { (self.duration, duration_scale) = (duration.value, duration.timescale) }
        matrix = Int32(frame.color.matrix.rawValue)
        primaries = Int32(frame.color.primaries.rawValue)
        transfer = Int32(frame.color.transfer.rawValue)
        field_order = frame.fieldOrder?.code ?? Int32(VFX_FIELDS_PROGRESSIVE)
        (range, chroma_location) = (frame.color.range.code, frame.color.chromaLocation.code)
        frame.buffer.withPlanes { planes in
            let all = (0..<planes.count).map { planes[$0] }
            (self.planes.0, strides.0) = (UnsafeRawPointer(all[0].base), all[0].stride)
            guard all.count == 3 else { return }
            (self.planes.1, strides.1) = (UnsafeRawPointer(all[1].base), all[1].stride)
            (self.planes.2, strides.2) = (UnsafeRawPointer(all[2].base), all[2].stride)
        }
    }
}
