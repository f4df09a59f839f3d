package import FrameCore

/// Encodes some segments of a video into their files and nothing else: no container, no other streams.
///
/// The packets are those of a sink that writes the whole video. The frame after the last segment is needed too, because
/// its time is the end of the segment's last frame.
///
/// `@unchecked Sendable`: `FrameSink` promises calls from one thread at a time.
package final class SegmentSink: FrameSink, @unchecked Sendable {
    package let resumePoint: ResumePoint
    package private(set) var wantsMore = true

    private let stream: VideoStreamDescription
    private let end: Int?
    private let shift: MediaTime
    private let timeBase: Rational
    private let clockTick: MediaTime
    private let isMov: Bool
    private let segments: SegmentedVideo
    /// The time of the first frame of the video, to which the open encoder's film grain refers; nil without grain.
    private let grainOrigin: MediaTime?
    private var encoder: VideoEncoder
    private var nextSegment: Int?
    private var held: Frame?
    private var lastStep: MediaTime?
    private var hasBegun = false

    /// - Parameters:
    ///   - output: the name of the video that the segments belong to, which determines the format; it is not opened.
    ///   - stream: the description of the video.
    ///   - source: what the video is made from.
    ///   - segments: the numbers of the segments to make; without an upper bound, up to the last.
    ///   - shift: the offset added to the times of all frames of the video, so that none is negative.
    ///   - options: how the video is encoded; `segments` must be `kept`.
    /// - Throws: `FrameError` if there is no encoder for the video.
    package init(
        _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription, from start: Int,
        to end: Int?, shift: MediaTime, options: MediaWriterOptions
    ) throws(FrameError) {
        let setup = try MediaWriterSetup(
            output, stream: stream, source: source, retiming: .identity, options: options, stopFlag: StopFlag())
        encoder = try setup.openEncoderOnly()
        guard let segments = SegmentedVideo(encoder, options.segments) else {
            throw FrameError(.invalidArgument, "the video is not divided into segments", at: .init(file: output))
        }
        self.segments = segments
        grainOrigin = options.filmGrain?.origin
        self.stream = stream
        self.end = end
        self.shift = shift
        (timeBase, clockTick, isMov) = (setup.timeBase, setup.clockTick, setup.format.isMov)
        resumePoint = ResumePoint(segment: start, framesWritten: 0)
        source.closePackets()
    }

    deinit { cancel() }

    package func beginSegment(_ index: Int) throws { nextSegment = index }

    package func write(_ frame: Frame) throws {
        if let previous = held {
            let step = frame.presentationTime - previous.presentationTime
            try encode(previous, duration: step, isLast: false)
            lastStep = step
            if let next = nextSegment {
                try finishSegment(next: next, step: step)
                if let end, next >= end {
                    (held, wantsMore) = (nil, false)
                    return
                }
                encoder = try encoder.restarted(at: frame.presentationTime)
            }
        } else if let end, let first = nextSegment, first >= end {
            // No output frame falls into these segments.
            wantsMore = false
            return
        }
        if let index = nextSegment {
            nextSegment = nil
            if !hasBegun, let grainOrigin, grainOrigin != frame.presentationTime {
                encoder = try encoder.restarted(at: frame.presentationTime)
            }
            try segments.begin(index, encoder)
            hasBegun = true
        }
        held = frame
    }

    /// Notes on side data of frames that could not be written so far.
    package var notes: [Note] { encoder.notes }

    package func addToLastFrame(_ sideData: SideData) { held?.sideData.entries += sideData.entries }

    package func finish() throws {
        guard let last = held, hasBegun else { return }
        held = nil
        let fallback = stream.nominalFrameRate.map {
            MediaTime(value: Int64($0.denominator), timescale: $0.numerator)
        }
        let duration = last.duration ?? lastStep ?? fallback ?? clockTick
        try encode(last, duration: duration, isLast: true)
        try finishSegment(next: nil, step: duration)
    }

    package func cancel() {
        held = nil
        segments.cancel()
    }

    private func encode(_ frame: Frame, duration: MediaTime, isLast: Bool) throws(FrameError) {
        let ticks = (frame.presentationTime + shift).ticks(of: timeBase)
        let isKey = isLast && isMov && lastStep != nil && duration != lastStep
        segments.count(ticks: encoder.nextTicks(ticks))
        try encoder.encode(frame, ticks: ticks, duration: duration.ticks(of: timeBase), isKey: isKey) {
            packet throws(FrameError) in try segments.take(packet) { _ throws(FrameError) in }
        }
    }

    private func finishSegment(next: Int?, step: MediaTime) throws {
        try encoder.finish { packet throws(FrameError) in
            try segments.take(packet) { _ throws(FrameError) in }
        }
        try segments.finish(next: next, shift: shift, step: step)
    }
}
