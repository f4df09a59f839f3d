import CLibAV
import FrameCore

/// Owns a muxer context and its output file.
final class Muxer {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let target: OutputTarget
    private var isOpen = false
    /// What has been written, by output stream index.
    private var written: [Int: MuxedStream] = [:]
    /// The number of remuxed packets that the container rejected, by output stream index.
    private(set) var refused: [Int: Int] = [:]
    /// Whether each packet is written and flushed as it comes, in the order in which they come.
    private let isLive: Bool

    /// - Parameter lowLatency: whether packets wait for those of no other stream, unless the output is a file, and are
    ///   flushed.
    init(
        _ format: UnsafePointer<AVOutputFormat>, _ target: OutputTarget, lowLatency: Bool = false
    ) throws(FrameError) {
        _ = LogCollector.installed
        self.target = target
        isLive = lowLatency && !target.isSeekable
        var context: UnsafeMutablePointer<AVFormatContext>?
        let result = avformat_alloc_output_context2(&context, format, nil, target.url)
        guard result >= 0, let context else {
            throw FrameError(
                .output, "the container cannot be set up", at: .init(file: target.output),
                cause: LibAVError(number: result))
        }
        pointer = context
        LogCollector.begin(context)
        // y4m above 8 bits and some audio codecs in mp4 are rated unofficial, but are widely supported by now.
        context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        // These formats number their streams at random, unless the file is to have the same bytes every time.
        if ["matroska", "webm", "ogg", "ogv", "oga", "mxf"].contains(formatName) {
            context.pointee.flags |= AVFMT_FLAG_BITEXACT
        }
        // Packets of remuxed streams arrive interleaved with the video, so 1 s of slack (in microseconds) is enough.
        context.pointee.max_interleave_delta = 1_000_000
        if lowLatency { context.pointee.flush_packets = 1 }
    }

    deinit {
        close()
        LogCollector.end(pointer)
        avformat_free_context(pointer)
    }

    var needsGlobalHeader: Bool { pointer.pointee.oformat.pointee.flags & AVFMT_GLOBALHEADER != 0 }
    /// Whether the container can hide what comes before time zero, with an edit list.
    var hidesNegativeTimes: Bool { ["mp4", "mov", "ipod", "3gp", "3g2", "psp", "ismv", "f4v"].contains(formatName) }
    var formatName: String { String(c: pointer.pointee.oformat.pointee.name) }

    /// Adds the codec delay to a packet's times where the container requires it.
    ///
    /// Readers of Matroska subtract the codec delay that a track states. libavformat's muxer states it only for Opus,
    /// and does not add it to the times.
    func addCodecDelay(to packet: UnsafeMutablePointer<AVPacket>, of stream: UnsafeMutablePointer<AVStream>) {
        guard ["matroska", "webm"].contains(formatName), let parameters = stream.pointee.codecpar?.pointee,
            parameters.codec_id == AV_CODEC_ID_OPUS, parameters.initial_padding > 0, parameters.sample_rate > 0
        else { return }
        let delay = av_rescale_q(
            Int64(parameters.initial_padding), AVRational(num: 1, den: parameters.sample_rate),
            stream.pointee.time_base)
        packet.pointee.move(by: delay)
    }

    func addStream() throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        try allocated(avformat_new_stream(pointer, nil), "an output stream")
    }

    func open() throws(FrameError) {
        try target.claim()
        guard pointer.pointee.oformat.pointee.flags & AVFMT_NOFILE == 0 else { return }
        // Uncompressed frames are written in large pieces and need no second buffer.
        let flags = formatName == "yuv4mpegpipe" ? AVIO_FLAG_WRITE | AVIO_FLAG_DIRECT : AVIO_FLAG_WRITE
        let result = avio_open2(&pointer.pointee.pb, target.url, flags, nil, nil)
        guard result >= 0 else {
            throw FrameError(
                .output, "the output cannot be created", at: .init(file: target.output),
                cause: LibAVError(number: result))
        }
        isOpen = true
    }

    func writeHeader(_ options: [String: String]) throws(FrameError) {
        let dictionary = OptionDictionary(options)
        let result = avformat_write_header(pointer, &dictionary.pointer)
        guard result < 0 else { return }
        if LibAVError(number: result).isNoSpace || LibAVError(number: result).isBrokenPipe {
            throw writeError(result, target.output)
        }
        let reason = LogCollector.take(pointer).first.map { ": \($0)" } ?? ""
        throw FrameError(
            .output, "\(formatName) does not accept these streams\(reason)", at: .init(file: target.output),
            cause: LibAVError(number: result))
    }

    /// Writes a packet, whose times are in the stream's time base, and takes over its reference.
    ///
    /// - Parameters:
    ///   - packet: the packet; blank on return.
    ///   - time: its time, for errors.
    func write(_ packet: UnsafeMutablePointer<AVPacket>, time: MediaTime? = nil) throws(FrameError) {
        let (result, failure) = put(packet)
        guard result >= 0, failure == 0 else {
            throw writeError(failure < 0 ? failure : result, target.output, time: time)
        }
    }

    /// Like ``write(_:time:)`` for a remuxed stream, whose packets may be damaged: packets that the container rejects
    /// are left out and counted.
    func writeRemuxed(_ packet: UnsafeMutablePointer<AVPacket>) throws(FrameError) {
        let index = Int(packet.pointee.stream_index), before = written[index]
        let (result, failure) = put(packet)
        if failure == 0, result == vfx_averror_invalid_data || result == vfx_averror(EINVAL) {
            written[index] = before
            refused[index, default: 0] += 1
            return
        }
        guard result >= 0, failure == 0 else { throw writeError(failure < 0 ? failure : result, target.output) }
    }

    /// - Returns: the muxer's result, and the error of the underlying file, 0 for none.
    private func put(_ packet: UnsafeMutablePointer<AVPacket>) -> (result: Int32, failure: Int32) {
        written[Int(packet.pointee.stream_index), default: MuxedStream()].add(known(packet.pointee.pts))
        let result: Int32
        if isLive {
            result = av_write_frame(pointer, packet)
            av_packet_unref(packet)
        } else {
            result = av_interleaved_write_frame(pointer, packet)
        }
        return (result, min(0, pointer.pointee.pb?.pointee.error ?? 0))
    }

    /// Writes what the container collects, such as a cluster of Matroska or a fragment of mp4, if the output is live.
    func flush(time: MediaTime) throws(FrameError) {
        guard isLive, pointer.pointee.oformat.pointee.flags & AVFMT_ALLOW_FLUSH != 0 else { return }
        let result = av_write_frame(pointer, nil)
        let failure = min(0, pointer.pointee.pb?.pointee.error ?? 0)
        guard result >= 0, failure == 0 else {
            throw writeError(failure < 0 ? failure : result, target.output, time: time)
        }
    }

    /// Sets the duration of the last frame of an animated image, which muxers do not take from its packet.
    ///
    /// - Parameter last: the time in ticks of `base`.
    func endAnimation(_ format: AnimationFormat, last: Int64, base: Rational) {
        let ticks = AVRational(num: Int32(clamping: last), den: 1), value = av_mul_q(ticks, base.av)
        switch format {
        case .gif: av_opt_set_int(pointer.pointee.priv_data, "final_delay", min(last, 65_535), 0)
        case .apng: av_opt_set_q(pointer.pointee.priv_data, "final_delay", value, 0)
        case .webp: break
        }
    }

    func finish() throws(FrameError) {
        let result = av_write_trailer(pointer)
        guard result >= 0 else { throw writeError(result, target.output) }
        if let io = pointer.pointee.pb {
            avio_flush(io)
            if io.pointee.error < 0 { throw writeError(io.pointee.error, target.output) }
        }
        let closed = close()
        guard closed >= 0 else { throw writeError(closed, target.output) }
    }

    /// Returns the number of packets written to an output stream.
    func packets(of stream: Int32) -> Int { written[Int(stream)]?.packets ?? 0 }

    /// Reads the finished file back, if the container stores packets so that they can be compared.
    ///
    /// - Parameters:
    ///   - video: index of the video stream.
    ///   - stop: checked for each packet.
    /// - Throws: `FrameError` when a stream or a frame is missing.
    func verify(video: Int32, _ stop: StopFlag) throws(FrameError) {
        guard OutputVerifier.isChecked(formatName), target.isSeekable, let path = target.path else { return }
        // A missing file is reported when it is to be renamed to its final name.
        guard LocalFile(path) != nil else { return }
        let streams = (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0] }
        let kinds = streams.map { stream in
            (kind: MuxedStream.Kind(stream), written: written[Int(stream.pointee.index)])
        }
        let base = streams.first { $0.pointee.index == video }.flatMap { Rational($0.pointee.time_base) }
        let position = streams.count {
            $0.pointee.index < video && MuxedStream.Kind($0) == .video
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 && written[Int($0.pointee.index)] != nil
        }
        try OutputVerifier(path: path, output: target.output)
            .check(kinds, video: written[Int(video)].map { (position, $0) }, clock: base ?? Rational(1, 1000), stop)
    }

    @discardableResult
    func close() -> Int32 {
        guard isOpen else { return 0 }
        isOpen = false
        return avio_closep(&pointer.pointee.pb)
    }
}
