internal import Foundation
internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Pipeline

/// The part of a job that models removed noise as film grain. It reads the input once before the conversion does.
package struct GrainModelling {
    /// The noise that the job removes; nil if it removes none.
    let noise: NoiseLevel?
    /// Whether the grain is stored with the video.
    let isKept: Bool
    /// The file for the grain table; nil for none.
    let tableFile: String?

    /// - Returns: nil if no noise is to be modelled.
    init?(_ conversion: Conversion) {
        let extras = conversion.extras
        guard extras.keepsGrain || extras.grainTable != nil else { return nil }
        noise = conversion.effects.lazy.compactMap(\.settings.removedNoise).first
        isKept = extras.keepsGrain
        tableFile = extras.grainTable
    }

    /// Checks that the output can store grain, if it is to be kept.
    func check(_ output: ConversionOutput, _ writer: MediaWriterOptions) throws(FrameError) {
        guard let noise, noise.amount > 0 else {
            throw FrameError(
                .invalidArgument,
                "--grain keep and --grain-table need noise that is removed; with a strength of 0 none is")
        }
        if isKept { try writer.checkFilmGrain(output: output.file) }
    }

    /// Checks that the files can be written, before the input is read.
    func checkFiles(_ output: ConversionOutput, _ policy: RunPolicy, input: String) throws(FrameError) {
        if let file = OutputKind(output).file, !policy.resumes {
            try SingleFile.check(file, input: input, overwrites: policy.overwrites)
        }
        guard let tableFile else { return }
        if output.file != "-", LocalFile.isSame(tableFile, output.file) {
            throw FrameError(
                .output, "--grain-table and --output name the same file; use two names", at: .init(file: tableFile))
        }
        try SingleFile.check(tableFile, input: input, overwrites: policy.overwrites || policy.resumes)
    }

    /// Writes the file of the table, if one is wanted. A file that holds it already is left as it is.
    func write(_ table: FilmGrainTable, _ policy: RunPolicy, input: String) throws(FrameError) {
        guard let tableFile else { return }
        let text = Array(table.text.utf8)
        // An interrupted join may have written it.
        if LocalFile.read(LocalFile.path(tableFile), atMost: text.count) == text { return }
        try SingleFile.write(
            Data(text), to: tableFile, input: input, overwrites: policy.overwrites || policy.resumes)
    }

    /// Returns a note if there is no grain to store.
    func notes(on table: FilmGrainTable?) -> [Note] {
        guard let table, table.isEmpty else { return [] }
        return ["no noise was found, so \(isKept ? "no film grain is stored" : "the grain table is empty")"]
    }
}

extension OpenConversion {
    /// Reads the input, or the part of it that the job makes, and models the noise.
    ///
    /// - Returns: the table, with times on the clock of the job's output; nil if no noise is to be modelled.
    /// - Throws: any error of reading.
    func measuredGrain() throws -> FilmGrainTable? {
        guard let noise = grain?.noise else { return nil }
        let input = conversion.input.file
        guard reader.isReopenable else {
            throw FrameError(
                .invalidArgument,
                "the grain is measured before the video is encoded, so the input is read twice, which a pipe does not allow; name a file, or use --grain add=STRENGTH",
                at: .init(file: input))
        }
        var options = readerOptions
        options.keepsOtherStreams = false
        let again = try MediaReader(input, options: options)
        let partReader = try part.map { try PartReader(again, part: $0.located.part) }
        guard cutList == nil || partReader == nil || partReader?.part.firstFrame != nil else {
            throw FrameError(
                .invalidArgument,
                "the frames of this input cannot be counted without decoding, so the cuts of --cuts cannot be found in a part of it; leave out --cuts, or --grain keep and --grain-table",
                at: .init(file: input))
        }
        let first = partReader?.part.firstFrame ?? 0
        var survey = FilmGrainSurvey(
            noise: noise, context: context.execution, cuts: cuts,
            cutList: cutList.map { Set($0.lazy.map { $0 - first }) })
        let expected = again.stream.likelyFrameCount, observer = context.observer
        defer { observer.measuresGrain(frames: nil, expected: nil) }
        // What removes the noise sees progressive frames.
        var source: any FrameSource = partReader ?? again
        if let fields = deinterlacedFields {
            source = try DeinterlacedSource(
                source, fields: fields, options: conversion.options(context.execution))
        }
        var table = try survey.table(of: source) { observer.measuresGrain(frames: $0, expected: expected) }
        if let partReader { table.origin = table.origin - partReader.part.start }
        return table
    }
}
