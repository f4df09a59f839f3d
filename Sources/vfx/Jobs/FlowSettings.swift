internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import MediaIO
internal import Pipeline

/// The checked settings of `vfx flow`.
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
    var threads: Int
    var hasThreadOption: Bool
    var crf: Double?

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

    /// The settings on which the frames of a clip depend.
    var jobSettings: [CheckpointSetting] {
        [
            CheckpointSetting("the picture of motion", "\(view)"),
            CheckpointSetting("--backward", isBackward ? "given" : nil),
            CheckpointSetting("--max-motion", maximum.map { "\($0)" }),
            CheckpointSetting("--legend", hasLegend ? nil : "no"),
            CheckpointSetting("--quality", quality == .quality ? "high" : "normal"),
        ]
    }

    /// Returns what draws the motion.
    func painter(isVideo: Bool, isBlank: Bool = false) -> FlowPainter {
        FlowPainter(
            view: view, isBackward: isBackward, maximum: maximum, hasLegend: hasLegend, threads: threads,
            isVideo: isVideo, isBlank: isBlank)
    }

    func readerOptions(keepsOtherStreams: Bool) -> MediaReaderOptions {
        MediaReaderOptions(
            inputFrameRate: inputRate, startNumber: input.startNumber, allowsInterlaced: input.allowInterlaced,
            isStrict: input.strict,
            decoderThreads: hasThreadOption ? threads : 0, keepsOtherStreams: keepsOtherStreams,
            allowsNetwork: !input.noNetwork, ignoresDolbyVision: input.dolbyVision.ignoreDolbyVision)
    }

    /// Returns a note if the video has a rotation, which images of motion cannot store.
    static func turnNote(_ reader: MediaReader) -> [String] {
        guard let video = reader.info.streams.first(where: { $0.index == reader.info.videoStream })?.video,
            video.orientation != .init()
        else { return [] }
        let turn = video.orientation
        let mirror = turn.isMirrored ? " and mirrored" : ""
        return [
            "images are written as the file stores them; players show the video rotated by \(turn.rotation) degrees\(mirror)"
        ]
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

extension FlowSettings {
    /// Returns the work for a whole clip: the motion of all neighbouring frames, as a chain of one effect.
    ///
    /// - Throws: ``FrameError`` if the output can hold only one pair.
    func clipWork(_ options: ConversionOptions) throws(FrameError) -> ConversionWork {
        if FlowPairOutput.needsPair(output) {
            throw FrameError(
                .invalidArgument,
                "\(output.output) holds only one pair; name a second image or use --at, or write the whole clip to a video or to numbered images such as flow_%05d.png"
            )
        }
        let isVideo = !SingleFile.isPicture(output.output), measures = output.format == "null"
        let painter = painter(isVideo: isVideo, isBlank: measures)
        let pass = OpticalFlowPass(
            options: options, neighbour: isBackward ? .previous : .next,
            output: { try painter.stream(over: $0) },
            makeFrame: { try painter.frame($0.frame, $0.flow, resets: $0.resets) })
        var work = ConversionWork(chain: EffectChain(pass), audio: .carry)
        work.settings = jobSettings
        work.check = { try Self.checkSize($0.stream, file: input.input) }
        // Frames in the two queues, the pair being processed, and the frames drawn.
        work.frameBytes = { 12 * $0.bytesPerFrame }
        work.pixelFormat = { isVideo ? playableFormat($0) : nil }
        work.notes = { reader in
            (painter.notes(over: reader.stream.format) + (isVideo || measures ? [] : Self.turnNote(reader))).asNotes
        }
        work.tell = { reporter, report, notes in
            reporter.finishedFlow(report, output: output.output, maximum: painter.maximum, notes: notes)
        }
        return work
    }

    /// The pixel format that players support, for codecs meant for playback; nil leaves the choice to the writer.
    private func playableFormat(_ source: VideoStreamDescription) -> String? {
        let suits: [MediaWriterOptions.Codec?] = [nil, .h264, .hevc, .av1, .vp9]
        let name = output.output.lowercased()
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        let container = output.format ?? ending
        let isPlayable = ["mp4", "mov", "mkv", "matroska", "webm", "m4v"].contains(container)
        guard suits.contains(output.codec), isPlayable, source.width % 2 == 0, source.height % 2 == 0 else {
            return nil
        }
        return "yuv420p"
    }
}
