import FrameCore

/// The formats of animated images that are written. Their encoders are chosen by the format, they hold one video and
/// nothing else, and they cannot be written in segments.
package enum AnimationFormat: String, CaseIterable {
    case gif, apng, webp

    /// The format of an output: the one that is named, else that of the extension. A WebP with a number pattern in its
    /// name is one of many images, and a PNG always a single one.
    package init?(_ output: String, format: String?) {
        if let format {
            self.init(rawValue: format)
        } else {
            guard PicturePattern(output) == nil, let ending = PicturePattern.fileExtension(output) else { return nil }
            self.init(rawValue: ending)
        }
    }

    /// libavcodec's name of the encoder.
    var encoderName: String {
        switch self {
        case .gif: "gif"
        case .apng: "apng"
        case .webp: "libwebp"
        }
    }

    /// The only time base of the format, in seconds; nil if each frame has its own.
    var timeBase: Rational? {
        switch self {
        case .gif: Rational(1, 100)
        case .webp: Rational(1, 1000)
        case .apng: nil
        }
    }

    /// The shortest time between two frames, in ticks of ``timeBase``: browsers show frames of up to 10 ms for 100 ms.
    var shortestTicks: Int64 {
        switch self {
        case .gif: 2
        case .webp: 11
        case .apng: 0
        }
    }

    /// The highest frame rate that browsers show, in frames per second.
    private var highestRate: Int { self == .gif ? 50 : 90 }

    /// - Parameter rate: the frame rate of the output; nil if unknown.
    /// - Throws: `FrameError` if browsers would show it far too slowly.
    func check(_ rate: Rational?, at location: FrameError.Location) throws(FrameError) {
        guard let rate, rate.doubleValue > Double(highestRate) else { return }
        throw FrameError(
            .unsupportedFormat,
            "browsers show \(rawValue) files of more than \(highestRate) frames per second far too slowly, and this would have \(rate.reduced); vfx rate --fps \(highestRate) makes one that they show",
            at: location)
    }

    /// Returns a note that an output is not played as often as its source; nil if the source is played once or is no
    /// animated image.
    static func noteOnPlays(_ source: MediaSourceDescription?, in format: String) -> Note? {
        guard let plays = source?.plays, plays != 1 else { return nil }
        let often = plays == 0 ? "endlessly" : "\(plays) times"
        return Note("loop-dropped", "the source is played \(often), which \(format) cannot say")
    }

    /// The muxer's option for how often the animation is played.
    ///
    /// - Parameter plays: the number of times; 0 for endlessly.
    func loopOption(plays: Int) -> (name: String, value: String) {
        switch self {
        // GIF counts the repetitions, and plays once without a count.
        case .gif: ("loop", "\(plays == 0 ? 0 : plays == 1 ? -1 : min(plays - 1, 65_535))")
        case .apng: ("plays", "\(min(plays, 65_535))")
        case .webp: ("loop", "\(min(plays, 65_535))")
        }
    }
}
