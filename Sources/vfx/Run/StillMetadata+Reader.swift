package import FrameCore
internal import Foundation
internal import MediaIO

extension StillMetadata {
    /// What a picture of one moment of an input says about itself.
    init(_ reader: MediaReader, inputName: String, at time: MediaTime) {
        // Files without a clock behind them say 1970 (or 1904, which libavformat leaves out).
        let created = reader.info.metadata["creation_time"].flatMap(Self.wallTime)
        self.init(
            timeStamp: created.map { $0 + time }, source: "\(inputName) at \(time) s",
            software: "vfx \(Vfx.configuration.version)")
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
