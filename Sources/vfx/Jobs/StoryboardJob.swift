internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Reports
internal import Storyboards

/// One storyboard as described by the command line.
struct StoryboardJob {
    private let command: Storyboard

    init(_ command: Storyboard) { self.command = command }

    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
    func run() throws {
        var (input, configuration) = try during(.options) { try plan() }
        let interval = try during(.options) {
            try command.interval.map { try OptionValue.position($0, option: "--interval") }
        }
        let part = try during(.options) { try command.part.part() }
        try during(.options) {
            if let time = interval?.time { configuration.interval = time }
            _ = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        }
        try during(.findingInput) { try InputAddress.requireReadable(input) }
        let reader = try during(.openingInput) {
            try MediaReader(
                input,
                options: MediaReaderOptions(
                    keepsOtherStreams: false, keyFramesOnly: command.keyframes,
                    allowsNetwork: !command.noNetwork, ignoresDolbyVision: command.dolbyVision.ignoreDolbyVision))
        }
        let writer = try during(.openingInput) {
            if let interval { try configuration.setInterval(interval, of: reader.stream) }
            return try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        }
        let partReader = try during(.openingInput) { try part.map { try PartReader(reader, part: $0) } }
        Signals.shared.willOpenOutput()
        let folder = try during(.openingOutput) {
            try OutputFolder(command.output, overwrites: command.overwrite)
        }
        defer { folder.discard() }
        let isStopped = Lock(false)
        Signals.shared.watch { isStopped.withLock { $0 = true } }
        let clock = ContinuousClock(), start = clock.now
        let board: StoryboardDescription
        do {
            board = try writer.write(
                partReader ?? reader, delay: part == nil ? reader.pictureDelay : .zero,
                length: { part == nil ? reader.playingTime : nil },
                onTile: { _ in if isStopped.withLock({ $0 }) { throw CancellationError() } },
                to: { name, bytes in try during(.writing) { try folder.write(name, bytes) } })
            if isStopped.withLock({ $0 }) { throw CancellationError() }
        } catch is CancellationError {
            folder.discard()
            throw Signals.shared.failure
        } catch {
            throw JobStep.reading.failure(error)
        }
        try during(.writing) {
            if try formats().isPageWanted {
                try StoryboardPlayerPage.write(
                    board, video: input, start: partReader.map { $0.offset + reader.pictureDelay } ?? .zero,
                    path: command.output, to: folder)
            }
            try folder.publish()
        }
        Signals.shared.didCloseOutput()
        report(
            board, reader, notes(board, configuration) + reader.notesOnProfile(in: "the tiles"),
            seconds: (clock.now - start) / .seconds(1))
        if !reader.damage.isEmpty { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }

    private func plan() throws(FrameError) -> (String, StoryboardConfiguration) {
        guard let input = command.input else {
            throw FrameError(.invalidArgument, "name a video, or a track to look up with --lookup")
        }
        if command.at != nil { throw FrameError(.invalidArgument, "--at requires --lookup") }
        if command.json, command.quiet {
            throw FrameError(.invalidArgument, "--json and --quiet are mutually exclusive; give only one of them")
        }
        var configuration = StoryboardConfiguration()
        if let text = command.grid {
            let size = try OptionValue.size(text, option: "--grid", range: 1...100)
            (configuration.columns, configuration.rows) = (size.width, size.height)
        }
        if let text = command.width {
            configuration.tileWidth = try OptionValue.whole(text, option: "--width", range: 16...1920)
        }
        if let text = command.quality {
            configuration.quality = try OptionValue.whole(text, option: "--quality", range: 1...100)
        }
        if command.webp { configuration.format = .webp }
        if command.single { configuration.layout = .singleImages }
        configuration.outputs = try formats().outputs
        if let address = command.baseURL { configuration.baseURL = try Self.folderAddress(address) }
        configuration.context = ExecutionContext(threads: try OptionValue.threads(command.threads))
        return (input, configuration)
    }

    /// Returns the formats to write, and whether the page is one of them.
    private func formats() throws(FrameError) -> (outputs: Set<StoryboardConfiguration.Output>, isPageWanted: Bool) {
        guard let text = command.formats else { return (Set(StoryboardConfiguration.Output.allCases), true) }
        var outputs: Set<StoryboardConfiguration.Output> = [], isPageWanted = false
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            if name == "page" {
                isPageWanted = true
                // The page shows the sheets, which come with their track.
                outputs.insert(.vtt)
            } else if let output = StoryboardConfiguration.Output(rawValue: String(name)) {
                outputs.insert(output)
            } else {
                let names = StoryboardConfiguration.Output.allCases.map(\.rawValue) + ["page"]
                throw FrameError(
                    .invalidArgument,
                    "--formats '\(name)' is not a format; the formats are \(names.joined(separator: ", "))")
            }
        }
        return (outputs, isPageWanted)
    }

    /// Returns the address of a folder, with a slash at its end and every character escaped that an address must not
    /// contain.
    private static func folderAddress(_ text: String) throws(FrameError) -> String {
        let scheme = text.firstIndex(of: ":").map { text[..<$0].lowercased() }
        guard !text.isEmpty, scheme == nil || text.hasPrefix("/") || ["http", "https"].contains(scheme),
            scheme == nil || text.hasPrefix("/") || text.firstRange(of: "://") != nil,
            !text.contains(where: { "?#".contains($0) }), !text.unicodeScalars.contains(where: { $0.value < 32 })
        else {
            throw FrameError(
                .invalidArgument,
                "--base-url '\(text)' is not the address of a folder, such as https://example.com/boards/ or ../boards/"
            )
        }
        var escaped = "", rest = Substring(text)
        while let next = rest.first {
            let code = rest.dropFirst().prefix(2)
            let isEscape = next == "%" && code.count == 2 && code.allSatisfy(\.isHexDigit)
            let isAllowed = next.isASCII && (next.isLetter || next.isNumber || "-._~:/@!$&()*+,;=[]".contains(next))
            escaped +=
                isEscape || isAllowed
                ? String(next) : next.utf8.map { "%" + $0.zeroPadded(to: 2, radix: 16).uppercased() }.joined()
            rest = rest.dropFirst()
        }
        return escaped.hasSuffix("/") ? escaped : escaped + "/"
    }

    private func notes(_ board: StoryboardDescription, _ wanted: StoryboardConfiguration) -> [Note] {
        guard board.sheetCount > 1, wanted.layout == .sprites,
            board.tilesPerSheet < wanted.columns * wanted.rows
        else { return [] }
        return [
            Note(
                "sheets-reduced",
                "sheets have \(board.columns)x\(board.rows) tiles instead of \(wanted.columns)x\(wanted.rows), because some devices show no image of more than 16 megapixels"
            )
        ]
    }

    private func report(
        _ board: StoryboardDescription, _ reader: MediaReader, _ own: [Note], seconds: Double
    ) {
        let notes = reader.notes + own
        if command.json {
            let code: JobExitCode = reader.damage.isEmpty ? .success : .doneWithDamage
            EventPrinter(file: command.file).print(
                StoryboardEvent(
                    input: command.input ?? "", output: command.output, tiles: board.tileCount,
                    sheets: board.sheetCount, columns: board.columns, rows: board.rows, tileWidth: board.tileWidth,
                    tileHeight: board.tileHeight, intervalMs: Int(board.intervalMilliseconds),
                    durationMs: Int(board.durationMilliseconds), seconds: seconds, notes: notes.map(NoteEvent.init),
                    exitCode: code.rawValue))
        } else if !command.quiet {
            for note in notes { Console.note(note) }
            Console.say(
                "\(command.output): \(counted(board.tileCount, "tile")) of \(board.tileWidth)x\(board.tileHeight) on \(counted(board.sheetCount, "sheet"))"
            )
        }
        for note in reader.damage.notes { Console.warning(note) }
    }
}
