import CLibAV
import FrameCore

/// Keeps libav off standard error and hands its error lines to whoever owns the context they are about.
enum LogCollector {
    private static let lines = Lock<[UInt: [String]]>([:])
    private static let limit = 16

    /// Replaces libav's log callback, once per process.
    static let installed: Void = {
        // No picture that is read takes more in one piece, whatever a file says of itself.
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

    /// Takes the lines collected for a context so far.
    static func take(_ context: UnsafeMutableRawPointer) -> [String] {
        lines.withLock { all in
            guard let found = all[UInt(bitPattern: context)] else { return [] }
            all[UInt(bitPattern: context)] = []
            return found
        }
    }
}
