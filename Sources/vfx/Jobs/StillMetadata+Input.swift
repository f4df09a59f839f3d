package import FrameCore
internal import Foundation
internal import MediaIO

extension StillMetadata {
    /// What a picture of one moment of an input says about itself.
    ///
    /// - Parameter created: when the input's clock stood at zero, in seconds since 1970.
    init(inputName: String, created: MediaTime?, at time: MediaTime) {
        self.init(
            timeStamp: created.map { $0 + time }, source: "\(inputName) at \(time) s",
            software: "vfx \(Vfx.configuration.version)")
    }

    /// When a file says it was recorded. Those without a clock behind them say 1970, or 1904, which libavformat leaves out.
    static func created(_ reader: MediaReader) -> MediaTime? {
        reader.info.metadata["creation_time"].flatMap(wallTime)
    }

    /// `2015-03-01T12:00:00.000000Z` in seconds since 1970; nil for what is none, or lies beyond EXIF's years.
    package static func wallTime(_ text: String) -> MediaTime? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= 86_400_000, milliseconds < 253_402_300_800_000 else { return nil }
        return MediaTime(value: Int64(milliseconds), timescale: 1000)
    }
}
