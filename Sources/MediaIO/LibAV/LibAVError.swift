import CLibAV
import FrameCore

/// An error that libav reported: its number and text.
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

/// Returns a libav result if it is not negative, else throws a `FrameError`.
@discardableResult
func check(
    _ result: Int32, _ code: FrameError.Code, _ message: @autoclosure () -> String,
    at location: FrameError.Location = .init()
) throws(FrameError) -> Int32 {
    guard result < 0 else { return result }
    throw FrameError(code, message(), at: location, cause: LibAVError(number: result))
}

extension FrameError {
    /// Returns the same error with a file as its location.
    func inFile(_ file: String) -> FrameError {
        var error = self
        error.location.file = file
        return error
    }
}

/// Returns an allocated pointer, or throws a `FrameError` if it is nil.
func allocated<T>(_ pointer: T?, _ what: String) throws(FrameError) -> T {
    guard let pointer else { throw FrameError(.allocation, "no memory for \(what)") }
    return pointer
}

/// Keeps libav's log off standard error, and collects its error lines by the context that logged them.
enum LogCollector {
    private static let lines = Lock<[UInt: [String]]>([:])
    private static let limit = 16

    /// Replaces libav's log callback, once per process.
    static let installed: Void = {
        // No supported frame needs a larger allocation, whatever a file claims.
        av_max_alloc(1000 << 20)
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_ERROR, let context, let format else { return }
            LogCollector.keep(context, level, format, arguments)
        }
    }()

    private static func keep(
        _ context: UnsafeMutableRawPointer, _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?
    ) {
        guard let arguments else { return }
        var key = UInt(bitPattern: context)
        if lines.withLock({ $0[key] == nil }) {
            guard let owner = vfx_log_owner(context) else { return }
            key = UInt(bitPattern: owner)
            guard lines.withLock({ $0[key] != nil }) else { return }
        }
        var text = [CChar](repeating: 0, count: 512)
        var prefix: Int32 = 0
        guard av_log_format_line2(nil, level, format, arguments, &text, Int32(text.count), &prefix) >= 0 else { return }
        let line = String(nullTerminated: text).split(separator: "\n").first.map(String.init) ?? ""
        guard !line.isEmpty else { return }
        lines.withLock { all in
            guard let known = all[key], known.count < limit, !known.contains(line) else { return }
            all[key, default: []].append(line)
        }
    }

    static func begin(_ context: UnsafeMutableRawPointer) { lines.withLock { $0[UInt(bitPattern: context)] = [] } }
    static func end(_ context: UnsafeMutableRawPointer) { lines.withLock { $0[UInt(bitPattern: context)] = nil } }

    /// Returns and clears the lines collected for a context.
    static func take(_ context: UnsafeMutableRawPointer) -> [String] {
        lines.withLock { all in
            guard let found = all[UInt(bitPattern: context)] else { return [] }
            all[UInt(bitPattern: context)] = []
            return found
        }
    }
}
