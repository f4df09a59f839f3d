internal import Foundation
package import FrameCore

/// The program's two text streams. Lines printed by several threads do not mix.
package enum Console {
    private static let lock = Lock<Bool>(false)

    package static let standardErrorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Prints a line on standard error, replacing the progress line if there is one. Control characters, which names of
    /// files may contain, are escaped.
    package static func say(_ line: String) {
        let line = printable(line)
        lock.withLock { hasProgress in
            let clear = hasProgress ? "\r\u{1B}[K" : ""
            hasProgress = false
            write(clear + line + "\n", to: STDERR_FILENO)
        }
    }

    package static func error(_ sentence: String) { say("vfx: error: \(sentence)") }
    package static func warning(_ sentence: String) { say("vfx: warning: \(sentence)") }
    package static func note(_ sentence: String) { say("vfx: note: \(sentence)") }
    /// Prints the sentence of a note.
    package static func note(_ note: Note) { self.note(note.sentence) }

    /// Prints an error just before the process exits, without waiting for another thread's output or a full pipe.
    package static func lastError(_ sentence: String) {
        var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, 0) == 1, room.revents & Int16(POLLOUT) != 0 else { return }
        write("\(standardErrorIsTerminal ? "\r\u{1B}[K" : "")vfx: error: \(sentence)\n", to: STDERR_FILENO)
    }

    /// Replaces the progress line; for terminals only.
    package static func showProgress(_ line: String) {
        lock.withLock { hasProgress in
            hasProgress = true
            write("\r\(line)\u{1B}[K", to: STDERR_FILENO)
        }
    }

    /// Removes the progress line.
    package static func clearProgress() {
        lock.withLock { hasProgress in
            if hasProgress { write("\r\u{1B}[K", to: STDERR_FILENO) }
            hasProgress = false
        }
    }

    /// Writes to standard output; returns false if not all of it could be written.
    @discardableResult
    package static func writeOut(_ text: String) -> Bool {
        lock.withLock { _ in write(text, to: STDOUT_FILENO) }
    }

    /// Returns text in which control characters are escaped as in Swift, such as `\n`.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default:
                scalar.properties.generalCategory == .control
                    ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }.joined()
    }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // The reader has closed its end; the caller decides whether the job continues.
            guard written > 0 else { return false }
            bytes.removeFirst(written)
        }
        return true
    }
}
