import Foundation
import TestSupport
import Testing

@Suite struct TerminalTests {
    /// On a terminal the progress line is rewritten in place and removed at the end.
    @Test func progressIsOneLineOnATerminal() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        defer { close(master) }
        // TIOCSPTLCK and TIOCGPTN, as used by unlockpt and ptsname.
        var locked: Int32 = 0, number: UInt32 = 0
        try #require(ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let name = "/dev/pts/\(number)"
        let terminal = try #require(FileHandle(forUpdatingAtPath: name))
        let input = Pipe()
        let process = ProgramRun.make("vfx", ["slomo", "-", "-o", "x", "--format", "null", "--factor", "2"])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal
        try process.run()
        try terminal.close()
        // Send frames until progress has been shown or none are left.
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var text = ""
        func readTerminal() {
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = read(master, &bytes, bytes.count)
            text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        let data = try Y4M.encode(clip(1000))
        let frame = "FRAME\n".utf8.count + 64 * 48 * 3 / 2
        var written = data.count - 1000 * frame
        input.fileHandleForWriting.feed(data.prefix(written))
        while !text.contains("frames/s"), written < data.count {
            guard input.fileHandleForWriting.feed(data[written..<written + frame]) else { break }
            written += frame
            usleep(5000)
            readTerminal()
        }
        try input.fileHandleForWriting.close()
        #expect(
            waitUntil {
                readTerminal()
                return !process.isRunning
            })
        readTerminal()
        #expect(process.terminationStatus == 0)
        #expect(text.contains("\r"))
        #expect(text.contains("frames/s\u{1B}[K"))
        #expect(text.hasSuffix("cuts\r\n"))
    }
}
