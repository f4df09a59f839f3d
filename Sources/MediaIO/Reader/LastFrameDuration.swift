import CLibAV
import FrameCore

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

    /// - Parameter isWhole: the stream was read to its end without loss, so what the track says of its end holds.
    func duration(
        start: MediaTime, own: Int64, base: Rational, previous: MediaTime?, nominal: Int64, isWhole: Bool
    ) -> MediaTime {
        // A single tick of Matroska's clock is libavformat's guess where the file says nothing.
        let isGuess = isMatroska && own == 1 && previous != nil
        let own = own > 0 && !isGuess ? MediaTime(ticks: own, base: base) : nil
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
