internal import CommandLineCore
internal import FrameCore
internal import Jobs
internal import Pipeline

/// Prints which moment of the source each frame of a speed ramp shows.
struct SpeedTimesJob {
    let printsJSON: Bool
    let file: String?

    /// - Parameter conversion: returns the job; its errors are those of options.
    /// - Throws: ``JobFailure`` if the job cannot be opened, or if the length of the input is not known.
    func run(_ conversion: () throws -> Conversion) throws {
        let job = try during(.options) { try conversion() }
        let open = try job.open(JobContext(ExecutionContext.serial), for: .sample)
        let times = try during(.openingInput) {
            try open.chain.rampTimes(
                from: open.part?.located.start ?? open.reader.start,
                to: open.part?.located.end ?? open.reader.stream.duration.map { open.reader.start + $0 })
        }
        let printer = EventPrinter(file: file)
        if !printsJSON { _ = Console.writeOut("frame       time     source   speed\n") }
        for (number, time) in times.enumerated() {
            let isWritten =
                printsJSON
                ? printer.print(
                    FrameTimeEvent(
                        frame: number, time: SixDecimals(time.shown.seconds), source: SixDecimals(time.source.seconds),
                        speed: SixDecimals(time.speed)))
                : Console.writeOut(Self.line(number, time) + "\n")
            guard isWritten else { return }
        }
    }

    private static func line(_ number: Int, _ time: RampTime) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        let speed = MediaTime(value: Int64((time.speed * 1e6).rounded()), timescale: 1_000_000).description
        return padded("\(number)", 5).dropFirst(number < 10_000 ? 0 : 1) + padded(time.shown.description, 11)
            + padded(time.source.description, 11) + padded(String(speed.dropLast(2)), 8)
    }
}
