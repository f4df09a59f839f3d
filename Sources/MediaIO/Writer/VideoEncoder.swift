import CLibAV
import FrameCore

/// Encodes frames of one stream into packets.
final class VideoEncoder {
    let codec: CodecContext
    let name: String
    let timeBase: Rational
    /// A sentence about unusual encoder settings; nil when there are none.
    let note: String?
    /// The shortest time between two frames, in ticks; frames that come sooner are moved. 0 for an error in their place.
    private let shortestTicks: Int64
    /// Whether the container stores the time code of the first frame.
    private let keepsTimeCode: Bool
    /// Reduces frames to a palette; nil for encoders that take other frames.
    private let palette: PaletteFilter?
    let choice: EncoderChoice
    private let stream: VideoStreamDescription
    private let options: MediaWriterOptions
    private let globalHeader: Bool
    private var exporter: PictureExporter
    private let packet: PacketHandle
    /// Durations by presentation time, since most encoders do not return them.
    private var durations: [Int64: Int64] = [:]
    private var lastTicks: Int64?
    private var framesSent = 0
    /// The side data of frames that the encoder does not write itself.
    private var messages: PictureMessages
    /// Film grain to store; kept while the encoder may read it.
    private let filmGrain: FilmGrainFile?

    /// - Parameters:
    ///   - keepsTimeCode: whether the container stores the time code of the first frame.
    ///   - start: the presentation time of the first frame; nil if that is where the film grain table begins.
    init(
        _ choice: EncoderChoice, stream: VideoStreamDescription, timeBase: Rational, options: MediaWriterOptions,
        globalHeader: Bool, shortestTicks: Int64 = 0, keepsTimeCode: Bool = false, start: MediaTime? = nil
    ) throws(FrameError) {
        name = choice.name
        self.shortestTicks = shortestTicks
        self.keepsTimeCode = keepsTimeCode
        palette = choice.pixelFormat == AV_PIX_FMT_PAL8 ? try PaletteFilter() : nil
        self.timeBase = timeBase
        (self.choice, self.stream, self.options, self.globalHeader) = (choice, stream, options, globalHeader)
        packet = try PacketHandle()
        exporter = PictureExporter(source: stream.format, target: choice.exportFormat, demands: choice.demands)
        codec = try CodecContext(choice.encoder)
        messages = PictureMessages(choice.encoder.pointee.id, encoder: choice.name, keepsTimeCode: keepsTimeCode)
        let settings = try EncoderSettings(encoder: choice.name, options: options, stream: stream)
        try settings.apply(to: codec, choice.name)
        note = settings.note
        if let table = options.filmGrain {
            let table = table.conforming(to: PixelFormat(planesOf: choice.pixelFormat)?.subsampling ?? .yuv420)
            let file = try FilmGrainFile(table, from: start ?? table.origin)
            try file.apply(to: codec)
            filmGrain = file
        } else {
            filmGrain = nil
        }
        Self.describe(&codec.pointer.pointee, choice, stream, timeBase, threads: settings.threads)
        if globalHeader { codec.pointer.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
        // Each further frame that is encoded at the same time would delay the output by one.
        if options.lowLatency { codec.pointer.pointee.thread_type = FF_THREAD_SLICE }
        let result = codec.openEncoder(choice.encoder)
        guard result >= 0 else {
            let reason = codec.takeLog().first.map { ": \($0)" } ?? ""
            let size = "\(stream.width)x\(stream.height)"
            throw FrameError(
                .encode, "\(choice.name) cannot encode \(size) \(stream.format) frames\(reason)",
                cause: LibAVError(number: result))
        }
    }

    /// Returns a new encoder with the same settings, after closing this one, which must be finished, to free its
    /// memory.
    ///
    /// - Parameter start: the presentation time of its first frame.
    func restarted(at start: MediaTime) throws(FrameError) -> VideoEncoder {
        avcodec_close(codec.pointer)
        let next = try VideoEncoder(
            choice, stream: stream, timeBase: timeBase, options: options, globalHeader: globalHeader,
            shortestTicks: shortestTicks, keepsTimeCode: keepsTimeCode, start: start)
        next.messages.follow(messages)
        return next
    }

    /// The largest number of frames that the encoder may hold back to reorder them.
    ///
    /// x265 does not report it to libavcodec; with one level of B-frames used as references it is at most 2.
    var delay: Int { max(Int(codec.pointer.pointee.has_b_frames), name == "libx265" && !options.lowLatency ? 2 : 0) }

    /// The format of the encoder's input; nil if it is none of this package's.
    var pixelFormat: PixelFormat? { PixelFormat(planesOf: choice.pixelFormat) }

    /// The codec's extradata, which a container stores once for all packets.
    var header: [UInt8] {
        let context = codec.pointer.pointee
        return Array(UnsafeBufferPointer(start: context.extradata, count: Int(context.extradata_size)))
    }

    private static func describe(
        _ context: inout AVCodecContext, _ choice: EncoderChoice, _ stream: VideoStreamDescription,
        _ timeBase: Rational, threads: Int
    ) {
        context.width = Int32(stream.width)
        context.height = Int32(stream.height)
        context.pix_fmt = choice.pixelFormat
        context.time_base = timeBase.av
        context.framerate = stream.nominalFrameRate?.av ?? AVRational(num: 0, den: 1)
        context.sample_aspect_ratio = stream.sampleAspectRatio?.av ?? AVRational(num: 0, den: 1)
        context.thread_count = Int32(clamping: threads)
        context.bit_rate = 0
        context.field_order = AV_FIELD_PROGRESSIVE
        context.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        choice.demands.tags(of: stream.color).apply(to: &context)
    }

    /// Returns a frame as the encoder would receive it, for muxers that store frames uncompressed.
    func picture(of frame: Frame) throws(FrameError) -> FrameHandle {
        messages.take(frame.sideData, at: 0)
        return try exporter.avFrame(of: frame)
    }

    /// What frames carried that cannot be written; complete after ``finish(_:)``.
    var notes: [Note] { messages.notes }

    /// Returns notes on the side data of a frame that cannot be written.
    func notes(on sideData: SideData) -> [Note] {
        PictureMessages.notes(
            on: sideData, codec: choice.encoder.pointee.id, encoder: name, keepsTimeCode: keepsTimeCode)
    }

    /// Returns when the next frame is shown. Rounding may give two frames the same tick.
    func nextTicks(_ ticks: Int64) -> Int64 {
        guard shortestTicks > 0, let lastTicks else { return ticks }
        return max(ticks, lastTicks + shortestTicks)
    }

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - frame: the frame.
    ///   - ticks: presentation time in ticks of ``timeBase``; must ascend.
    ///   - duration: duration in ticks of ``timeBase``.
    ///   - isKey: whether to force a keyframe.
    ///   - take: receives each finished packet, with times in ticks of ``timeBase``.
    func encode(
        _ frame: Frame, ticks: Int64, duration: Int64, isKey: Bool,
        _ take: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void
    ) throws(FrameError) {
        let ticks = nextTicks(ticks)
        if let lastTicks, ticks <= lastTicks {
            throw FrameError(
                .encode, "the frame's time must be later than the previous one by at least one tick of \(timeBase) s",
                at: .init(time: frame.presentationTime))
        }
        lastTicks = ticks
        var box = try exporter.avFrame(of: frame)
        if let palette { box = try palette.reduced(box) }
        box.pointer.pointee.pts = ticks
        box.pointer.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        durations[ticks] = duration
        messages.take(frame.sideData, at: ticks)
        let result = avcodec_send_frame(codec.pointer, box.pointer)
        guard result >= 0 else { throw failure(result, frame.presentationTime) }
        framesSent += 1
        try drain(take)
    }

    func finish(_ take: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        messages.end()
        let result = avcodec_send_frame(codec.pointer, nil)
        guard result >= 0 || result == vfx_averror_eof else { throw failure(result, nil) }
        try drain(take)
        messages.finish()
    }

    private func drain(_ take: (UnsafeMutablePointer<AVPacket>) throws(FrameError) -> Void) throws(FrameError) {
        while true {
            let result = avcodec_receive_packet(codec.pointer, packet.pointer)
            if result == vfx_averror(EAGAIN) || result == vfx_averror_eof { return }
            guard result >= 0 else { throw failure(result, nil) }
            if known(packet.pointer.pointee.dts) == nil || !knowsDecodeTimes {
                packet.pointer.pointee.dts = packet.pointer.pointee.pts
            }
            packet.pointer.pointee.duration = durations.removeValue(forKey: packet.pointer.pointee.pts) ?? 0
            try messages.insert(into: packet.pointer)
            try take(packet.pointer)
        }
    }

    /// Whether the encoder's decoding times are valid.
    ///
    /// x265 determines its reordering delay at the third frame. With fewer frames its decoding times are uninitialised
    /// memory. Two frames cannot be reordered, so their presentation times are used instead.
    private var knowsDecodeTimes: Bool { name != "libx265" || framesSent > 2 && !options.lowLatency }

    private func failure(_ result: Int32, _ time: MediaTime?) -> FrameError {
        let reason = codec.takeLog().first.map { ": \($0)" } ?? ""
        return FrameError(
            .encode, "\(name) failed\(reason)", at: .init(time: time), cause: LibAVError(number: result))
    }
}
