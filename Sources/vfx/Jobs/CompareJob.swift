internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import Jobs
internal import MediaIO
internal import Reports

/// One comparison as described by the command line.
struct CompareJob {
    private let command: Compare

    init(_ command: Compare) { self.command = command }

    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
    func run() throws {
        let (part, stretch, threads) = try during(.options) {
            (
                try command.part.part(),
                try command.stretch.map {
                    try OptionValue.whole($0, option: "--stretch", range: 1...ClipComparer.mostStretch)
                }, try command.threading.count()
            )
        }
        try during(.options) {
            if command.before == "-", command.after == "-" {
                throw FrameError(
                    .invalidArgument, "only one clip can come from standard input; name a file for the other")
            }
            if command.output == "-" {
                throw FrameError(.invalidArgument, "the page cannot be written to standard output; name a file")
            }
        }
        for input in [command.before, command.after] {
            try during(.findingInput) { try InputAddress.requireReadable(input) }
        }
        if let output = command.output {
            try during(.openingOutput) {
                for input in [command.before, command.after] {
                    try SingleFile.check(output, input: input, overwrites: command.overwrite)
                }
            }
        }
        let fields = try during(.options) { try command.fields.handling() }
        let options = MediaReaderOptions(
            decoderThreads: command.threading.threads == nil ? 0 : threads,
            keepsOtherStreams: false, allowsNetwork: !command.noNetwork,
            ignoresDolbyVision: command.dolbyVision.ignoreDolbyVision)
        let readers = try [command.before, command.after].map { input in
            try during(.openingInput) { try MediaReader(input, options: options) }
        }
        let context = ExecutionContext(threads: threads)
        let sides = try during(.openingInput) {
            try ComparedSides(readers[0], readers[1], part: part, stretch: stretch, options: options)
                .deinterlaced(
                    fields.fields(of: readers[0], context: context),
                    FieldHandling.auto.fields(of: readers[1], context: context), context)
        }
        let comparison = try compare(sides, ExecutionContext(threads: threads))
        Console.clearProgress()
        if let output = command.output {
            let page = ComparisonPage(
                before: fileName(of: command.before), after: fileName(of: command.after), comparison: comparison)
            try Signals.shared.heldBack(writing: output) {
                try during(.writing) {
                    try SingleFile.write(
                        Data(page.html().utf8), to: output, input: command.before, overwrites: command.overwrite)
                }
            }
        }
        tell(comparison, readers)
        if readers.contains(where: { !$0.damage.isEmpty }) {
            throw ExitCode(JobExitCode.doneWithDamage.rawValue)
        }
    }

    private func compare(_ sides: ComparedSides, _ context: ExecutionContext) throws -> ClipComparison {
        var comparer = try during(.options) {
            try ClipComparer(
                before: sides.before, after: sides.after, stretch: sides.stretch, afterStart: sides.afterStart,
                encoder: StillCodec(), context: context)
        }
        let length = sides.before.stream.duration?.seconds
        return try during(.reading) {
            try comparer.run { time in
                if let length, length > 0, !command.quiet, !command.json, Console.standardErrorIsTerminal {
                    Console.showProgress("comparing: \(Int(100 * min(1, max(0, time.seconds / length))))%")
                }
                return true
            }
        }
    }

    private func tell(_ comparison: ClipComparison, _ readers: [MediaReader]) {
        let events = EventPrinter()
        var notes = comparison.notes, isDamaged = false
        for reader in readers {
            let name = reader.input == "-" ? fileName(of: reader.input) : reader.input
            notes += (reader.notes + reader.notesOnProfile(in: "the pictures of the page")).map {
                Note($0.code, "\(name): \($0)", isLoss: $0.isLoss)
            }
            if !reader.damage.isEmpty { isDamaged = true }
            for note in reader.damage.notes {
                guard command.json else {
                    Console.warning("\(name): \(note)")
                    continue
                }
                events.print(
                    DamageEvent(input: reader.input, message: note, lostUnits: reader.damage.lostUnits))
            }
        }
        guard let whole = comparison.whole else { return }
        if command.json {
            let code: JobExitCode = isDamaged ? .doneWithDamage : .success
            events.print(
                ComparisonEvent(
                    before: command.before, after: command.after, output: command.output, pairs: comparison.pairs,
                    equal: comparison.equal, onlyBefore: comparison.onlyBefore, onlyAfter: comparison.onlyAfter,
                    stretch: comparison.stretch, psnr: whole.psnr, ssim: SixDecimals(whole.ssim),
                    lowestSsim: SixDecimals(whole.lowestSSIM), notes: notes.map(NoteEvent.init),
                    exitCode: code.rawValue))
            return
        }
        guard !command.quiet else { return }
        for note in notes { Console.note(note) }
        let psnr = zip(comparison.planeNames, whole.psnr).map { name, value in
            "\(name) \(value.isFinite ? String(format: "%.2f dB", value) : "equal")"
        }
        var extra = ""
        if comparison.onlyBefore + comparison.onlyAfter > 0 {
            extra = " (\(comparison.onlyBefore) only before, \(comparison.onlyAfter) only after)"
        }
        Console.say(
            "\(counted(comparison.pairs, "pair"))\(extra), \(comparison.equal) equal; PSNR \(psnr.joined(separator: ", ")); SSIM \(String(format: "%.4f", whole.ssim)), lowest \(String(format: "%.4f", whole.lowestSSIM))"
        )
    }
}
