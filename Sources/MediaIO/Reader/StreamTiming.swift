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

/// How long the last frame of a stream is shown.
struct LastFrameDuration {
    /// Where the track ends: by its tags in Matroska, which writes no duration on video blocks, and by its edit list in
    /// mp4, where libavformat gives no durations to reordered pictures.
    private let trackEnd: MediaTime?
    private let isMatroska: Bool

    init(_ stream: UnsafeMutablePointer<AVStream>, formatName: String) {
        isMatroska = formatName.contains("matroska")
        guard isMatroska else {
            trackEnd = Self.end(of: stream.pointee, formatName)
            return
        }
        let tags = OptionDictionary.entries(of: stream.pointee.metadata)
        trackEnd = tags["DURATION"].flatMap(Self.parse)
    }

    /// - Parameters:
    ///   - own: what the frame itself says.
    ///   - isWhole: the stream was read to its end without loss, so what the track says of its end holds.
    func duration(
        start: MediaTime, own: MediaTime?, base: Rational, previous: MediaTime?, nominal: Int64, isWhole: Bool
    ) -> MediaTime {
        // A single tick of Matroska's clock is libavformat's guess where the file says nothing.
        let isGuess = isMatroska && own == MediaTime(ticks: 1, base: base) && previous != nil
        let own = isGuess ? nil : own
        if let trackEnd, trackEnd > start, isWhole {
            // The tag is rounded to milliseconds: an own duration that agrees with it is the better one.
            let rest = trackEnd - start
            if isMatroska, let previous, rest <= MediaTime(value: 1, timescale: 1000), previous > rest {
                return previous
            }
            guard let own, own - rest < MediaTime(value: 2, timescale: 1000),
                rest - own < MediaTime(value: 2, timescale: 1000)
            else { return rest }
            return own
        }
        return own ?? previous ?? MediaTime(ticks: nominal, base: base)
    }

    private static func end(of stream: AVStream, _ formatName: String) -> MediaTime? {
        // Fragmented files announce lengths that mean nothing.
        guard formatName.contains("mp4"), stream.nb_frames > 0, let base = Rational(stream.time_base),
            let start = known(stream.start_time), let length = known(stream.duration), length > 0
        else { return nil }
        return MediaTime(ticks: start &+ length, base: base)
    }

    /// Hours, minutes and seconds with up to nine decimals.
    static func parse(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]) else { return nil }
        let seconds = parts[2].split(separator: ".")
        guard let whole = seconds.first.flatMap({ Int64($0) }), (0..<100_000).contains(hours),
            (0..<60).contains(minutes), (0..<60).contains(whole)
        else { return nil }
        let decimals = seconds.count > 1 ? seconds[1].prefix(6) : "0"
        guard let fraction = Int64(decimals + String(repeating: "0", count: 6 - decimals.count)) else { return nil }
        return MediaTime(value: ((hours * 60 + minutes) * 60 + whole) * 1_000_000 + fraction, timescale: 1_000_000)
    }
}
