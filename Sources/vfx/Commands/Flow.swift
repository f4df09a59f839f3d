internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import MediaIO
internal import Pipeline

/// `vfx flow`: shows or saves motion.
struct Flow: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show, save or measure the motion between frames.",
        discussion: """
            Estimates the motion of every pixel from each frame to the next and back.
            Colors follow the Middlebury color wheel: the hue is the direction, the
            saturation the length.

            A single pair (two images, or a video with --at) is written as an image, as
            .flo (one direction, readable by other programs) or as .vfxflow (lossless,
            both directions with confidence and occlusion). Existing vector files are
            replaced by new vectors even without --overwrite. A whole clip is written as a
            video or as numbered images.

            EXAMPLES
              vfx flow in.mp4 --at 3.2 -o flow.png
              vfx flow in.mp4 --at 3.2 -o arrows.png --arrows
              vfx flow a.png b.png -o flow.flo
              vfx flow a.png b.png -o hidden.png --occlusion
              vfx flow in.mp4 --at 3.2 -o weights.png --weights --phase 0.5
              vfx flow in.mp4 -o flow.mp4 --overlay
            Measure speed only:
              vfx flow in.y4m -o /dev/null --format null --stats
            """)

    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Input") var fieldRate: FieldRateOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Use the frame shown at this time, or with this number such as 300f, and the next one, even across a cut.",
            valueName: "time"))
    var at: String?

    @OptionGroup(title: "Part of the input") var part: PartOptions

    @OptionGroup(title: "Before a long run") var preview: PreviewOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    @Flag(name: [.long, .customLong("overlay")], help: "Draw arrows over the frame instead of colors.")
    var arrows = false

    @Flag(help: "Draw the confidence of the motion, from black (none) to white (full).")
    var confidence = false

    @Flag(help: "Draw areas that are hidden in the other frame, in white.")
    var occlusion = false

    @Flag(help: "Draw areas that no motion vector reaches when a frame is interpolated at --phase, in white.")
    var holes = false

    @Flag(
        help: "Draw the share of the next frame in the frame interpolated at --phase, from black (none) to white (all)."
    )
    var weights = false

    @Option(
        help: ArgumentHelp(
            "Phase between the two frames for --holes and --weights. Default: 0.5.", valueName: "0-1"))
    var phase: String?

    @Flag(help: "Use the motion from the next frame back to the first.")
    var backward = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Motion in pixels drawn in full color or as the longest arrow. Default: fitted to the motion; within a clip it changes rarely.",
            valueName: "px"))
    var maxMotion: String?

    @Flag(inversion: .prefixedNo, help: "Draw the color wheel and its scale in a corner. Default: on.")
    var legend: Bool?

    @Option(help: "Trade-off between speed and accuracy.")
    var quality: QualityName = .normal

    @OptionGroup var cutList: CutListOptions

    @OptionGroup var threading: ThreadOptions

    @OptionGroup(title: "Reports") var report: ReportOptions
    @OptionGroup(title: "Many machines") var division: DivisionOptions

    /// The second image of a pair.
    private var next: String? { input.inputs.dropFirst().first }

    func run() throws {
        let settings = try during(.options) { try parsedSettings() }
        if let subject = settings.pair {
            try FlowPairJob(subject: subject, settings: settings, reporter: Reporter(options: report)).run()
        } else {
            let options = RunOptions(
                overwrites: output.overwrite, resumes: output.resume, threads: threading.threads, preview: preview,
                division: division, report: report)
            try ConversionJob(options).run { try clip(settings) }
        }
    }

    /// Returns the job of drawing the motion of a whole clip.
    private func clip(_ settings: FlowSettings) throws -> Conversion {
        if FlowPairOutput.needsPair(output) {
            throw FrameError(
                .invalidArgument,
                "\(output.output) holds only one pair; name a second image or use --at, or write the whole clip to a video or to numbered images such as flow_%05d.png"
            )
        }
        let drawn: FlowStep.Output =
            switch settings.view {
            case _ where output.format == "null": .blank
            case .arrows: .arrows
            case .confidence: .confidence
            case .occlusion: .occlusion
            case .wheel, .holes, .weights: .colors
            }
        let step = FlowStep(
            output: drawn, direction: backward ? .previous : .next, maximum: settings.maximum,
            hasLegend: settings.hasLegend, range: SingleFile.isPicture(output.output) ? .full : .limited)
        var job = Conversion(
            input: try input.description(part: part), effects: [EffectStep(step)], quality: settings.quality,
            output: try output.description(audio: .keep))
        (job.input.fieldRate, job.input.cadence) = (fieldRate.fieldRate, fieldRate.cadence)
        job.cuts = try cutList.description()
        return job
    }

    /// Options that apply to a whole clip only.
    private func checkPairOptions() throws(FrameError) {
        guard next != nil || at != nil else { return }
        if preview.preview != nil || preview.previewReport != nil || preview.estimate || preview.printJob
            || division.plan != nil || fieldRate.fieldRate != nil || fieldRate.cadence != .auto
        {
            throw FrameError(
                .invalidArgument,
                "--preview, --estimate, --print-job, --plan, --field-rate and --cadence apply to a whole clip; leave them out for a single pair"
            )
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
                "--arrows (--overlay), --confidence, --occlusion, --holes and --weights are mutually exclusive; give only one of them"
            )
        }
        if confidence || occlusion || holes || weights, maxMotion != nil || legend != nil {
            throw FrameError(
                .invalidArgument,
                "--max-motion, --legend and --no-legend apply to colors and arrows; --confidence, --occlusion, --holes and --weights draw neither"
            )
        }
        try checkPhaseViews()
        try checkPairOptions()
        if input.inputs.count > 2 {
            throw FrameError(
                .invalidArgument, "\(input.inputs.count) inputs are given; flow takes one video or two images")
        }
        if next != nil, at != nil {
            throw FrameError(
                .invalidArgument, "--at applies to a video; two images are already a pair")
        }
        if cutList.cuts != nil || cutList.cutThreshold != nil, next != nil || at != nil {
            throw FrameError(
                .invalidArgument, "--cuts and --cut-threshold apply to a whole clip; a single pair has no cuts")
        }
        if try part.part() != nil, next != nil || at != nil {
            throw FrameError(
                .invalidArgument, "--from, --to and --duration apply to a whole clip; a single pair has no parts")
        }
        let time: ClipPosition? =
            if let at { try OptionValue.position(at, option: "--at", allowsNegative: true) } else { nil }
        return FlowSettings(
            input: input, inputRate: try input.frameRate(), next: next, time: time, output: output,
            view: views.first?.1 ?? .wheel, phase: try parsedPhase(),
            isBackward: backward, maximum: try parsedMaximum(), legend: legend, quality: quality.prioritization,
            execution: ExecutionContext(threads: try threading.count()), hasThreadOption: threading.threads != nil)
    }

    /// --holes and --weights show one pair, from the first frame on.
    private func checkPhaseViews() throws(FrameError) {
        guard holes || weights else {
            guard phase == nil else {
                throw FrameError(.invalidArgument, "--phase applies to --holes and --weights; give one of them")
            }
            return
        }
        if next == nil, at == nil {
            throw FrameError(
                .invalidArgument,
                "--holes and --weights show one pair of frames; give a second image or --at")
        }
        if backward {
            throw FrameError(
                .invalidArgument, "--backward has no meaning for --holes and --weights, which use both directions")
        }
    }

    private func parsedPhase() throws(FrameError) -> Float {
        guard let phase else { return 0.5 }
        let values = try OptionValue.phases(phase, maximumCount: SlowMotionPlan.maximumPhaseCount)
        guard values.count == 1, let value = values.first else {
            throw FrameError(.invalidArgument, "--phase '\(phase)' has \(values.count) phases; give one")
        }
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
