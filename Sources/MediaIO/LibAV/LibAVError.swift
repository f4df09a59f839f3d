import CLibAV
import FrameCore

/// A failure libav reported: its number and text.
struct LibAVError: Error, CustomStringConvertible {
    let number: Int32

    var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard av_strerror(number, &buffer, buffer.count) == 0 else { return "libav error \(number)" }
        return String(nullTerminated: buffer)
    }

    var isNoSpace: Bool { number == vfx_averror(ENOSPC) }
    var isBrokenPipe: Bool { number == vfx_averror(EPIPE) }
}

/// Passes a non-negative libav result through and turns a negative one into a `FrameError`.
@discardableResult
func check(
    _ result: Int32, _ code: FrameError.Code, _ message: @autoclosure () -> String,
    at location: FrameError.Location = .init()
) throws(FrameError) -> Int32 {
    guard result < 0 else { return result }
    throw FrameError(code, message(), at: location, cause: LibAVError(number: result))
}

extension FrameError {
    /// The same error, at a file.
    func inFile(_ file: String) -> FrameError {
        var error = self
        error.location.file = file
        return error
    }
}

/// Passes an allocation through and turns its absence into a `FrameError`.
func allocated<T>(_ pointer: T?, _ what: String) throws(FrameError) -> T {
    guard let pointer else { throw FrameError(.allocation, "no memory for \(what)") }
    return pointer
}

extension String {
    init(nullTerminated characters: [CChar]) {
        self.init(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Text of a C string; empty for a null pointer.
    init(c pointer: UnsafePointer<CChar>?) { self = pointer.map { String(cString: $0) } ?? "" }
}
