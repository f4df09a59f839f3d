internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Pipeline

/// The part of a job that models removed noise as film grain. It reads the input once before the conversion does.
struct FilmGrainJob {
    /// The noise that the job removes.
    var noise: NoiseLevel
    /// Whether the grain is stored with the video.
    var isKept: Bool
    /// The file for the grain table; nil for none.
    var tableFile: String?

    /// - Returns: nil if no noise is to be modelled.
    init?(_ options: GrainOptions, noise: NoiseLevel) {
        guard options.isKept || options.grainTable != nil else { return nil }
        self.noise = noise
        isKept = options.isKept
        tableFile = options.grainTable
    }

    /// Checks that the output can store grain, if it is to be kept.
    func check(_ output: OutputOptions, _ writer: MediaWriterOptions) throws(FrameError) {
        guard noise.amount > 0 else {
            throw FrameError(
                .invalidArgument,
                "--grain keep and --grain-table need noise that is removed; with a strength of 0 none is")
        }
        if isKept { try writer.checkFilmGrain(output: output.output) }
    }

    /// Checks that the files can be written, before the input is read.
    func checkFiles(_ output: OutputOptions, input: String) throws(FrameError) {
        if let file = OutputKind(output).file, !output.resume {
            try SingleFile.check(file, input: input, overwrites: output.overwrite)
        }
        guard let tableFile else { return }
        if output.output != "-", LocalFile.isSame(tableFile, output.output) {
            throw FrameError(
                .output, "--grain-table and --output name the same file; use two names", at: .init(file: tableFile))
        }
        try SingleFile.check(tableFile, input: input, overwrites: output.overwrite || output.resume)
    }

    /// Reads the input, or the part of it that the job makes, and models the noise.
    ///
    /// - Parameter prepared: the job; its reader stays at its start.
    /// - Returns: the table, with times on the clock of the job's output.
    /// - Throws: any error of reading.
    func table(_ input: String, _ prepared: PreparedConversion, _ reporter: Reporter) throws -> FilmGrainTable {
        guard prepared.reader.isReopenable else {
            throw FrameError(
                .invalidArgument,
                "the grain is measured before the video is encoded, so the input is read twice, which a pipe does not allow; name a file, or use --grain add=STRENGTH",
                at: .init(file: input))
        }
        var options = prepared.readerOptions
        options.keepsOtherStreams = false
        let again = try MediaReader(input, options: options)
        let part = try prepared.part.map { try PartReader(again, part: $0.located.part) }
        guard prepared.cutList == nil || part == nil || part?.part.firstFrame != nil else {
            throw FrameError(
                .invalidArgument,
                "the frames of this input cannot be counted without decoding, so the cuts of --cuts cannot be found in a part of it; leave out --cuts, or --grain keep and --grain-table",
                at: .init(file: input))
        }
        let first = part?.part.firstFrame ?? 0
        var survey = FilmGrainSurvey(
            noise: noise, threads: prepared.threads, cuts: prepared.work.cuts,
            cutList: prepared.cutList.map { Set($0.lazy.map { $0 - first }) })
        let expected = again.stream.likelyFrameCount
        defer { Console.clearProgress() }
        var table = try survey.table(of: part ?? again) { frames in
            guard Console.standardErrorIsTerminal, !reporter.isQuiet, !reporter.isJSON, frames.isMultiple(of: 16) else {
                return
            }
            Console.showProgress("measuring grain: frame \(frames)\(expected.map { " of about \($0)" } ?? "")")
        }
        if let part { table.origin = table.origin - part.part.start }
        return table
    }

    /// Has the grain stored, or says that there is none.
    func apply(_ table: FilmGrainTable, to options: inout MediaWriterOptions, _ work: inout ConversionWork) {
        guard table.isEmpty else {
            if isKept { options.filmGrain = table }
            return
        }
        let notes = work.notes
        let note: Note = "no noise was found, so \(isKept ? "no film grain is stored" : "the grain table is empty")"
        work.notes = { notes($0) + [note] }
    }

    /// Writes the file of the table, if one is wanted. A file that holds it already is left as it is.
    func write(_ table: FilmGrainTable, _ output: OutputOptions, input: String) throws(FrameError) {
        guard let tableFile else { return }
        let text = Array(table.text.utf8)
        // An interrupted join may have written it.
        if LocalFile.read(LocalFile.path(tableFile), atMost: text.count) == text { return }
        try SingleFile.write(
            Data(text), to: tableFile, input: input, overwrites: output.overwrite || output.resume)
    }
}
