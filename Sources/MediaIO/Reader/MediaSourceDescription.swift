import CLibAV
package import FrameCore

/// What a writer needs to know about the input of its frames: the streams, chapters and tags to remux, the timestamp
/// discontinuities, and where to get the packets.
///
/// ``MediaReader/sourceDescription`` returns it. It is a copy, since the reader's demuxer belongs to the reading
/// thread. It shares with the reader only the `TimestampDiscontinuities` that the reader finds and the `PacketQueue`
/// through which it passes packets; both are protected by locks.
public struct MediaSourceDescription {
    /// The path or URL that was passed to the reader.
    let input: String
    /// All streams in the container's order, including the video.
    let streams: [SourceStream]
    /// The stream in ``streams`` that the frames come from.
    let video: SourceStream
    /// Tags of the whole file.
    let metadata: [String: String]
    let chapters: [MediaChapter]
    /// Presentation time of the first frame.
    let start: MediaTime
    /// The container's time at which the clip's clock, which all times here refer to, is zero.
    package let origin: MediaTime
    /// Time base of the frames' presentation times, in seconds.
    let timeBase: Rational
    /// Mean number of frames per second; nil when unknown.
    let frameRate: Rational?
    let discontinuities: TimestampDiscontinuities
    /// Whether the format allows timestamps to jump anywhere inside a stream.
    let allowsDiscontinuities: Bool
    /// Packets of the auxiliary streams, passed on by the reader when the input can be read only once, such as a pipe;
    /// nil when the input is opened a second time.
    let queue: PacketQueue?
    /// The URL that libavformat opens.
    let url: String
    /// The format of the input; nil when unknown.
    let format: UnsafePointer<AVInputFormat>?

    /// The side data of the first frame.
    let firstSideData: SideData

    /// The Dolby Vision configuration of the video; nil for other video.
    let dolbyVision: DolbyVision?
    /// How the reader opens the input, and how timestamps become times.
    let options: MediaReaderOptions
    let clipClock: ClipClock

    /// The part of the clip to which the other streams and the chapters are cut; nil for all of it.
    let part: LocatedPart?
    /// Whether the input consists of images with EXIF, XMP or IPTC data.
    let hasImageMetadata: Bool
    /// How often an animated image is played; 0 for endlessly, nil for other inputs.
    let plays: Int?

    /// Whether all frames follow each other at ``frameRate``. Reads the packets, without decoding.
    func isEven() -> Bool {
        guard let frameRate, frameRate.isPositive, queue == nil,
            let opened = try? OpenedInput(input, options: options), opened.isReopenable,
            let demuxer = try? Demuxer(opened, options: options),
            let index = FrameIndex(demuxer, clock: clipClock, upTo: .end)
        else { return false }
        let step = MediaTime(value: Int64(frameRate.denominator), timescale: frameRate.numerator)
        return zip(index.entries, index.entries.dropFirst()).allSatisfy { $1.time - $0.time == step }
    }

    /// Discards the packets that the reader queues, now and in the future, for a writer that takes none.
    func closePackets() { queue?.close() }
}

extension MediaReader {
    /// What a writer needs in order to remux the other streams, chapters and tags of the input; pass it to
    /// ``openSink(_:stream:source:retiming:options:)``.
    public var sourceDescription: MediaSourceDescription {
        get throws(FrameError) {
            var streams: [SourceStream] = []
            for stream in demuxer.context.streams {
                streams.append(try SourceStream(stream, origin: clipClock.origin))
            }
            // The tag says what the packets hold; the writer sets that of its own.
            let video = demuxer.videoIndex
            streams[video].metadata = streams[video].metadata.filter { !MediaInfo.announcesAlpha($0) }
            return MediaSourceDescription(
                input: input, streams: streams, video: streams[video], metadata: info.metadata,
                chapters: info.chapters, start: start, origin: clipClock.origin, timeBase: stream.timeBase,
                frameRate: stream.nominalFrameRate, discontinuities: discontinuities,
                allowsDiscontinuities: demuxer.allowsDiscontinuities, queue: demuxer.auxiliaryPackets,
                url: demuxer.url, format: demuxer.context.pointer.pointee.iformat.map { UnsafePointer($0) },
                firstSideData: firstSideData, dolbyVision: dolbyVision, options: options, clipClock: clipClock,
                part: part, hasImageMetadata: !imageMetadata.isEmpty, plays: info.plays)
        }
    }
}

/// One stream of an input, copied from libavformat's `AVStream`.
struct SourceStream {
    /// Position in the container, counted from 0.
    let index: Int
    let kind: MediaStreamInfo.Kind
    let codecParameters: CodecParameters
    let timeBase: AVRational
    /// When pictures or sound begin, on the clip's clock; nil for other streams and if unknown.
    let start: MediaTime?
    let sampleAspectRatio: AVRational
    let averageFrameRate: AVRational
    /// libavformat's `AV_DISPOSITION_…` flags.
    let disposition: Int32
    fileprivate(set) var metadata: [String: String]
    let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]
    /// The image file of a cover art stream; empty for other streams.
    let attachedPicture: [UInt8]

    init(_ stream: UnsafeMutablePointer<AVStream>, origin: MediaTime) throws(FrameError) {
        index = Int(stream.pointee.index)
        kind = MediaStreamInfo.Kind(stream)
        codecParameters = try CodecParameters(copying: stream.pointee.codecpar)
        timeBase = stream.pointee.time_base
        start = Demuxer.start(of: stream).map { $0 - origin }.flatMap {
            .zero - $0 <= ClipClock.longestDelay ? $0 : nil
        }
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

    /// The name of the stream in notes.
    var name: String { "stream \(index) (\(kind.spoken), \(codecName))" }

    /// Whether containers usually support streams of this kind; others are dropped first when the muxer rejects them.
    var isCommonKind: Bool {
        switch kind {
        case .video, .audio, .subtitle: true
        case .coverArt, .attachment, .data: false
        }
    }

    /// Whether gaps between packets are normal in this stream, so that they do not indicate a discontinuity.
    var isSparse: Bool { kind != .audio && kind != .video }

    /// The Dolby Vision configuration record of the container; nil if there is none.
    var dolbyVision: DolbyVision? {
        sideData.first { $0.type == AV_PKT_DATA_DOVI_CONF }.flatMap { DolbyVision(record: $0.bytes) }
    }

    /// Opens a decoder for the stream.
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
