import FrameCore
import MediaIO
import Testing

/// A moving gradient with noise, different for every `index`; uses the whole code range.
func picture(_ format: PixelFormat, _ width: Int, _ height: Int, index: Int) throws -> PixelBuffer {
    var buffer = try PixelBuffer(format: format, width: width, height: height)
    var noise = UInt32(truncatingIfNeeded: index &* 7919 &+ 12345)
    try buffer.withMutablePlanes { planes in
        for plane in 0..<planes.count {
            let target = planes[plane]
            for y in 0..<target.height {
                for x in 0..<target.width {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    let value = ((x + index) * 5 + y * 3 + plane * 40 + Int(noise >> 28)) << max(0, format.bitDepth - 8)
                    let code = (value + Int(noise >> 16)) & format.maximumValue
                    if format.bitDepth > 8 {
                        target.row(y).storeBytes(of: UInt16(code), toByteOffset: x * 2, as: UInt16.self)
                    } else {
                        target.row(y).storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
                    }
                }
            }
        }
    }
    return buffer
}

/// Frames at `ticks` of `base`. Each lasts until the next, the last one `lastTicks`.
func clip(
    _ format: PixelFormat = .yuv420p8, _ width: Int = 64, _ height: Int = 48, ticks: [Int64],
    base: Rational = Rational(1, 25), lastTicks: Int64 = 1, color: ColorDescription = .unspecified
) throws -> [Frame] {
    try ticks.indices.map { index in
        let next = index + 1 < ticks.count ? ticks[index + 1] : ticks[index] + lastTicks
        return Frame(
            buffer: try picture(format, width, height, index: index),
            presentationTime: MediaTime(value: ticks[index] * Int64(base.numerator), timescale: base.denominator),
            duration: MediaTime(value: (next - ticks[index]) * Int64(base.numerator), timescale: base.denominator),
            color: color)
    }
}

func description(of frames: [Frame], base: Rational = Rational(1, 25), rate: Rational? = nil) throws
    -> VideoStreamDescription
{
    let first = try #require(frames.first)
    return VideoStreamDescription(
        format: first.buffer.format, width: first.buffer.width, height: first.buffer.height, timeBase: base,
        nominalFrameRate: rate, color: first.color, sampleAspectRatio: first.sampleAspectRatio)
}

@discardableResult
func write(
    _ frames: [Frame], to path: String, base: Rational = Rational(1, 25), rate: Rational? = Rational(25, 1),
    options: MediaWriterOptions = MediaWriterOptions(), change: (inout VideoStreamDescription) -> Void = { _ in }
) throws -> any MediaSink {
    var stream = try description(of: frames, base: base, rate: rate)
    change(&stream)
    let sink = try openSink(path, stream: stream, source: nil, options: options)
    for frame in frames { try sink.write(frame) }
    try sink.finish()
    return sink
}

struct Reading {
    let reader: MediaReader
    let frames: [Frame]
    var times: [MediaTime] { frames.map(\.presentationTime) }
    var durations: [MediaTime?] { frames.map(\.duration) }
}

func read(_ path: String, _ options: MediaReaderOptions = MediaReaderOptions()) throws -> Reading {
    let reader = try MediaReader(path, options: options)
    var frames: [Frame] = []
    while let frame = try reader.nextFrame() { frames.append(frame) }
    return Reading(reader: reader, frames: frames)
}

/// Reads `source` and writes it frame by frame, in slow motion when `factor` is above 1 (each frame shown longer).
@discardableResult
func carry(
    _ source: String, to path: String, factor: Int32 = 1, options: MediaWriterOptions = MediaWriterOptions()
) throws -> any MediaSink {
    let reader = try MediaReader(source)
    let retiming: Retiming = factor == 1 ? .identity : .stretched(by: factor)
    let sink = try openSink(
        path, stream: reader.stream, source: reader.sourceDescription, retiming: retiming, options: options)
    let ratio = Rational(factor, 1)
    while let frame = try reader.nextFrame() {
        try sink.write(
            frame.replacing(
                buffer: frame.buffer, presentationTime: frame.presentationTime.multiplied(by: ratio),
                duration: frame.duration?.multiplied(by: ratio)))
    }
    try sink.finish()
    return sink
}

func milliseconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1000) }

/// The `FrameError` that `body` throws.
func refusal(_ body: () throws -> Void) throws -> FrameError {
    do {
        try body()
    } catch let error as FrameError {
        return error
    }
    Issue.record("nothing was refused")
    throw CancellationError()
}
