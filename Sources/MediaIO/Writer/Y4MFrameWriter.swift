import CLibAV
package import FrameCore

/// Writes the frames of a y4m file, after libavformat's muxer has written the header.
///
/// libavformat's own frame writer rounds odd chroma widths wrongly above 8 bits, and writes row by row.
struct Y4MFrameWriter {
    private static let marker = Array("FRAME\n".utf8)
    private static let longestPiece = 1 << 18
    private var packed: [UInt8] = []

    mutating func write(_ frame: UnsafeMutablePointer<AVFrame>, to muxer: Muxer, time: MediaTime) throws(FrameError) {
        let picture = frame.pointee
        let format = AVPixelFormat(rawValue: picture.format)
        let size = av_image_get_buffer_size(format, picture.width, picture.height, 1)
        guard size > 0, let io = muxer.pointer.pointee.pb else {
            throw FrameError(.output, "the output cannot be written", at: .init(file: muxer.target.output, time: time))
        }
        let total = Self.marker.count + Int(size)
        if packed.count != total { packed = Self.marker + [UInt8](repeating: 0, count: Int(size)) }
        let planes = picture.planes.map { $0.map { UnsafePointer<UInt8>($0) } }
        packed.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            av_image_copy_to_buffer(
                base + Self.marker.count, size, planes, picture.strides, format, picture.width, picture.height, 1)
            // libavformat's file protocol rejects larger writes than this.
            for start in stride(from: 0, to: total, by: Self.longestPiece) {
                avio_write(io, base + start, Int32(min(Self.longestPiece, total - start)))
            }
        }
        if io.pointee.error < 0 { throw writeError(io.pointee.error, muxer.target.output, time: time) }
    }
}

/// Checks that frames have a constant rate, for formats without timestamps.
package struct ConstantFrameRateCheck {
    package let rate: Rational
    private let start: MediaTime
    private let tolerance: MediaTime
    private var count: Int64 = 0

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - start: presentation time of the first frame.
    ///   - tick: tick of the coarsest time base that the times have been rounded to; deviations below it are accepted.
    package init(rate: Rational, start: MediaTime, tick: MediaTime) {
        self.rate = rate
        self.start = start
        // The tolerance is at most a quarter of a frame, so that a coarse time base does not hide a missing frame.
        let quarter = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator).multiplied(
            by: Rational(1, 4))
        tolerance = min(tick, quarter)
    }

    /// Returns the frame rate to state for a stream that begins with frames `first` and `second`.
    package static func rate(first: Frame, second: Frame?, nominal: Rational?, tick: MediaTime) -> Rational? {
        guard let step = second.map({ $0.presentationTime - first.presentationTime }) ?? first.duration, step.value > 0
        else { return nominal }
        if let nominal, nominal.isPositive {
            let even = ConstantFrameRateCheck(rate: nominal, start: first.presentationTime, tick: tick)
            if even.accepts(first.presentationTime + step, index: 1) { return nominal }
        }
        return Rational(reducing: Int64(step.timescale), step.value)
    }

    /// Whether the duration of the first frame of a stream is a whole number of frames at the stated rate.
    package static func agrees(_ first: Frame, with nominal: Rational?, tick: MediaTime) -> Bool {
        guard let nominal, nominal.isPositive, let duration = first.duration, duration > .zero else { return false }
        let count = duration.ticks(of: Rational(nominal.denominator, nominal.numerator))
        guard count > 0 else { return false }
        let even = ConstantFrameRateCheck(rate: nominal, start: .zero, tick: tick)
        return even.accepts(duration, index: count)
    }

    package mutating func check(_ time: MediaTime, format: String) throws(FrameError) {
        defer { count += 1 }
        guard !accepts(time, index: count) else { return }
        throw FrameError(
            .output,
            "\(format) stores no timestamps, and the frames are not evenly spaced at \(rate) per second; write .mkv or .mp4, or convert the video to a constant frame rate first (vfx rate --fps \(rate))",
            at: .init(time: time))
    }

    private func accepts(_ time: MediaTime, index: Int64) -> Bool {
        let expected = start + MediaTime(ticks: index, base: Rational(rate.denominator, rate.numerator))
        let off = time - expected
        return off < tolerance && MediaTime.zero - off < tolerance
    }
}
