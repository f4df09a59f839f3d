internal import Foundation
internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Pipeline

/// The checked settings of `vfx flow` for one pair.
struct FlowSettings {
    var input: InputOptions
    var inputRate: Rational?
    var next: String?
    var time: ClipPosition?
    var output: OutputOptions
    var view: FlowView
    /// The position between the two frames, for ``FlowView/holes`` and ``FlowView/weights``.
    var phase: Float
    var isBackward: Bool
    var maximum: Float?
    /// Whether to draw the legend; nil if the option was not given.
    var legend: Bool?
    var hasLegend: Bool { legend ?? true }
    var quality: QualityPrioritization
    var execution: ExecutionContext
    var hasThreadOption: Bool

    /// The input of a single pair.
    enum Pair {
        case pictures(String, String)
        case moment(String, ClipPosition)
    }

    /// The pair to process; nil for a whole clip.
    var pair: Pair? {
        if let next { return .pictures(input.input, next) }
        return time.map { .moment(input.input, $0) }
    }

    /// Returns what draws the motion.
    func painter() -> FlowPainter {
        FlowPainter(
            view: view, isBackward: isBackward, maximum: maximum, hasLegend: hasLegend, context: execution,
            isVideo: false)
    }

    func readerOptions(keepsOtherStreams: Bool) -> MediaReaderOptions {
        MediaReaderOptions(
            inputFrameRate: inputRate, startNumber: input.startNumber,
            isStrict: input.strict,
            decoderThreads: hasThreadOption ? execution.threads : 0, keepsOtherStreams: keepsOtherStreams,
            allowsNetwork: !input.noNetwork, ignoresDolbyVision: input.dolbyVision.ignoreDolbyVision)
    }

    /// - Throws: ``FrameError`` if motion cannot be estimated at this size.
    static func checkSize(_ stream: VideoStreamDescription, file: String) throws(FrameError) {
        try WorkingSize.check(stream.width, stream.height, of: "pictures", file: file)
    }
}

/// The kind of output for a single pair.
enum FlowPairOutput {
    /// Writes nothing.
    case none
    case flo, vfxflow, picture

    private static let allowed = [".flo", ".vfxflow"] + SingleFile.pictureExtensions.map { "." + $0 }

    /// - Throws: ``FrameError`` if the name selects none of these.
    init(_ output: OutputOptions) throws(FrameError) {
        let name = output.output.lowercased()
        if let format = output.format {
            guard format == "null" else {
                throw FrameError(
                    .invalidArgument,
                    "--format \(format) applies to whole clips; for one pair the output's extension selects the format, or --format null writes nothing"
                )
            }
            self = .none
        } else if name.hasSuffix(".flo") {
            self = .flo
        } else if name.hasSuffix(".vfxflow") {
            self = .vfxflow
        } else if SingleFile.isPicture(name) {
            guard !name.contains("%") else {
                throw FrameError(
                    .invalidArgument,
                    "'\(output.output)' names an image sequence; one pair makes one image such as flow.png")
            }
            self = .picture
        } else {
            throw FrameError(
                .unsupportedFormat,
                "one pair's flow cannot be written as '\(output.output)'; the extension must be one of \(Self.allowed.joined(separator: ", "))"
            )
        }
    }

    /// Whether an existing output may be replaced: with --overwrite, and if a vector file replaces a vector file,
    /// because benchmarking tools write to the same name repeatedly.
    func overwrites(_ output: OutputOptions) -> Bool {
        if output.overwrite { return true }
        let head: String
        switch self {
        case .flo: head = "PIEH"
        case .vfxflow: head = "VFXFLOW"
        case .none, .picture: return false
        }
        guard let file = FileHandle(forReadingAtPath: output.output) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: head.utf8.count)) == Data(head.utf8)
    }

    /// - Throws: ``FrameError`` for options that do not apply to this kind of output.
    func check(_ settings: FlowSettings) throws(FrameError) {
        let output = settings.output
        if output.codec != nil || output.crf != nil || output.preset != nil {
            throw FrameError(
                .invalidArgument, "--codec, --crf and --preset apply to videos; one pair does not make a video")
        }
        guard self == .flo || self == .vfxflow else { return }
        if settings.view != .wheel {
            throw FrameError(
                .invalidArgument,
                "--arrows, --confidence, --occlusion, --holes and --weights draw images; \(output.output) holds vectors"
            )
        }
        if settings.maximum != nil || settings.legend != nil || output.pixelFormat != nil {
            throw FrameError(
                .invalidArgument,
                "--max-motion, --legend, --no-legend and --pixel-format apply to images; \(output.output) holds vectors"
            )
        }
    }

    /// Whether the name can only be that of a single pair's output.
    static func needsPair(_ output: OutputOptions) -> Bool {
        let name = output.output.lowercased()
        guard output.format == nil else { return false }
        return name.hasSuffix(".flo") || name.hasSuffix(".vfxflow")
            || (SingleFile.isPicture(name) && !name.contains("%"))
    }
}
