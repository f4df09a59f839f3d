import CLibAV
import FrameCore

/// The time base and frame rate of a video stream, derived from the container, the codec and the caller's options.
struct StreamTiming {
    /// Time base of the frames' presentation times, in seconds.
    let base: Rational
    /// Mean number of frames per second; nil when unknown.
    let rate: Rational?
    /// Whether presentation times are frame numbers because the input has no timestamps.
    let counts: Bool
    /// Nominal duration of a frame in ticks of ``base``; 1 when unknown.
    let nominalTicks: Int64
    /// Duration of the video stream itself; nil when the container does not state it.
    let duration: MediaTime?
    private(set) var notes: [Note] = []

    /// What the opening packets of a stream say about its times.
    struct Opening {
        /// The constant frame rate behind the timestamps; nil if they need no rounding, or if no rate fits all of them.
        var grid: RateGrid?
        /// The rate of film in a stream without timestamps whose frames are shown for three fields and for two; nil for other
        /// streams.
        var filmRate: Rational?
    }

    /// Reads the opening packets, and finds the constant frame rate behind their times. Call before reading the first packet.
    ///
    /// - Parameter isLive: whether only one packet may be awaited, so that the rate is the stated one.
    static func opening(of demuxer: Demuxer, isLive: Bool) throws(FrameError) -> Opening {
        guard !demuxer.lacksTimes else {
            guard demuxer.formatName == "mpegvideo", demuxer.isReopenable, !isLive,
                let base = Rational(demuxer.video.pointee.time_base)
            else { return Opening() }
            return Opening(filmRate: RateGrid.filmRate(try demuxer.openingTimes().map(\.duration), base: base))
        }
        let stated = stated(demuxer)
        // A pipe may be live, so its rate must be stated, and few packets are awaited.
        guard stated != nil || demuxer.isReopenable, let base = Rational(demuxer.video.pointee.time_base) else {
            return Opening()
        }
        // An unusual rate may be an estimate from rounded timestamps.
        let mayBeRounded =
            stated.map { !Rational.usualFrameRates.contains($0) || !RateGrid.isExact($0, base: base) } ?? true
        let mayBeFilm = !isLive && demuxer.isReopenable && holdsDiscs(demuxer.formatName)
        guard mayBeRounded || mayBeFilm else { return Opening() }
        let times = try demuxer.openingTimes(atMost: isLive ? 1 : nil), stamps = times.compactMap(\.stamp)
        let isComplete = stamps.count == times.count
        if isLive {
            return Opening(
                grid: isComplete ? stated.flatMap { RateGrid(stating: $0, base: base, from: stamps) } : nil)
        }
        // First, since a grid of fields holds film, too.
        if mayBeFilm {
            let film =
                isComplete
                ? RateGrid(film: stamps, base: base)
                : RateGrid.filmRate(times.map(\.duration), base: base)
                    .flatMap { RateGrid(filmAt: $0, from: stamps, base: base) }
            if let film { return Opening(grid: film) }
        }
        return Opening(grid: mayBeRounded && isComplete ? RateGrid(of: stamps, base: base, stated: stated) : nil)
    }

    /// Whether a container is one in which the video of discs and broadcasts is kept.
    private static func holdsDiscs(_ formatName: String) -> Bool {
        ["mpeg", "mpegts", "matroska,webm"].contains(formatName)
    }

    /// Returns the frame rate that the header states or that libavformat has estimated.
    private static func stated(_ demuxer: Demuxer) -> Rational? {
        // For Matroska without a default duration, libavformat reports one frame per tick of the time base.
        let stream = demuxer.video.pointee
        let isTick = demuxer.formatName.contains("matroska") && Rational(stream.avg_frame_rate) == Rational(1000, 1)
        return isTick ? nil : rate(stream)
    }

    /// - Parameters:
    ///   - inputFrameRate: the frame rate for inputs without timestamps; nil for the one that they state.
    ///   - opening: what the opening packets say.
    init(_ demuxer: Demuxer, _ decoder: VideoDecoder, inputFrameRate: Rational?, opening: Opening) {
        let stream = demuxer.video.pointee
        let stated = opening.grid?.rate ?? Self.stated(demuxer)
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
            if let grid = opening.grid, grid.isFilm { notes = [Self.noteOnFilm(grid.rate)] }
            return
        }
        let coded = Rational(decoder.codec.pointer.pointee.framerate)?.reduced
        // The codec's headers are the only source of the rate here. Damaged ones may claim that 20 frames last
        // centuries.
        let isLikely = coded.map { (0.01...1000).contains($0.doubleValue) } ?? false
        let chosen = inputFrameRate?.reduced ?? opening.filmRate ?? (isLikely ? coded : nil) ?? Rational(25, 1)
        if inputFrameRate == nil, let film = opening.filmRate {
            notes = [Self.noteOnFilm(film, advice: ", as its beginning shows; --input-fps sets another rate")]
        } else if inputFrameRate == nil, !isLikely {
            let stated = coded.map { "\($0) frames per second, which is unlikely" } ?? "no frame rate"
            notes = [
                Note(
                    "rate-assumed",
                    "the stream states \(stated); 25 frames per second are assumed, --input-fps sets another rate")
            ]
        }
        rate = chosen
        base = Rational(chosen.denominator, chosen.numerator)
        counts = true
        nominalTicks = 1
    }

    private static func noteOnFilm(_ rate: Rational, advice: String = "") -> Note {
        Note(
            "soft-telecine",
            "the file shows film frames for three fields and for two in turn; they are evenly spaced instead, at \(rate) frames/s\(advice)"
        )
    }

    /// Returns the duration of a Matroska track from its `DURATION` tag; the header states only that of the whole file.
    private static func tagged(_ stream: UnsafeMutablePointer<AVStream>, _ base: Rational) -> MediaTime? {
        let tag = OptionDictionary.entries(of: stream.pointee.metadata)["DURATION"]
        guard let end = tag.flatMap(LastFrameDuration.parse) else { return nil }
        let start = known(stream.pointee.start_time).map { MediaTime(ticks: $0, base: base) } ?? .zero
        return end > start ? end - start : nil
    }

    /// Returns libavformat's base frame rate when it agrees with the mean rate to 0.5 %, else the mean.
    private static func rate(_ stream: AVStream) -> Rational? {
        let mean = Rational(stream.avg_frame_rate), lowest = Rational(stream.r_frame_rate)
        guard let mean else { return lowest.flatMap { $0.doubleValue <= 300 ? $0.reduced : nil } }
        if let lowest, abs(lowest.doubleValue / mean.doubleValue - 1) < 0.005 { return lowest.reduced }
        return mean.doubleValue <= 1000 ? mean.reduced : nil
    }
}

/// Determines how long the last frame of a stream is shown.
struct LastFrameDuration {
    /// End time of the track; nil when unknown. In Matroska it is read from the track's tags, because video blocks
    /// store no durations; in mp4 from the edit list, because libavformat sets no durations on reordered frames.
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

    /// Returns the duration of the last frame.
    ///
    /// - Parameters:
    ///   - start: presentation time of the frame.
    ///   - own: the frame's own duration; nil when unknown.
    ///   - base: time base of the stream.
    ///   - previous: duration of the frame before; nil when there is none.
    ///   - nominal: nominal frame duration in ticks of `base`, the last resort.
    ///   - isWhole: whether the stream was read to its end without loss, so that the track's end time applies.
    func duration(
        start: MediaTime, own: MediaTime?, base: Rational, previous: MediaTime?, nominal: Int64, isWhole: Bool
    ) -> MediaTime {
        // A single tick in Matroska is libavformat's guess when the file states no duration.
        let isGuess = isMatroska && own == MediaTime(ticks: 1, base: base) && previous != nil
        let own = isGuess ? nil : own
        if let trackEnd, trackEnd > start, isWhole {
            // The tag is rounded to milliseconds, so the frame's own duration is more exact if it agrees with the tag.
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
        // The durations that fragmented files state are meaningless.
        guard formatName.contains("mp4"), stream.nb_frames > 0, let base = Rational(stream.time_base),
            let start = known(stream.start_time), let length = known(stream.duration), length > 0
        else { return nil }
        return MediaTime(ticks: start &+ length, base: base)
    }

    /// Parses `HH:MM:SS` with optional decimals, of which six are used; nil when malformed.
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
