import CLibAV
import FrameCore

/// The clock of a video stream, from what container, codec and caller say.
struct StreamTiming {
    let base: Rational
    /// Mean frames per second, when known.
    let rate: Rational?
    /// Whether frames are numbered because the input has no times.
    let counts: Bool
    let nominalTicks: Int64
    /// The video stream's own length, when the container states one.
    let duration: MediaTime?
    private(set) var notes: [String] = []

    init(_ demuxer: Demuxer, _ decoder: VideoDecoder, inputFrameRate: Rational?) {
        let stream = demuxer.video.pointee
        // Matroska without a default duration: libavformat takes the clock's tick for a frame.
        let isTick = demuxer.formatName.contains("matroska") && Rational(stream.avg_frame_rate) == Rational(1000, 1)
        let stated = isTick ? nil : Self.rate(stream)
        let streamBase = Rational(stream.time_base) ?? Rational(1, 90_000)
        duration =
            known(stream.duration).flatMap { $0 > 0 ? MediaTime(ticks: $0, base: streamBase) : nil }
            ?? (demuxer.formatName.contains("matroska") ? Self.tagged(demuxer.video, streamBase) : nil)
        guard demuxer.lacksTimes else {
            base = streamBase
            rate = stated ?? inputFrameRate
            counts = false
            nominalTicks =
                rate.map { MediaTime(value: Int64($0.denominator), timescale: $0.numerator).ticks(of: streamBase) } ?? 1
            return
        }
        let coded = Rational(decoder.codec.pointer.pointee.framerate)?.reduced
        // Nothing but the codec's headers speaks for the rate here: 20 frames of a damaged one may claim to last centuries.
        let isLikely = coded.map { (0.01...1000).contains($0.doubleValue) } ?? false
        let chosen = inputFrameRate?.reduced ?? (isLikely ? coded : nil) ?? Rational(25, 1)
        if inputFrameRate == nil, !isLikely {
            let stated = coded.map { "\($0) frames per second, which is unlikely" } ?? "no frame rate"
            notes = ["the stream states \(stated); 25 frames per second are taken, --input-fps sets another"]
        }
        rate = chosen
        base = Rational(chosen.denominator, chosen.numerator)
        counts = true
        nominalTicks = 1
    }

    /// What a track's tag in Matroska, whose header knows the whole file's length alone, says of its end.
    private static func tagged(_ stream: UnsafeMutablePointer<AVStream>, _ base: Rational) -> MediaTime? {
        let tag = OptionDictionary.entries(of: stream.pointee.metadata)["DURATION"]
        guard let end = tag.flatMap(LastFrameDuration.parse) else { return nil }
        let start = known(stream.pointee.start_time).map { MediaTime(ticks: $0, base: base) } ?? .zero
        return end > start ? end - start : nil
    }

    /// The stream's base rate where its mean confirms it, else the mean.
    private static func rate(_ stream: AVStream) -> Rational? {
        let mean = Rational(stream.avg_frame_rate), lowest = Rational(stream.r_frame_rate)
        guard let mean else { return lowest.flatMap { $0.doubleValue <= 300 ? $0.reduced : nil } }
        if let lowest, abs(lowest.doubleValue / mean.doubleValue - 1) < 0.005 { return lowest.reduced }
        return mean.doubleValue <= 1000 ? mean.reduced : nil
    }
}
