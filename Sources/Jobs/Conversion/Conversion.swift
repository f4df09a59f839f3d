public import FrameCore
public import FrameEffects
public import MediaIO
public import Pipeline

/// A job that makes a video from a video, as a value: everything that decides the result.
///
/// How it is run is not part of it: the number of threads, whether an existing output is replaced or an interrupted run
/// continued, reports, estimates. Two conversions that are equal make the same file from the same input, if the grain tables that they name are the same.
public struct Conversion: Sendable, Hashable {
    /// The version of the JSON form that is written and read.
    public static let version = 1

    /// The input, and which part of it is used.
    public var input: ConversionInput
    /// The effects in the order in which frames pass through them, with all their settings.
    public var effects: [EffectStep]
    /// Whether effects favor speed or image quality.
    public var quality: QualityPrioritization
    /// Whether later effects reuse the motion that an earlier one has estimated.
    public var sharesMotion = true
    /// What is shown between two frames that a cut separates.
    public var atCut = CutTreatment.hold
    /// What is shown while a frame stands still for much longer than those around it.
    public var longHolds = LongHoldTreatment.hold
    /// Where scene cuts come from.
    public var cuts = ConversionCuts.found(threshold: CutSearch.defaultThreshold)
    /// The output, and how it is encoded.
    public var output: ConversionOutput
    /// What is made in addition to the video.
    public var extras = ConversionExtras()

    /// Creates a conversion; everything else has its default.
    public init(
        input: ConversionInput, effects: [EffectStep], quality: QualityPrioritization = .normal,
        output: ConversionOutput
    ) {
        self.input = input
        self.effects = effects
        self.quality = quality
        self.output = output
    }

    /// Whether cuts are found before the effects see the frames; effects at low latency find their own.
    package var detectsCuts: Bool { (try? chain(.serial).cuts.detectsCuts) ?? true }

    /// The advice for a single image, on which these effects have no neighbors to work with; nil if they accept one.
    package var adviceOnStills: String? {
        guard effects.count > 1 || effects.contains(where: { $0.settings.removedNoise != nil }) else { return nil }
        return
            "this is a single image, and the effects need neighbouring frames; give a video or numbered images such as in_%05d.png"
    }

    /// Returns the options of the effects.
    func options(_ context: ExecutionContext) -> ConversionOptions {
        ConversionOptions(quality: quality, context: context, atCut: atCut, longHolds: longHolds)
    }

    /// Returns the chain of effects.
    ///
    /// - Throws: `FrameError` if a setting is not allowed.
    func chain(_ context: ExecutionContext) throws -> EffectChain {
        var chain = try EffectChain(effects.map { try $0.effect(options(context)) })
        chain.sharesMotion = sharesMotion
        return try leavingOutRepeats(chain)
    }
}

/// Where scene cuts come from.
public enum ConversionCuts: Sendable, Hashable {
    /// They are found where the evidence, 0…1, is above the threshold.
    case found(threshold: Float)
    /// They are listed in a file: times, frames, a scene list or an edit decision list.
    case file(String)
    /// They are before these frames, counted from 0.
    case frames([Int])

    /// Whether cuts are given rather than found.
    public var areListed: Bool { if case .found = self { false } else { true } }
}

/// The input of a conversion.
public struct ConversionInput: Sendable, Hashable {
    /// A path, a URL, a pattern of numbered images, or `-` for standard input.
    public var file: String
    /// The part that is used; nil for all of it.
    public var part: ClipPart?
    /// Frames per second of an input without timestamps; nil takes the rate from the stream.
    public var frameRate: Rational?
    /// The number of the first of numbered images; nil for the lowest.
    public var startNumber: Int?
    /// What becomes of interlaced frames.
    public var fields = FieldHandling.auto
    /// How many frames are made of each interlaced one; nil for one of each field where an effect changes the frame rate, and
    /// one of each frame elsewhere.
    public var fieldRate: FieldRate?
    /// What becomes of telecined film.
    public var cadence = DeinterlacePass.CadenceHandling.auto
    /// What becomes of frames that repeat the picture before them, where effects change the frame rate or the speed.
    public var repeats = RepeatTreatment.auto
    /// Whether the last frame leads to the first, as in a clip that is played in a loop.
    public var loops = false
    /// Whether damage is an error.
    public var isStrict = false
    /// Whether anything may be read from the network.
    public var allowsNetwork = true
    /// Whether Dolby Vision without a base layer is processed as if it were other video.
    public var ignoresDolbyVision = false

    /// Creates the input; everything else has its default.
    public init(_ file: String, part: ClipPart? = nil) {
        self.file = file
        self.part = part
    }

    /// Returns how the input is read.
    ///
    /// - Parameter threads: the number of threads of the job.
    func readerOptions(threads: Int) -> MediaReaderOptions {
        MediaReaderOptions(
            inputFrameRate: frameRate, startNumber: startNumber, isStrict: isStrict,
            // Effects take far longer than decoding, and each thread of a decoder holds more frames.
            decoderThreads: max(1, threads / 2), allowsNetwork: allowsNetwork, ignoresDolbyVision: ignoresDolbyVision)
    }
}

/// The output of a conversion.
public struct ConversionOutput: Sendable, Hashable {
    /// What becomes of the audio.
    public enum Audio: String, Sendable, Hashable, Codable, CaseIterable {
        /// Copied, or stretched at constant pitch together with the video.
        case keep
        /// Left out.
        case drop
    }

    /// A path, a URL, a pattern of numbered images, or `-` for standard output.
    public var file: String
    /// libavformat's name of the format; nil selects it by the extension, `null` writes nothing.
    public var format: String?
    /// The video codec; nil for the container's default.
    public var codec: MediaWriterOptions.Codec?
    /// Quality on the encoder's own scale, 0…100; nil for a nearly transparent default.
    public var crf: Double?
    /// The encoder's preset.
    public var preset: String?
    /// libavutil's name of the pixel format to encode; nil keeps that of the frames where possible.
    public var pixelFormat: String?
    /// The number of encoder threads, 1…64; the file depends on it.
    public var encoderThreads = MediaWriterOptions.usualEncoderThreads
    /// Whether the output starts at the time at which the input starts.
    public var keepsStart = false
    /// What becomes of the audio.
    public var audio = Audio.keep
    /// Whether it is an error if anything of the input would be missing in the output.
    public var failsOnLoss = false

    /// Creates the output; everything else has its default.
    public init(_ file: String) { self.file = file }
}

/// What a conversion makes in addition to its video.
public struct ConversionExtras: Sendable, Hashable {
    /// A folder with the best frames of the result.
    public struct Thumbnails: Sendable, Hashable {
        /// The folder.
        public var folder: String
        /// The number of frames to pick, 1…100.
        public var count: Int

        /// Creates the folder's description.
        public init(folder: String, count: Int = 3) { (self.folder, self.count) = (folder, count) }
    }

    /// A folder with a storyboard of the result.
    public struct Storyboard: Sendable, Hashable {
        /// The folder.
        public var folder: String
        /// The time between two tiles; nil for the default.
        public var interval: ClipPosition?

        /// Creates the folder's description.
        public init(folder: String, interval: ClipPosition? = nil) {
            (self.folder, self.interval) = (folder, interval)
        }
    }

    /// The best frames; nil for none.
    public var thumbnails: Thumbnails?
    /// The storyboard; nil for none.
    public var storyboard: Storyboard?
    /// Whether the removed noise is stored with the video as film grain.
    public var keepsGrain = false
    /// The file for the removed noise as a grain table; nil for none.
    public var grainTable: String?

    /// Creates a description of no extra output.
    public init() {}

    /// The files and folders.
    var paths: [String] { [thumbnails?.folder, storyboard?.folder, grainTable].compactMap(\.self) }
}
