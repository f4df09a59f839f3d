internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs
internal import Pipeline

/// Where scene cuts are taken from.
struct CutListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read scene cuts from this file instead of detecting them: one time or frame per line, a PySceneDetect scene list (CSV) or an edit decision list (EDL).",
            valueName: "file"))
    var cuts: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Threshold of scene cut detection, 0 to 1; a higher value finds fewer cuts. Default: 0.5.",
            valueName: "number"))
    var cutThreshold: String?

    /// Whether neither option is given.
    var isDefault: Bool { cuts == nil && cutThreshold == nil }

    /// Returns the value of `--cut-threshold`; nil if it was not given.
    ///
    /// - Throws: `FrameError` if it is not allowed.
    func threshold() throws(FrameError) -> Float? {
        guard let text = cutThreshold else { return nil }
        guard cuts == nil else {
            throw FrameError(
                .invalidArgument, "--cuts and --cut-threshold are mutually exclusive; give only one of them")
        }
        return try OptionValue.decimal(text, option: "--cut-threshold", range: 0...1)
    }

    /// Returns where cuts come from.
    ///
    /// - Throws: `FrameError` if the threshold is not allowed.
    func description() throws(FrameError) -> ConversionCuts {
        if let threshold = try threshold() { return .found(threshold: threshold) }
        return cuts.map { .file($0) } ?? .found(threshold: CutSearch.defaultThreshold)
    }
}
