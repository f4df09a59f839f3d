import FrameCore
import FrameEffects
import MediaIO
import Pipeline

extension FuzzTarget {
    /// Media files, from opening to an effect: a few frames go through a chain, then the file is read from another
    /// position.
    static let media = FuzzTarget("media", longestInput: 32768) { bytes in
        let file = try MemoryFile(bytes)
        let options = MediaReaderOptions(
            decoderThreads: 1, allowsNetwork: false, maximumPixels: 1 << 18)
        let reader = try MediaProbe(file.path, options: options).reader()
        // Larger pictures would take a hundred times longer and find nothing new.
        guard reader.stream.width * reader.stream.height <= 1 << 14 else { return }
        let chains = [
            "denoise=auto", "upscale=2", "slomo=0.5", "denoise=0.5,slomo=0.3/0.5", "rate=60", "blur=30,upscale=1.5",
        ]
        let recipe = try EffectRecipe(StepText.steps(chains[bytes.count % chains.count]))
        let pipeline = ConversionPipeline(
            source: FirstFrames(of: reader, count: 5), sink: ShortSink(),
            chain: try recipe.chain(ConversionOptions(context: .serial)))
        // The sink has enough frames, or the input is refused with an error; any other error is a bug.
        do { _ = try pipeline.run() } catch is CancellationError, is FrameError, is FrameProcessorError {}
        guard reader.isSeekable else { return }
        let end = reader.stream.duration ?? .zero
        try reader.seek(to: end)
        _ = try reader.nextFrame()
        _ = try KeyFrameReader(file.path, options: options).keyFrame(at: end)
    }
}

/// Accepts enough frames to cover all kinds: otherwise a file that claims to last for years would be written for years.
///
/// `@unchecked Sendable`: `FrameSink` guarantees calls from one thread at a time.
private final class ShortSink: FrameSink, @unchecked Sendable {
    private var left = 64

    func write(_ frame: Frame) throws {
        left -= 1
        if left == 0 { throw CancellationError() }
    }
    func finish() {}
    func cancel() {}
}

/// The first few frames of a source.
///
/// `@unchecked Sendable`: `FrameSource` guarantees calls from one thread at a time.
private final class FirstFrames: FrameSource, @unchecked Sendable {
    private let source: any FrameSource
    private var left: Int
    var stream: VideoStreamDescription { source.stream }
    var damage: DamageReport { source.damage }

    init(of source: any FrameSource, count: Int) {
        self.source = source
        left = count
    }

    func nextFrame() throws -> Frame? {
        guard left > 0 else { return nil }
        left -= 1
        return try source.nextFrame()
    }
}
