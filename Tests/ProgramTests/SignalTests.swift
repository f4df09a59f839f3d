import Foundation
import TestSupport
import Testing

@Suite struct SignalTests {
    /// Starts a job whose input never ends, waits until it writes, and sends signals.
    private func stopped(
        by number: Int32, times: Int = 1, output: String, arguments: [String] = []
    ) throws -> (Int32, [String], String) {
        let folder = try TemporaryFolder()
        let input = Pipe(), errors = Pipe()
        let process = ProgramRun.make(
            "vfx", ["slomo", "-", "-o", output, "--factor", "2"] + arguments, directory: folder.url)
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let frames = try Y4M.encode(clip(200))
        input.fileHandleForWriting.feed(frames)
        // More than a pipe's capacity was read, so the job is running; the .part file shows that writing has begun.
        if output.contains(".") { #expect(waitUntil { !folder.contents.isEmpty || !process.isRunning }) }
        for _ in 0..<times {
            kill(process.processIdentifier, number)
            usleep(2000)
        }
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
        #expect(process.terminationReason == .exit)
        return (process.terminationStatus, folder.contents, text)
    }

    @Test(arguments: [(SIGINT, Int32(130), "SIGINT"), (SIGTERM, Int32(143), "SIGTERM"), (SIGHUP, Int32(129), "SIGHUP")])
    func nothingIsLeftBehind(number: Int32, status: Int32, name: String) throws {
        let result = try stopped(by: number, output: "out.mkv")
        #expect(result.0 == status)
        #expect(result.1 == [])
        #expect(result.2.contains("vfx: error: stopped by \(name); nothing was written"))
    }

    /// `timeout` signals the process and then its group: both mean one request.
    @Test func aSignalSentSeveralTimesInARowIsOneRequest() throws {
        let result = try stopped(by: SIGINT, times: 5, output: "out.mkv")
        #expect(result.0 == 130)
        #expect(result.1 == [])
        #expect(result.2.contains("vfx: error: stopped by SIGINT; nothing was written"))
    }

    @Test func anExistingOutputSurvives() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data("old".utf8), to: "out.y4m")
        let input = Pipe()
        let process = ProgramRun.make(
            "vfx", ["slomo", "-", "-o", "out.y4m", "--factor", "2", "--overwrite"], directory: folder.url)
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.feed(Y4M.encode(clip(100)))
        #expect(waitUntil { folder.contents.count == 2 || !process.isRunning })
        process.terminate()
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
        #expect(process.terminationStatus == 143)
        #expect(folder.contents == ["out.y4m"])
        #expect(try folder.data("out.y4m") == Data("old".utf8))
    }

    @Test func nullIsStoppedToo() throws {
        let result = try stopped(by: SIGTERM, output: "null", arguments: ["--format", "null"])
        #expect(result.0 == 143)
        #expect(result.1 == [])
    }

    @Test func waitingForInputIsLeftAtOnce() throws {
        let input = Pipe(), errors = Pipe()
        let process = ProgramRun.make("vfx", ["slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--factor", "2"])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        #expect(waitUntil { process.blocksSignal(SIGINT) || !process.isRunning })
        kill(process.processIdentifier, SIGINT)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
        #expect(process.terminationStatus == 130)
        #expect(text == "vfx: error: stopped by SIGINT\n")
    }

    /// If the events are not read, a thread blocks forever while holding the lock that keeps output lines apart.
    @Test func afterTheFirstSignalNothingIsWaitedFor() throws {
        let folder = try TemporaryFolder(), output = Pipe(), input = Pipe(), errors = Pipe()
        let full = output.fileHandleForWriting.fileDescriptor, flags = fcntl(full, F_GETFL)
        _ = fcntl(full, F_SETFL, flags | O_NONBLOCK)
        while write(full, [UInt8](repeating: 10, count: 4096), 4096) > 0 {}
        _ = fcntl(full, F_SETFL, flags)
        let process = ProgramRun.make(
            "vfx", ["slomo", "-", "-o", "out.mkv", "--factor", "2", "--json"], directory: folder.url)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try input.fileHandleForWriting.feed(Y4M.encode(clip(10)))
        #expect(waitUntil { process.isWriting(to: STDOUT_FILENO) || !process.isRunning })
        #expect(process.isRunning)
        #expect(
            waitUntil {
                kill(process.processIdentifier, SIGTERM)
                return !process.isRunning
            })
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try? input.fileHandleForWriting.close()
        #expect(process.terminationReason == .exit && process.terminationStatus == 143)
        #expect(text == "vfx: error: stopped by SIGTERM\n")
    }

    /// If the reader of the output goes away, the write fails with a message; the program does not die silently.
    @Test func aClosedPipeIsAFailedWrite() throws {
        let output = Pipe(), errors = Pipe(), input = Pipe()
        let process = ProgramRun.make("vfx", ["slomo", "-", "-o", "-", "--format", "yuv4mpegpipe", "--factor", "2"])
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try output.fileHandleForWriting.close()
        try output.fileHandleForReading.close()
        let data = try Y4M.encode(clip(60))
        // The program may stop reading before it has read everything.
        input.fileHandleForWriting.feed(data)
        try? input.fileHandleForWriting.close()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 74, "\(text)")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        #expect(text.hasPrefix("vfx: error: "))
    }
}
