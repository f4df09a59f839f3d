public import CVFXInterface
internal import FrameCore
internal import Pipeline

// The functions of `vfx.h`, where they are documented.

private let streams = HandleTable<StreamObject>(kind: 1)
private let results = HandleTable<Frame>(kind: 2)
private let version = StaticString("0.1.0")

@c @implementation
public func vfx_abi_version() -> UInt32 { UInt32(VFX_ABI_VERSION) }

@c @implementation
public func vfx_version() -> UnsafePointer<CChar>? {
    UnsafeRawPointer(version.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func vfx_last_error() -> UnsafePointer<CChar>? { LastError.pointer }

@c @implementation
public func vfx_create(
    _ effect: UnsafePointer<CChar>?, _ width: Int32, _ height: Int32, _ subsampling: Int32, _ depth: Int32,
    _ options: UnsafePointer<vfx_option>?, _ option_count: Int, _ stream: UnsafeMutablePointer<vfx_stream>?
) -> vfx_status {
    stream?.pointee = 0
    return status {
        guard let stream else { throw CallError(VFX_ERROR_ARGUMENT, "the pointer to the handle is null") }
        let layout = try FrameLayout(width: width, height: height, subsampling: subsampling, depth: depth)
        let object = try StreamObject(layout, StreamOptions(effect: effect, options, count: option_count))
        guard let handle = streams.insert(object) else {
            throw CallError(
                VFX_ERROR_MEMORY, "there are \(HandleTable<StreamObject>.capacity) streams; no more are allowed")
        }
        stream.pointee = handle
        return VFX_OK
    }
}

@c @implementation
public func vfx_segments(
    _ length: UnsafeMutablePointer<Int32>?, _ lead: UnsafeMutablePointer<Int32>?
) -> vfx_status {
    status {
        guard let length, let lead else { throw CallError(VFX_ERROR_ARGUMENT, "a pointer is null") }
        (length.pointee, lead.pointee) = (Int32(ResetSchedule.interval), Int32(ResetSchedule.lead))
        return VFX_OK
    }
}

@c @implementation
public func vfx_describe(_ stream: vfx_stream, _ result: UnsafeMutablePointer<vfx_frame>?) -> vfx_status {
    status {
        let size = try vfx_frame(checking: result).struct_size
        result?.pointee = try object(stream).description(struct_size: size)
        return VFX_OK
    }
}

@c @implementation
public func vfx_submit(_ stream: vfx_stream, _ frame: UnsafePointer<vfx_frame>?) -> vfx_status {
    status { try object(stream).submit(vfx_frame(checking: frame)) }
}

@c @implementation
public func vfx_finish(_ stream: vfx_stream) -> vfx_status {
    status {
        try object(stream).finish()
        return VFX_OK
    }
}

@c @implementation
public func vfx_receive(_ stream: vfx_stream, _ result: UnsafeMutablePointer<vfx_frame>?) -> vfx_status {
    status {
        let size = try vfx_frame(checking: result).struct_size
        let object = try object(stream), received = try object.receive()
        guard let frame = received.frame else { return received.status }
        guard let id = results.insert(frame) else {
            throw CallError(
                VFX_ERROR_MEMORY, "\(HandleTable<Frame>.capacity) results have not been released; no more are allowed")
        }
        result?.pointee = object.description(
            struct_size: size, of: frame, id: id, beginsScene: received.beginsScene)
        return VFX_OK
    }
}

@c @implementation
public func vfx_release(_ id: UInt64) -> vfx_status {
    status {
        guard results.remove(id) != nil else {
            throw CallError(VFX_ERROR_HANDLE, "there is no result \(id) (any more)")
        }
        return VFX_OK
    }
}

@c @implementation
public func vfx_destroy(_ stream: vfx_stream) -> vfx_status {
    status {
        guard let object = streams.remove(stream) else { throw noStream(stream) }
        object.destroy()
        return VFX_OK
    }
}

private func object(_ stream: vfx_stream) throws -> StreamObject {
    guard let object = streams.object(stream) else { throw noStream(stream) }
    return object
}

private func noStream(_ stream: vfx_stream) -> CallError {
    CallError(VFX_ERROR_HANDLE, "there is no stream \(stream) (any more)")
}
