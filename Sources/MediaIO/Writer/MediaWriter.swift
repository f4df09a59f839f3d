import CLibAV
import FrameCore

/// Encodes frames into a container and remuxes the source's other streams, chapters and tags.
///
/// A file is written as `<name>.part`; ``finish()`` reads it back and renames it. Any failure, ``cancel()`` or
/// deallocation removes it. One frame is held back: its duration, and whether it is the last, are known only from the
/// next frame or the end. At low latency none is held back: a frame is encoded with the duration that is expected.
///
/// `@unchecked Sendable`: `FrameSink` promises calls from one thread at a time.
final class MediaWriter: MediaSink, @unchecked Sendable {
    var encoderName: String? { encoder.name }
    var containerName: String { format.name }
    var notes: [Note] {
        fixedNotes + encoder.notes.filter { !fixedNotes.contains($0) } + (remuxer?.notes ?? [])
    }

    private let format: OutputFormat
    private let target: OutputTarget
    private let stream: VideoStreamDescription
    private let muxer: Muxer
    private var encoder: VideoEncoder
    private let segments: SegmentedVideo?
    /// Index of the segment that begins with the next frame; nil when none does.
    private var nextSegment: Int?
    private let video: UnsafeMutablePointer<AVStream>
    private let remuxer: AuxiliaryStreamRemuxer?
    private let timeBase: Rational
    private let clockTick: MediaTime
    private var fixedNotes: [Note]
    private var isDone = false
    private var held: Frame?
    /// The time of the latest frame that was encoded without being held back.
    private var latestTime: MediaTime?
    private let lowLatency: Bool
    /// The number of frames that the encoder has not returned.
    private var framesInEncoder = 0
    private var lastStep: MediaTime?
    private var frameRateCheck: ConstantFrameRateCheck?
    private var y4mWriter = Y4MFrameWriter()
    private var frameIndex: Int64 = 0
    private let stopFlag: StopFlag
    private let filmGrain: FilmGrainTable?
    private let failsOnLoss: Bool
    /// Added to all times, so that the earliest stream starts at zero, or where it starts in the source.
    private var shift: MediaTime

    init(
        _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?, retiming: Retiming,
        options: MediaWriterOptions
    ) throws(FrameError) {
        let stopFlag = StopFlag()
        let setup = try MediaWriterSetup(
            output, stream: stream, source: source, retiming: retiming, options: options, stopFlag: stopFlag)
        let opened = try setup.open()
        format = setup.format
        target = setup.target
        self.stream = stream
        timeBase = setup.timeBase
        clockTick = setup.clockTick
        self.stopFlag = stopFlag
        muxer = opened.muxer
        encoder = opened.encoder
        segments =
            setup.format.isY4M || setup.format.animation != nil ? nil : SegmentedVideo(opened.encoder, options.segments)
        video = opened.video
        remuxer = opened.remuxer
        fixedNotes = opened.notes
        shift = opened.shift
        filmGrain = options.filmGrain
        failsOnLoss = options.failsOnLoss
        lowLatency = options.lowLatency
    }

    deinit { cancel() }

    /// The end of the finished segments in the store; the start without a store.
    var resumePoint: ResumePoint { segments?.resumePoint ?? .start }

    var framesHeld: Int { framesInEncoder + (held == nil ? 0 : 1) }

    /// Has an effect only if the options enable segments.
    func beginSegment(_ index: Int) { nextSegment = index }

    func finishedFrames(_ take: (Frame) throws -> Void) throws { try segments?.frames(encoder, stream, take) }

    /// Has no effect at low latency, where the frame has gone.
    func addToLastFrame(_ sideData: SideData) { held?.sideData.entries += sideData.entries }

    func stop() {
        segments?.stop()
        stopFlag.set()
    }

    func abandon() { target.abandon() }

    func write(_ frame: Frame) throws {
        guard !isDone else { throw FrameError(.output, "the output is already finished", at: location(frame)) }
        do {
            try requireSamePicture(frame)
            if let previous = held?.presentationTime ?? latestTime {
                let step = frame.presentationTime - previous
                if let held {
                    try beginIfNeeded(held, second: frame)
                    try encode(held, duration: step, isLast: false)
                }
                lastStep = step
                if let nextSegment { try endSegment(next: nextSegment, step: step, then: frame) }
            } else {
                try resume()
                // Only now is the time known that the encoder's film grain table refers to.
                if let filmGrain, filmGrain.origin != frame.presentationTime {
                    encoder = try encoder.restarted(at: frame.presentationTime)
                }
            }
            try startSegment()
            if lowLatency, !format.isY4M || frameIndex > 0 || knowsRate(from: frame) {
                held = nil
                try beginIfNeeded(frame, second: nil)
                try encode(frame, duration: expectedDuration(of: frame), isLast: false)
                latestTime = frame.presentationTime
            } else {
                held = frame
            }
        } catch {
            cancel()
            throw error
        }
    }

    /// Begins to write the segments that an earlier run has finished.
    private func resume() throws {
        guard let segments, segments.isResuming, let last = segments.lastFinished else { return }
        frameIndex = Int64(segments.resumePoint.framesWritten)
        lastStep = last.step
        shift = last.shift
        fixedNotes += (last.notes ?? []).filter { !fixedNotes.contains($0) }
        try segments.startReplay(encoder) { [self] packet throws(FrameError) in try mux(packet) }
    }

    private func startSegment() throws(FrameError) {
        guard let segments, let index = nextSegment else { return }
        nextSegment = nil
        try segments.begin(index, encoder)
    }

    private func endSegment(next: Int?, step: MediaTime, then first: Frame? = nil) throws {
        guard let segments else { return }
        try encoder.finish { packet throws(FrameError) in try self.take(packet) }
        try segments.finish(next: next, shift: shift, step: step, notes: encoder.notes)
        if let first { encoder = try encoder.restarted(at: first.presentationTime) }
    }

    func finish() throws {
        guard !isDone else { return }
        do {
            try resume()
            guard held != nil || frameIndex > 0 else {
                throw FrameError(.output, "no frames were written", at: .init(file: target.output))
            }
            if let last = held {
                try finishVideo(last)
            } else if let lastStep = latestTime.map({ _ in lastStep ?? clockTick }) {
                try finishEncoder(step: lastStep)
            }
            held = nil
            try segments?.finish { packet throws(FrameError) in try self.mux(packet) }
            try remuxer?.finish(muxer, shift: shift)
            try requireAllFrames()
            if failsOnLoss, let loss = notes.first(where: \.isLoss) { throw loss.refusal(of: target.output) }
            try muxer.finish()
            try addSphericalBoxes()
            if format.animation == .webp, stream.format.hasAlpha, target.isSeekable, let path = target.path {
                try WebPFrames.stopBlending(in: path)
            }
            try muxer.verify(video: video.pointee.index, stopFlag)
            try verifyFilmGrain()
            try target.sync()
            if let store = segments?.store, let path = target.path { try store.willPublish(path) }
            try target.publish()
            // The segments are deleted next, so the output's new name must be safely on disk.
            if segments?.store != nil { target.syncDirectory() }
            isDone = true
        } catch {
            cancel()
            throw error
        }
    }

    /// Checks that every frame has produced one packet. In containers that are not read back, a missing one would go
    /// unnoticed.
    private func requireAllFrames() throws(FrameError) {
        let packets = muxer.packets(of: video.pointee.index)
        guard frameRateCheck == nil, packets != frameIndex else { return }
        throw FrameError(
            .encode, "\(encoder.name) returned \(packets) packets for \(frameIndex) frames, so the file was not kept",
            at: .init(file: target.output))
    }

    private func addSphericalBoxes() throws(FrameError) {
        let boxes = SphericalBoxes(stream.sideData)
        guard format.lacksSphericalBoxes, !boxes.isEmpty, target.isSeekable, let path = target.path else { return }
        guard try !boxes.add(to: path, track: Int(video.pointee.index)) else { return }
        throw FrameError(
            .output, "the description of the 360° or stereoscopic video cannot be added", at: .init(file: target.output)
        )
    }

    private func verifyFilmGrain() throws(FrameError) {
        guard let filmGrain, let path = target.path, OutputVerifier.isChecked(format.name) else { return }
        let subsampling = encoder.pixelFormat?.subsampling ?? stream.format.subsampling
        try FilmGrainVerifier(path: path, output: target.output, table: filmGrain.conforming(to: subsampling))
            .check(stopFlag)
    }

    private func finishVideo(_ last: Frame) throws {
        try beginIfNeeded(last, second: nil)
        let duration = last.duration ?? lastStep ?? nominalStep ?? clockTick
        if let animation = format.animation {
            let end = (last.presentationTime + duration + shift).ticks(of: timeBase)
            let start = encoder.nextTicks((last.presentationTime + shift).ticks(of: timeBase))
            muxer.endAnimation(animation, last: max(end - start, animation.shortestTicks), base: timeBase)
        }
        try encode(last, duration: duration, isLast: true)
        try finishEncoder(step: duration)
    }

    private func finishEncoder(step: MediaTime) throws {
        if segments == nil {
            try encoder.finish { packet throws(FrameError) in try self.take(packet) }
        } else {
            try endSegment(next: nil, step: step)
        }
    }

    /// The time between frames at the stated rate.
    private var nominalStep: MediaTime? {
        guard let rate = stream.nominalFrameRate, rate.isPositive else { return nil }
        return MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
    }

    /// Returns how long a frame is probably shown whose successor is unknown.
    ///
    /// A file states only how long the last frame is shown. A fragment of a live output states it for each of its frames,
    /// the last of which may be followed by a frame made between two of the source.
    private func expectedDuration(of frame: Frame) -> MediaTime {
        let duration = frame.duration ?? lastStep ?? nominalStep ?? clockTick
        return target.isSeekable ? duration : min(duration, nominalStep ?? duration)
    }

    /// Whether the stated rate is certain at the first frame, because its duration agrees.
    private func knowsRate(from frame: Frame) -> Bool {
        ConstantFrameRateCheck.agrees(frame, with: stream.nominalFrameRate, tick: clockTick)
    }

    func cancel() {
        guard !isDone else { return }
        isDone = true
        held = nil
        segments?.cancel()
        muxer.close()
        target.discard()
    }

    private func location(_ frame: Frame) -> FrameError.Location {
        .init(file: target.output, time: frame.presentationTime)
    }

    private func requireSamePicture(_ frame: Frame) throws(FrameError) {
        let buffer = frame.buffer
        guard buffer.format == stream.format, buffer.width == stream.width, buffer.height == stream.height else {
            throw FrameError(
                .invalidArgument,
                "a \(buffer.width)x\(buffer.height) \(buffer.format) frame does not fit an output of \(stream.width)x\(stream.height) \(stream.format)",
                at: location(frame))
        }
    }

    private func beginIfNeeded(_ first: Frame, second: Frame?) throws(FrameError) {
        guard frameIndex == 0 else { return }
        if !format.isY4M, first.presentationTime + shift < .zero {
            shift = .zero - first.presentationTime
            fixedNotes.append(
                Note("times-shifted", "all times were shifted by \(shift) s, since the first one was negative"))
        }
        guard format.isY4M else { return }
        let rate =
            lowLatency && knowsRate(from: first)
            ? stream.nominalFrameRate
            : ConstantFrameRateCheck.rate(
                first: first, second: second, nominal: stream.nominalFrameRate, tick: clockTick)
        let stated = rate ?? Rational(25, 1)
        frameRateCheck = ConstantFrameRateCheck(rate: stated, start: first.presentationTime, tick: clockTick)
        video.pointee.avg_frame_rate = stated.av
        video.pointee.time_base = AVRational(num: stated.denominator, den: stated.numerator)
        try muxer.writeHeader([:])
    }

    private func encode(_ frame: Frame, duration: MediaTime, isLast: Bool) throws(FrameError) {
        frameIndex += 1
        if frameRateCheck != nil { return try writeY4M(frame) }
        let ticks = (frame.presentationTime + shift).ticks(of: timeBase)
        let length = duration.ticks(of: timeBase)
        // With reordered frames, mp4 can store the duration of the last one only if it is also last in decoding order.
        let isKey = isLast && format.isMov && lastStep != nil && duration != lastStep
        segments?.count(ticks: encoder.nextTicks(ticks))
        framesInEncoder += 1
        do {
            try encoder.encode(frame, ticks: ticks, duration: length, isKey: isKey) { packet throws(FrameError) in
                try self.take(packet)
            }
        } catch {
            var error = error
            error.location.file = error.location.file ?? target.output
            throw error
        }
    }

    private func writeY4M(_ frame: Frame) throws(FrameError) {
        do {
            try frameRateCheck?.check(frame.presentationTime, format: format.name)
            let picture = try encoder.picture(of: frame)
            try y4mWriter.write(picture.pointer, to: muxer, time: frame.presentationTime)
        } catch {
            var error = error
            error.location.file = target.output
            throw error
        }
    }

    private func take(_ packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        framesInEncoder -= 1
        guard let segments else { return try mux(packet) }
        try segments.take(packet) { packet throws(FrameError) in try self.mux(packet) }
    }

    private func mux(_ packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        let decodeTime = MediaTime(ticks: packet.pointee.dts, base: timeBase)
        try remuxer?.write(upTo: decodeTime, muxer, shift: shift)
        av_packet_rescale_ts(packet, timeBase.av, video.pointee.time_base)
        packet.pointee.stream_index = video.pointee.index
        try muxer.write(packet, time: decodeTime)
        try muxer.flush(time: decodeTime)
    }
}
