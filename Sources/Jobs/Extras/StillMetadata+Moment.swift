internal import Foundation
package import FrameCore
package import MediaIO

extension StillMetadata {
    /// Creates the metadata of an image taken from one moment of an input.
    ///
    /// - Parameters:
    ///   - created: the wall-clock time at time zero of the input, in seconds since 1970.
    ///   - kept: metadata of the input if it is an image.
    package init(
        inputName: String, created: MediaTime?, at time: MediaTime, keeping kept: StillMetadata = StillMetadata()
    ) {
        self = kept
        timeStamp = created.map { $0 + time }
        source = "\(inputName) at \(time) s"
        software = "vfx \(ProgramVersion.text)"
    }

    /// Returns the recording time that a file states. Devices without a clock write 1970, or 1904, which libavformat omits.
    package static func created(_ reader: MediaReader) -> MediaTime? {
        reader.info.metadata["creation_time"].flatMap(wallTime)
    }

    /// Parses a time such as `2015-03-01T12:00:00.000000Z` into seconds since 1970; nil if it is invalid or outside the
    /// years that EXIF can store.
    package static func wallTime(_ text: String) -> MediaTime? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= 86_400_000, milliseconds < 253_402_300_800_000 else { return nil }
        return MediaTime(value: Int64(milliseconds), timescale: 1000)
    }
}
