import CLibAV
import FrameCore

/// Decodes the packets of the video stream. Damaged packets are reported and skipped.
final class VideoDecoder {
    enum Step {
        case frame(FrameHandle)
        /// A packet could not be decoded.
        case lost(LibAVError)
        case end
    }

    let codec: CodecContext
    private let demuxer: Demuxer
    private let packet: PacketHandle
    private var spare: FrameHandle
    private var isDraining = false
    /// The number of packets from which a frame or a failure has come.
    private var accounted = 0
    private var readFailure: LibAVError?
    /// The latest keyframes that were sent to the decoder, at most ``keptKeys``.
    private var keys: [SourcePosition.Packet] = []
    /// More than the frames that a decoder delays.
    private static let keptKeys = 256
    /// The messages that the decoder does not pass on.
    private var messages: PacketMessages
    /// Decodes alpha that is stored beside the frames; nil if there is none, or if it is not wanted.
    private let alpha: AlphaDecoder?
    /// Whether ``packet`` must be sent again, because the decoder's frames had to be received first.
    private var packetIsPending = false

    init(_ demuxer: Demuxer, options: MediaReaderOptions) throws(FrameError) {
        self.demuxer = demuxer
        packet = try PacketHandle()
        spare = try FrameHandle()
        let location = FrameError.Location(file: demuxer.input, stream: demuxer.videoIndex)
        let name = MediaStreamInfo.codecName(demuxer.video)
        guard let parameters = demuxer.video.pointee.codecpar,
            let decoder = avcodec_find_decoder(parameters.pointee.codec_id)
        else {
            throw FrameError(.unsupportedFormat, "there is no decoder for \(name) video", at: location)
        }
        messages = PacketMessages(parameters.pointee)
        let (width, height) = (Int(parameters.pointee.width), Int(parameters.pointee.height))
        guard width * height <= options.maximumPixels else {
            throw FrameError(
                .unsupportedSize,
                "the image size \(width)x\(height) is not supported; the limit is \(options.maximumPixels) pixels",
                at: location)
        }
        codec = try CodecContext(decoder)
        alpha =
            demuxer.announcesAlpha && demuxer.accepts(.yuva420p8, options)
            ? try AlphaDecoder(decoder, maximumPixels: options.maximumPixels) : nil
        try check(
            avcodec_parameters_to_context(codec.pointer, parameters), .decode, "the video stream's header is damaged",
            at: location)
        codec.pointer.pointee.pkt_timebase = demuxer.video.pointee.time_base
        codec.pointer.pointee.thread_count = Int32(clamping: max(0, options.decoderThreads))
        if options.lowLatency, !demuxer.isReopenable {
            // Each further frame that is decoded at the same time would delay the output by one.
            codec.pointer.pointee.thread_type = FF_THREAD_SLICE
            // For AV1 it has that meaning only. Elsewhere it would put reordered frames out of order.
            if parameters.pointee.codec_id == AV_CODEC_ID_AV1 {
                codec.pointer.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
            }
        }
        codec.pointer.pointee.max_pixels = Int64(options.maximumPixels)
        if options.keyFramesOnly, !demuxer.lacksTimes {
            // Not AVStream.discard: libavformat's mov demuxer would then return wrong timestamps.
            codec.pointer.pointee.skip_frame = AVDISCARD_NONKEY
        }
        // Exact cropping may leave rows unaligned. Without this flag, libavcodec crops less than the stream specifies.
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        // Without it, the inverse transform of MPEG-4 Visual and WMV depends on the instruction set.
        codec.pointer.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        try check(
            avcodec_open2(codec.pointer, decoder, nil), .decode, "the \(name) decoder does not accept the stream",
            at: location)
    }

    /// The error that stopped reading before the end, available once ``Step/end`` has been returned; nil for none.
    var interruption: LibAVError? { readFailure }

    func next() throws(FrameError) -> Step {
        while true {
            let result = avcodec_receive_frame(codec.pointer, spare.pointer)
            if result >= 0 {
                let frame = try alpha?.adding(to: spare) ?? spare
                spare = try FrameHandle()
                demuxer.crop?.apply(to: frame.pointer)
                accounted += 1
                return .frame(frame)
            }
            if result == vfx_averror_eof { return .end }
            if result != vfx_averror(EAGAIN) {
                if isDraining { return .end }
                accounted += 1
                return .lost(LibAVError(number: result))
            }
            if let failure = feed() {
                accounted += 1
                return .lost(failure)
            }
        }
    }

    /// Reads all packets that are left, and returns how many there are from which no frame has come.
    func countLost() -> Int { max(0, demuxer.countRest(packet) - accounted) }

    /// Returns whether the decoder has logged the loss of parts of a frame since the last call.
    ///
    /// The decoder's frames carry flags for this too, but with several threads a frame may be returned before its
    /// damage is found.
    func takeLossOfParts() -> Bool { codec.takeLog().contains { $0.contains("error while decoding MB") } }

    /// The number of frames by which the decoder delays its output to reorder them.
    var reorderDelay: Int { Int(codec.pointer.pointee.has_b_frames) }

    /// Returns the keyframe that a frame was decoded from: the last that is shown no later and lies no further on in
    /// the file; nil if none is known.
    ///
    /// - Parameters:
    ///   - stamp: the frame's timestamp in ticks of the stream.
    ///   - offset: the offset of the frame's packet in bytes.
    func key(for stamp: Int64, at offset: Int64) -> SourcePosition.Packet? {
        keys.last { key in
            key.offset <= offset && (key.presentationTime ?? key.decodeTime).map { $0 <= stamp } ?? false
        }
    }

    /// Adds the messages that a frame's packet carried and the decoder has not passed on.
    func addMessages(to frame: inout Frame, _ picture: UnsafePointer<AVFrame>) {
        messages.add(to: &frame.sideData, of: picture)
    }

    /// Whether packets so far carried metadata of Dolby Vision that the decoder has not passed on.
    var hasDolbyVision: Bool { messages.hasDolbyVision }

    private func noteKey() {
        guard demuxer.isKeyFrame(packet), let key = demuxer.identity(of: packet) else { return }
        keys.append(key)
        if keys.count > 2 * Self.keptKeys { keys.removeFirst(Self.keptKeys) }
    }

    /// Resets the decoder after a seek.
    func flush() {
        keys = []
        messages.flush()
        alpha?.flush()
        accounted = demuxer.packetCount
        avcodec_flush_buffers(codec.pointer)
        (isDraining, packetIsPending, readFailure) = (false, false, nil)
    }

    /// Sends the next packet, or starts draining at the end; returns the decoder's error if it rejects the packet.
    private func feed() -> LibAVError? {
        if !packetIsPending {
            do {
                if try !demuxer.readVideoPacket(into: packet) { return drain() }
                noteKey()
                messages.take(packet.pointer)
                alpha?.take(packet.pointer)
            } catch {
                readFailure = error
                return drain()
            }
        }
        let result = avcodec_send_packet(codec.pointer, packet.pointer)
        packetIsPending = result == vfx_averror(EAGAIN)
        return result < 0 && !packetIsPending ? LibAVError(number: result) : nil
    }

    private func drain() -> LibAVError? {
        isDraining = true
        packetIsPending = false
        _ = avcodec_send_packet(codec.pointer, nil)
        return nil
    }
}
