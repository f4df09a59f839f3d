internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// `vfx flow`: motion made visible, or saved.
struct Flow: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, save or measure the motion between frames.",
        discussion: """
            Finds where every pixel goes, from a frame to the next and back. Colors tell it
            by the Middlebury wheel: the hue is the direction, the saturation the length.

            One pair (two pictures, or a video with --at) becomes a picture, .flo (one
            direction, for other programs) or .vfxflow (both, with confidence and
            occlusion, without loss); vectors replace an existing file of vectors without
            --overwrite. A whole clip becomes a video or numbered pictures.

            EXAMPLES
              vfx flow in.mp4 --at 3.2 -o flow.png
              vfx flow in.mp4 --at 3.2 -o arrows.png --arrows
              vfx flow a.png b.png -o flow.flo
              vfx flow a.png b.png -o hidden.png --occlusion
              vfx flow in.mp4 --at 3.2 -o weights.png --weights --phase 0.5
              vfx flow in.mp4 -o flow.mp4 --overlay
            Only measure:
              vfx flow in.y4m -o /dev/null --format null --stats
            """)

    @OptionGroup(title: "Input") var input: InputOptions

    @Argument(help: "Second picture; the first argument is then a picture too.")
    var next: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Take the frame shown at this time of the file and the next one, as they are, a cut between them or not.",
            valueName: "seconds"))
    var at: String?

    @OptionGroup(title: "Output") var output: OutputOptions

    @Flag(name: [.long, .customLong("overlay")], help: "Draw arrows over the picture instead of colors.")
    var arrows = false

    @Flag(help: "Draw how far the motion is to be trusted, black to white.")
    var confidence = false

    @Flag(help: "Draw what the other frame does not show, in white.")
    var occlusion = false

    @Flag(help: "Draw where no motion arrives at --phase when a frame is interpolated there, in white.")
    var holes = false

    @Flag(help: "Draw the share of the next frame in the frame interpolated at --phase, black to white.")
    var weights = false

    @Option(
        help: ArgumentHelp(
            "Where between the two frames --holes and --weights look. Default: 0.5.", valueName: "0-1"))
    var phase: String?

    @Flag(help: "Motion from the next frame back to the first.")
    var backward = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Motion drawn in full color or by the longest arrow, in pixels. Default: what suits the motion; in a clip it changes seldom.",
            valueName: "px"))
    var maxMotion: String?

    @Flag(inversion: .prefixedNo, help: "Draw the wheel and its figure in a corner. Default: drawn.")
    var legend: Bool?

    @Option(help: "Trade between speed and exactness.")
    var quality: QualityName = .normal

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions

    func run() throws {
        let settings = try during(.options) { try parsedSettings() }
        if let subject = settings.pair {
            try FlowPairJob(subject: subject, settings: settings, reporter: Reporter(options: report)).run()
        } else {
            try ConversionJob(
                input: input, output: output, quality: quality, threads: threading.threads, report: report,
                settings.clipWork
            ).run()
        }
    }

    private func parsedSettings() throws(FrameError) -> FlowSettings {
        try report.check(output: output.output)
        let views = [
            (arrows, FlowView.arrows), (confidence, .confidence), (occlusion, .occlusion), (holes, .holes),
            (weights, .weights),
        ].filter(\.0)
        if views.count > 1 {
            throw FrameError(
                .invalidArgument,
                "--arrows (--overlay), --confidence, --occlusion, --holes and --weights exclude each other; give one of them"
            )
        }
        if confidence || occlusion || holes || weights, maxMotion != nil || legend != nil {
            throw FrameError(
                .invalidArgument,
                "--max-motion, --legend and --no-legend are for colors and arrows; --confidence, --occlusion, --holes and --weights draw neither"
            )
        }
        try checkPhaseViews()
        if next != nil, at != nil {
            throw FrameError(
                .invalidArgument, "--at is for a video; with two pictures the pair is named already")
        }
        let time: MediaTime? = if let at { try OptionValue.time(at, option: "--at") } else { nil }
        return FlowSettings(
            input: input, inputRate: try input.frameRate(), next: next, time: time, output: output,
            view: views.first?.1 ?? .wheel, phase: try parsedPhase(),
            isBackward: backward, maximum: try parsedMaximum(), legend: legend, quality: quality.prioritization,
            threads: try threading.count(), hasThreadOption: threading.threads != nil,
            crf: try output.parsedCRF())
    }

    /// --holes and --weights show one pair, from the first frame on.
    private func checkPhaseViews() throws(FrameError) {
        guard holes || weights else {
            guard phase == nil else {
                throw FrameError(.invalidArgument, "--phase is for --holes and --weights; give one of them")
            }
            return
        }
        if next == nil, at == nil {
            throw FrameError(
                .invalidArgument,
                "--holes and --weights show one pair of frames; name it by a second picture or by --at")
        }
        if backward {
            throw FrameError(
                .invalidArgument, "--backward has no meaning for --holes and --weights, which use both directions")
        }
    }

    private func parsedPhase() throws(FrameError) -> Float {
        guard let phase else { return 0.5 }
        guard let value = try OptionValue.phases(phase, maximumCount: 1).first else { return 0.5 }
        return Float(value.doubleValue)
    }

    private func parsedMaximum() throws(FrameError) -> Float? {
        guard let maxMotion else { return nil }
        guard let value = Float(maxMotion), value >= 0.01, value <= 10_000 else {
            throw FrameError(
                .invalidArgument, "--max-motion '\(maxMotion)' is not a number of pixels from 0.01 to 10000")
        }
        return value
    }
}
