import CLibAV
import FrameCore

/// What a writer has to know of the input that its frames come from: the streams, chapters and tags to remux, where their
/// timestamps jump, and how to get at their packets.
///
/// A reader makes it: ``MediaReader/sourceDescription``. It is a copy, since the reader's demuxer belongs to the thread
/// that reads. Shared with the reader are only what it finds while it reads, `TimestampDiscontinuities`, and the packets
/// that it passes on, `PacketQueue`; both are locked.
public struct MediaSourceDescription {
    /// As given to the reader.
    let input: String
    /// In the container's order, the video among them.
    let streams: [SourceStream]
    /// The stream in ``streams`` that the frames come from.
    let video: SourceStream
    /// Tags of the whole file.
    let metadata: [String: String]
    let chapters: [MediaChapter]
    /// When the first frame is shown.
    let start: MediaTime
    /// The clock of the frames' times.
    let timeBase: Rational
    let discontinuities: TimestampDiscontinuities
    /// Whether the times of the format may jump anywhere inside a stream.
    let allowsDiscontinuities: Bool
    /// The packets of the auxiliary streams, which the reader passes on, of what can be read once only, such as a pipe; nil
    /// for what is opened a second time.
    let queue: PacketQueue?
    /// What libavformat opens.
    let url: String
    /// The input's format.
    let format: UnsafePointer<AVInputFormat>?

    /// Lets go of the packets that the reader keeps, for a writer that takes none.
    func closePackets() { queue?.close() }
}

extension MediaReader {
    /// What a writer has to know to remux the other streams, chapters and tags of the input; see
    /// ``openSink(_:stream:source:retiming:options:)``.
    public var sourceDescription: MediaSourceDescription {
        get throws(FrameError) {
            var streams: [SourceStream] = []
            for stream in demuxer.context.streams { streams.append(try SourceStream(stream)) }
            return MediaSourceDescription(
                input: input, streams: streams, video: streams[demuxer.videoIndex], metadata: info.metadata,
                chapters: info.chapters, start: start, timeBase: stream.timeBase, discontinuities: discontinuities,
                allowsDiscontinuities: demuxer.allowsDiscontinuities, queue: demuxer.auxiliaryPackets,
                url: demuxer.url, format: demuxer.context.pointer.pointee.iformat.map { UnsafePointer($0) })
        }
    }
}

/// One stream of an input, copied from libavformat's.
struct SourceStream {
    /// Position in the container, counted from 0.
    let index: Int
    let kind: MediaStreamInfo.Kind
    let codecParameters: CodecParameters
    let timeBase: AVRational
    let sampleAspectRatio: AVRational
    let averageFrameRate: AVRational
    /// libavformat's flags `AV_DISPOSITION_…`.
    let disposition: Int32
    let metadata: [String: String]
    let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]
    /// The picture file of cover art; empty for other streams.
    let attachedPicture: [UInt8]

    init(_ stream: UnsafeMutablePointer<AVStream>) throws(FrameError) {
        index = Int(stream.pointee.index)
        kind = MediaStreamInfo.Kind(stream)
        codecParameters = try CodecParameters(copying: stream.pointee.codecpar)
        timeBase = stream.pointee.time_base
        sampleAspectRatio = stream.pointee.sample_aspect_ratio
        averageFrameRate = stream.pointee.avg_frame_rate
        disposition = stream.pointee.disposition
        metadata = OptionDictionary.entries(of: stream.pointee.metadata)
        sideData = StreamSideData.all(of: stream)
        let picture = stream.pointee.attached_pic
        attachedPicture = Array(
            UnsafeBufferPointer(start: picture.data, count: picture.data == nil ? 0 : Int(max(0, picture.size))))
    }

    /// libavcodec's name of the codec.
    var codecName: String { String(c: avcodec_get_name(codecParameters.pointer.pointee.codec_id)) }

    /// How notes name it.
    var name: String { "stream \(index) (\(kind.spoken), \(codecName))" }

    /// Whether every container of the kind takes such streams; others are dropped first when the muxer refuses.
    var isCommonKind: Bool {
        switch kind {
        case .video, .audio, .subtitle: true
        case .coverArt, .attachment, .data: false
        }
    }

    /// Whether the stream has pauses of its own, so that a gap between its packets says nothing.
    var isSparse: Bool { kind != .audio && kind != .video }

    /// A decoder for its packets.
    func openDecoder() throws(FrameError) -> CodecContext {
        let parameters = codecParameters.pointer
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw FrameError(.unsupportedFormat, "there is no decoder for it")
        }
        let decoder = try CodecContext(codec)
        try check(avcodec_parameters_to_context(decoder.pointer, parameters), .decode, "its parameters are damaged")
        decoder.pointer.pointee.pkt_timebase = timeBase
        try check(avcodec_open2(decoder.pointer, codec, nil), .decode, "its decoder does not accept it")
        return decoder
    }
}
