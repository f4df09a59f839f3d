internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import FrameAnalysis
internal import Jobs
internal import MediaIO
internal import Pipeline

/// Picks the best frames of one file as described by the command line.
struct ThumbnailsJob {
    var input: InputOptions
    /// Which part of the input is examined; nil for all of it.
    var part: ClipPart?
    var inputRate: Rational?
    var output: String
    var count: Int
    var candidates: Int
    var format: StillFormat
    var fileExtension: String
    var overwrites: Bool
    var threads: Int
    var report: ReportOptions

    /// The maximum number of luma samples in a clip that is read completely, which finds all cuts.
    private static let wholePixels = 0.9e9

    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
    func run() throws {
        let clock = ContinuousClock(), start = clock.now
        try during(.findingInput) { try InputAddress.requireReadable(input.input) }
        try during(.openingOutput) { try OutputFolder.check(output, overwrites: overwrites) }
        let reader = try during(.openingInput) { try MediaReader(input.input, options: readerOptions(threads: 0)) }
        let selection = try during(.reading) { try select(reader) }
        var damage = reader.damage
        damage.add(selection.damage)
        Console.clearProgress()
        guard !selection.picks.isEmpty else {
            throw JobStep.reading.failure(
                FrameError(.input, "there are no frames to pick from", at: .init(file: input.input)))
        }
        let files = try during(.writing) { try outputFiles(selection, reader) }
        try Signals.shared.heldBack(writing: output) {
            try during(.writing) {
                let folder = try OutputFolder(output, overwrites: overwrites)
                for file in files { try folder.write(file.name, file.bytes) }
                try folder.publish()
            }
        }
        tell(selection, damage, seconds: (clock.now - start) / .seconds(1), notes: reader.notes)
        if !damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    private func readerOptions(threads: Int) -> MediaReaderOptions {
        MediaReaderOptions(
            inputFrameRate: inputRate, startNumber: input.startNumber,
            isStrict: input.strict, decoderThreads: threads, keepsOtherStreams: false,
            allowsNetwork: !input.noNetwork, ignoresDolbyVision: input.dolbyVision.ignoreDolbyVision)
    }

    private func select(_ reader: MediaReader) throws -> ThumbnailSelection {
        let part = try part.map { try PartReader(reader, part: $0) }
        let source: any FrameSource = part ?? reader
        let stream = source.stream
        guard let first = try source.nextFrame() else {
            throw FrameError(.input, "there are no frames", at: .init(file: input.input))
        }
        var options = ThumbnailSelector.Options(
            count: count, capacity: candidates, duration: stream.duration, start: first.presentationTime)
        let rate = stream.nominalFrameRate?.doubleValue ?? 25
        let frames = stream.frameCount.map(Double.init) ?? stream.duration.map { $0.seconds * rate }
        let pixels = (frames ?? 0) * Double(stream.width * stream.height)
        if reader.isSeekable, pixels > Self.wholePixels, stream.duration != nil {
            let name = input.input
            let (single, several) = (readerOptions(threads: 1), readerOptions(threads: threads))
            let located = part?.part
            let sparse = KeyFrameSelection(
                options, threads: threads,
                keyFrames: {
                    let reader = try KeyFrameReader(name, options: single)
                    return located.map { PartKeyFrameReader(reader, part: $0) } ?? reader
                },
                frames: {
                    let reader = try MediaReader(name, options: several)
                    return try located.map { try PartReader(reader, part: $0.part) } ?? reader
                })
            if let selection = try sparse.run(progress: { show($0) }) { return selection }
        }
        // The frames of an input that cannot be read twice are kept.
        if !reader.isSeekable {
            options.keepsFrames = true
            // The output does not exist yet; the folder in which it is made does.
            var folder = LocalFile.path(output)
            while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            options.spillFolder = LocalFile.directory(of: folder)
        }
        var selector = try ThumbnailSelector(options)
        try selector.append(first)
        while let frame = try source.nextFrame() {
            try selector.append(frame)
            if let duration = stream.duration, duration > .zero {
                show(min(1, (frame.presentationTime - first.presentationTime).seconds / duration.seconds))
            }
        }
        return try selector.finish()
    }

    @discardableResult
    private func show(_ share: Double) -> Bool {
        if !report.quiet, !report.json, Console.standardErrorIsTerminal {
            Console.showProgress("looking for the best frames: \(Int(100 * share))%")
        }
        return true
    }

    /// Makes the output files, reading each picked frame again unless it was kept.
    private func outputFiles(_ selection: ThumbnailSelection, _ reader: MediaReader) throws -> [(
        name: String, bytes: [UInt8]
    )] {
        var again: MediaReader?
        return try ThumbnailFiles(
            stream: reader.stream, inputName: fileName(of: input.input), format: format, fileExtension: fileExtension,
            created: StillMetadata.created(reader), imageMetadata: reader.imageMetadata,
            context: ExecutionContext(threads: threads)
        ).make(selection) { pick in
            try during(.reading) {
                if let kept = try pick.frame() { return try deinterlaced(kept) }
                let source = try again ?? MediaReader(input.input, options: readerOptions(threads: threads))
                again = source
                try source.seek(to: pick.time)
                while let frame = try source.nextFrame() {
                    if frame.presentationTime >= pick.time {
                        return try deinterlaced(frame, next: source.nextFrame())
                    }
                }
                throw FrameError(
                    .decode, "the frame cannot be decoded a second time", at: .init(file: input.input, time: pick.time))
            }
        }
    }

    /// Returns a progressive frame.
    private func deinterlaced(_ frame: Frame, next: Frame? = nil) throws -> Frame {
        guard let fields = try input.fields.handling().fields else { return frame }
        let options = ConversionOptions(context: ExecutionContext(threads: threads))
        return try FrameDeinterlacer(fields, options: options).frame(frame, next: next)
    }

    private func tell(_ selection: ThumbnailSelection, _ damage: DamageReport, seconds: Double, notes: [Note]) {
        let reporter = Reporter(options: report)
        reporter.tell(notes: notes + selection.notes.asNotes, damage: damage)
        if report.json {
            reporter.printJSON(notes: notes + selection.notes.asNotes, damage: damage)
            for (index, pick) in selection.picks.enumerated() {
                reporter.events.print(
                    PickEvent(
                        file: "\(index + 1).\(fileExtension)", time: pick.time,
                        score: SixDecimals(Double(pick.score)), rank: SixDecimals(Double(pick.rank))))
            }
            let code: JobExitCode = damage.isEmpty ? .success : .doneWithDamage
            reporter.events.print(
                ThumbnailsFinishedEvent(
                    picks: selection.picks.count, lookedAt: selection.looks.count, seconds: seconds,
                    exitCode: code.rawValue))
        } else if !report.quiet {
            if report.verbose {
                for (index, pick) in selection.picks.enumerated() {
                    Console.note(
                        "\(index + 1).\(fileExtension) at \(pick.time) s: \(pick.reasons.joined(separator: ", "))")
                }
            }
            if report.stats {
                let memory = ProcessMemory.peakKiB.map { ", \($0 / 1024) MiB at most" } ?? ""
                Console.say(
                    "\(counted(selection.looks.count, "frame")) examined, \(counted(selection.cuts.count, "cut")) found\(memory)"
                )
            }
            let times = selection.picks.map { String(format: "%.2f s", $0.time.seconds) }.joined(separator: ", ")
            Console.say(
                "\(output): \(counted(selection.picks.count, "frame")) of \(selection.looks.count) examined (\(times)) in \(String(format: "%.1f", seconds)) s"
            )
        }
    }
}
