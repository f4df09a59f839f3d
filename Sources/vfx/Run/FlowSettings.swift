internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Motion
internal import Pipeline

/// What a picture of motion shows.
enum FlowView: Sendable { case wheel, arrows, confidence, occlusion }

/// `vfx flow` as the command line describes it, checked.
struct FlowSettings {
    var input: InputOptions
    var inputRate: Rational?
    var next: String?
    var time: MediaTime?
    var output: OutputOptions
    var view: FlowView
    var isBackward: Bool
    var maximum: Float?
    var hasLegend: Bool
    var quality: QualityPrioritization
    var threads: Int
    var hasThreadOption: Bool
    var crf: Double?

    /// One pair of frames.
    enum Pair {
        case pictures(String, String)
        case moment(String, MediaTime)
    }

    /// nil for a whole clip.
    var pair: Pair? {
        if let next { return .pictures(input.input, next) }
        return time.map { .moment(input.input, $0) }
    }

    func readerOptions(keepsOtherStreams: Bool) -> MediaReaderOptions {
        MediaReaderOptions(
            inputFrameRate: inputRate, allowsInterlaced: input.allowInterlaced, isStrict: input.strict,
            decoderThreads: hasThreadOption ? threads : 0, keepsOtherStreams: keepsOtherStreams)
    }

    /// - Throws: ``FrameError`` when motion cannot be found in pictures of this size.
    static func checkSize(_ stream: VideoStreamDescription, file: String) throws(FrameError) {
        let range = FlowField.sizeRange
        guard range.contains(stream.width), range.contains(stream.height) else {
            throw FrameError(
                .unsupportedSize,
                "pictures of \(stream.width)x\(stream.height) are not supported; each side must be \(range.lowerBound) to \(range.upperBound) pixels",
                at: .init(file: file))
        }
    }
}

/// What one pair becomes.
enum FlowPairOutput {
    /// Nothing is written.
    case none
    case flo, vfxflow, picture

    private static let allowed = [".flo", ".vfxflow"] + SingleFile.pictureExtensions.map { "." + $0 }

    /// - Throws: ``FrameError`` for a name that says none of these.
    init(_ output: OutputOptions) throws(FrameError) {
        let name = output.output.lowercased()
        if let format = output.format {
            guard format == "null" else {
                throw FrameError(
                    .invalidArgument,
                    "--format \(format) is for whole clips; one pair goes by the output's extension, or to --format null"
                )
            }
            self = .none
        } else if name.hasSuffix(".flo") {
            self = .flo
        } else if name.hasSuffix(".vfxflow") {
            self = .vfxflow
        } else if SingleFile.isPicture(name) {
            self = .picture
        } else {
            throw FrameError(
                .unsupportedFormat,
                "one pair's flow cannot be written as '\(output.output)'; the extension must be one of \(Self.allowed.joined(separator: ", "))"
            )
        }
    }

    /// Whether the name is one that only a single pair can have.
    static func needsPair(_ output: OutputOptions) -> Bool {
        let name = output.output.lowercased()
        guard output.format == nil else { return false }
        return name.hasSuffix(".flo") || name.hasSuffix(".vfxflow")
            || (SingleFile.isPicture(name) && !name.contains("%"))
    }
}
