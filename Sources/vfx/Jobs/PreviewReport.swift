internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import Jobs
internal import MediaIO
internal import Pipeline
internal import Reports

/// The page that compares a preview with the part of the input from which it was made.
struct PreviewReport {
    /// The page to write.
    let page: String
    let input: String
    let output: String
    let overwrites: Bool

    /// Checks that the page can be written, before the preview is made.
    ///
    /// - Parameter kind: the kind of the output.
    func check(_ kind: OutputKind) throws(FrameError) {
        guard kind.file != nil else {
            throw FrameError(
                .invalidArgument, "--preview-report reads the preview again; write it to a video file",
                at: .init(file: output))
        }
        guard input != "-" else {
            throw FrameError(
                .invalidArgument, "--preview-report reads the input again, which is impossible with standard input")
        }
        for file in [input, output] { try SingleFile.check(page, input: file, overwrites: overwrites) }
    }

    /// - Parameters:
    ///   - part: the part of the input.
    ///   - options: how the input is read.
    ///   - fields: which frames of the input were deinterlaced; nil for none.
    ///   - stretch: the factor by which the preview stretches time.
    ///   - context: the threads and kernels to use.
    func write(
        _ part: ClipPart, _ options: MediaReaderOptions, fields: DeinterlacePass.Fields?, stretch: Int,
        context: ExecutionContext
    ) throws {
        var options = options
        options.keepsOtherStreams = false
        let comparison = try during(.reading) {
            var before: any FrameSource = try PartReader(try MediaReader(input, options: options), part: part)
            if let fields {
                before = try DeinterlacedSource(before, fields: fields, options: ConversionOptions(context: context))
            }
            let after = try MediaReader(
                output, options: MediaReaderOptions(keepsOtherStreams: false))
            var comparer = try ClipComparer(
                before: before, after: after, stretch: stretch, encoder: StillCodec(), context: context)
            return try comparer.run()
        }
        let html = ComparisonPage(before: fileName(of: input), after: fileName(of: output), comparison: comparison)
            .html()
        try Signals.shared.heldBack(writing: page) {
            try during(.writing) {
                try SingleFile.write(Data(html.utf8), to: page, input: input, overwrites: overwrites)
            }
        }
    }
}
