import CLibAV
public import FrameCore

/// Reads single keyframes of a video stream. Each one costs a single decode: one packet in, one frame out.
///
/// `@unchecked Sendable`: `KeyFrameSource` promises calls from one thread at a time.
public final class KeyFrameReader: KeyFrameSource, @unchecked Sendable {
    /// The path or URL that was passed to ``init(_:options:)``.
    public let input: String
    public let stream: VideoStreamDescription
    public private(set) var damage = DamageReport()
    /// The mean quantizer step of luma in the latest keyframe, as in an H.264 picture with comparable artefacts, in 8-bit
    /// code values; known for H.264, HEVC, VP9 and AV1.
    public private(set) var quantizerStep: Float?

    private let options: MediaReaderOptions
    private let demuxer: Demuxer
    private let decoder: VideoDecoder
    private let packet: PacketHandle
    private var packetQuantizer: PacketQuantizer?
    private var importer: PictureImporter
    private let clipClock: ClipClock
    private var lastKey: Int64?
    /// Timestamps of the keyframe packets that could not be decoded.
    private var hasFailed: Set<Int64> = []

    /// Opens `input` and decodes its first frame.
    ///
    /// - Parameters:
    ///   - input: the path or URL of a seekable input.
    ///   - options: how it is opened and read; one thread is the best choice for single frames.
    /// - Throws: `FrameError` when there is no readable video, or the input is not seekable.
    public init(_ input: String, options: MediaReaderOptions = MediaReaderOptions(decoderThreads: 1)) throws(FrameError)
    {
        self.input = input
        var options = options
        options.keepsOtherStreams = false
        self.options = options
        let reader = try MediaReader(input, options: options)
        guard reader.isSeekable else {
            throw FrameError(.input, "the input is not seekable", at: .init(file: input))
        }
        stream = reader.stream
        clipClock = reader.clipClock
        demuxer = reader.demuxer
        importer = demuxer.importer(options)
        decoder = try VideoDecoder(demuxer, options: options)
        decoder.codec.pointer.pointee.export_side_data |= AV_CODEC_EXPORT_DATA_VIDEO_ENC_PARAMS
        packet = try PacketHandle()
        packetQuantizer = demuxer.video.pointee.codecpar.flatMap { PacketQuantizer($0.pointee) }
    }

    /// Opens the input of another reader again, to measure keyframes of the whole clip.
    ///
    /// - Returns: nil if it cannot be opened again, or if it is not seekable.
    /// - Throws: `FrameError` if it can no longer be read.
    package convenience init?(measuring reader: MediaReader) throws(FrameError) {
        guard reader.isReopenable, reader.isSeekable else { return nil }
        var options = reader.options
        options.decoderThreads = 1
        try self.init(reader.input, options: options)
    }

    public func keyFrame(at time: MediaTime) throws -> Frame? {
        let location = FrameError.Location(file: input, stream: demuxer.videoIndex, time: time)
        try demuxer.seek(to: clipClock.stamp(notAfter: time), time: time)
        // Single packets that cannot be decoded are skipped; eight in a row are an error.
        for _ in 0..<8 {
            guard try readKeyPacket(location) else { break }
            let key =
                known(packet.pointer.pointee.pts) ?? known(packet.pointer.pointee.dts) ?? packet.pointer.pointee.pos
            if key == lastKey || hasFailed.contains(key) { return nil }
            if let box = decodePacket() {
                lastKey = key
                quantizerStep =
                    MediaIO.quantizerStep(of: box, bitDepth: stream.format.bitDepth)
                    ?? packetQuantizer?.step(of: packet.bytes)
                var frame = try MediaReader.frame(box, &importer, demuxer, options)
                let stamp = known(box.pointer.pointee.best_effort_timestamp) ?? key
                frame.presentationTime = clipClock.time(of: stamp)
                guard frame.buffer.format == stream.format, frame.buffer.width == stream.width,
                    frame.buffer.height == stream.height
                else { return nil }
                return frame
            }
            hasFailed.insert(key)
            damage.note("some keyframes are damaged and were skipped")
        }
        throw FrameError(.decode, "no keyframe can be decoded here", at: location)
    }

    private func readKeyPacket(_ location: FrameError.Location) throws(FrameError) -> Bool {
        while true {
            do {
                guard try demuxer.readVideoPacket(into: packet) else { return false }
            } catch {
                throw FrameError(.input, "reading failed", at: location, cause: error)
            }
            if demuxer.isKeyFrame(packet) { return true }
        }
    }

    /// Decodes the current packet on its own; nil when the frame is damaged. Drains and flushes the decoder.
    private func decodePacket() -> FrameHandle? {
        let codec = decoder.codec.pointer
        defer { avcodec_flush_buffers(codec) }
        guard avcodec_send_packet(codec, packet.pointer) >= 0 else { return nil }
        _ = avcodec_send_packet(codec, nil)
        guard let box = try? FrameHandle(), avcodec_receive_frame(codec, box.pointer) >= 0,
            vfx_frame_is_corrupt(box.pointer) == 0
        else { return nil }
        demuxer.crop?.apply(to: box.pointer)
        return box
    }
}
