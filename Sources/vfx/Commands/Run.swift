internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs

/// `vfx run`: runs a job that is described in a file.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a job written by --print-job.",
        discussion: """
            A job is a JSON file with the input, the effects with all their settings, and
            the output; every command that makes a video prints one with --print-job.
            Relative paths are resolved against the current folder. The result is the
            same as that of the command.

            EXAMPLES
              vfx denoise in.mp4 -o out.mp4 --print-job > job.json
              vfx run job.json
            """)

    @Argument(help: ArgumentHelp("File with the job, or - for standard input.", valueName: "file"))
    var job: String

    @OptionGroup(title: "Before a long run") var preview: PreviewOptions

    @Flag(help: "Replace an existing output.")
    var overwrite = false

    @Flag(
        help:
            "Resume an interrupted job after its finished segments; exit at once if it is already complete."
    )
    var resume = false

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions
    @OptionGroup(title: "Many machines") var division: DivisionOptions

    func run() throws {
        let text = try during(.findingInput) { try read() }
        let conversion = try during(.options) { try naming(job) { try Conversion(json: text) } }
        let options = RunOptions(
            overwrites: overwrite, resumes: resume, threads: threading.threads, preview: preview, division: division,
            report: report, adviceOnStills: conversion.adviceOnStills, reportsEffects: true)
        try ConversionJob(options).run { conversion }
    }

    private func read() throws(FrameError) -> Data {
        let file = job == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: job)
        guard let file, let data = try? (file.read(upToCount: Conversion.maximumBytes + 1) ?? Data()) else {
            throw FrameError(.input, "the job cannot be read", at: .init(file: job))
        }
        return data
    }
}
