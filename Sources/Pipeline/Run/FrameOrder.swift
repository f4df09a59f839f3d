internal import FrameCore

/// Sees to it that frames are alike and follow one another in time.
struct FrameOrder {
    /// Time between frames when nothing better is known.
    private(set) var nominalInterval: MediaTime?
    private var lastTime: MediaTime?
    private var first: (format: PixelFormat, width: Int, height: Int)?

    init() {}

    init(_ stream: VideoStreamDescription) {
        if let rate = stream.nominalFrameRate, rate.isPositive {
            nominalInterval = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        }
    }

    /// - Throws: `FrameError` when the frame differs from the first in format or size, or does not come after the last.
    mutating func check(_ frame: Frame) throws {
        let buffer = frame.buffer
        if let first {
            guard first.format == buffer.format, first.width == buffer.width, first.height == buffer.height else {
                throw FrameError(
                    .input,
                    "the picture changes from \(first.width)x\(first.height) \(first.format) to \(buffer.width)x\(buffer.height) \(buffer.format); one size and pixel format is needed throughout",
                    at: .init(time: frame.presentationTime))
            }
        } else {
            first = (buffer.format, buffer.width, buffer.height)
        }
        if let lastTime, frame.presentationTime <= lastTime {
            throw FrameError(
                .input, "a frame at \(frame.presentationTime) s follows one at \(lastTime) s; times must increase")
        }
        if let lastTime, frame.duration == nil { nominalInterval = frame.presentationTime - lastTime }
        lastTime = frame.presentationTime
    }
}
