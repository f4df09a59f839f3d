import CLibAV
import FrameCore

/// Picks the video stream of an input and reads that stream's packets.
final class Demuxer {
    let input: String
    let url: String
    let context: InputContext
    let videoIndex: Int
    /// Whether the input can be opened a second time and gives the same bytes.
    let isReopenable: Bool
    /// Where packets of auxiliary streams go; nil when nothing can want them.
    let auxiliaryPackets: PacketQueue?
    /// Whether packets of other than key frames are passed over: where a table marks the key frames, not a parser.
    private let skipsOtherFrames: Bool
    /// Whether the container's table says which pictures are key frames, and that not all are.
    private lazy var tableTellsKeyFrames =
        formatName.contains("mp4")
        && (0..<avformat_index_get_entries_count(video)).contains { index in
            avformat_index_get_entry(video, index).map { $0.pointee.flags & AVINDEX_KEYFRAME == 0 } ?? false
        }
    private(set) var packetCount = 0
    /// Where the latest of the video's packets ends in its ticks, those that were passed over among them.
    private(set) var endOfPackets: Int64?
    /// Byte after the last packet read, where packets lie in file order.
    private var endOfLastPacket: Int64 = 0

    init(_ opened: OpenedInput, options: MediaReaderOptions) throws(FrameError) {
        input = opened.input
        url = opened.url
        isReopenable = opened.isReopenable
        context = opened.context
        videoIndex = try Self.pickVideo(input, context, options)
        let format = String(c: opened.context.pointer.pointee.iformat?.pointee.name)
        skipsOtherFrames = options.keyFramesOnly && (format.contains("mp4") || format.contains("matroska"))
        let others = options.keepsOtherStreams && context.streams.count > 1
        auxiliaryPackets = others && !isReopenable ? PacketQueue() : nil
        for (index, stream) in context.streams.enumerated() where index != videoIndex && auxiliaryPackets == nil {
            stream.pointee.discard = AVDISCARD_ALL
        }
    }

    var video: UnsafeMutablePointer<AVStream> { context.streams[videoIndex] }
    var formatName: String { context.formatName }
    /// Whether the format has no times of its own; libavformat invents some for elementary streams.
    var lacksTimes: Bool {
        Self.elementary.contains(formatName)
            || (context.pointer.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0
    }
    /// Whether the format's times may jump anywhere inside a stream, as in MPEG transport streams.
    var allowsDiscontinuities: Bool { (context.pointer.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }
    /// Whether the format holds pictures one by one: a file or pipe of PNG, JPEG and so on, numbered files.
    var isPictureFormat: Bool { formatName.hasPrefix("image2") || formatName.hasSuffix("_pipe") }
    private static let elementary: Set<String> = [
        "h264", "hevc", "m4v", "mpegvideo", "mjpeg", "vc1", "cavsvideo", "avs2", "avs3", "h261", "h263", "dirac", "obu",
    ]

    /// The next packet of the video stream into `packet`; false at the end.
    func readVideoPacket(into packet: PacketHandle) throws(LibAVError) -> Bool {
        while true {
            av_packet_unref(packet.pointer)
            let result = av_read_frame(context.pointer, packet.pointer)
            if result == vfx_averror_eof { return false }
            if result == vfx_averror(EAGAIN) { continue }
            guard result >= 0 else { throw LibAVError(number: result) }
            let read = packet.pointer.pointee
            if read.pos >= 0 { endOfLastPacket = max(endOfLastPacket, read.pos &+ Int64(read.size)) }
            if Int(read.stream_index) == videoIndex {
                if let start = known(read.pts) ?? known(read.dts) {
                    endOfPackets = max(endOfPackets ?? .min, start &+ max(0, read.duration))
                }
                // A picture that the file repeats, not one that is lost; decoders take it for the end.
                if packet.isEmpty { continue }
                if skipsOtherFrames, !isKeyFrame(packet) { continue }
                packetCount += 1
                return true
            }
            auxiliaryPackets?.append(packet.pointer)
        }
    }

    /// Whether the packet holds a key frame by its flag or by the container's table: libavformat takes the flag off what
    /// it cannot parse, and a damaged key frame must not pass for another frame.
    func isKeyFrame(_ packet: PacketHandle) -> Bool {
        let read = packet.pointer.pointee
        if read.flags & AV_PKT_FLAG_KEY != 0 { return true }
        guard tableTellsKeyFrames,
            let entry = avformat_index_get_entry_from_timestamp(video, read.dts, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY)
        else { return false }
        return entry.pointee.flags & AVINDEX_KEYFRAME != 0 && entry.pointee.pos == read.pos
    }

    /// Goes on with the key frame at or before `time`, or with the first packet for nil and where there is none before.
    func seek(to time: MediaTime?) throws(FrameError) {
        let base = Rational(video.pointee.time_base) ?? Rational(1, 90_000)
        let index = Int32(videoIndex)
        var result: Int32 = -1
        if let time { result = av_seek_frame(context.pointer, index, time.ticks(of: base), AVSEEK_FLAG_BACKWARD) }
        if result < 0 {
            let first = known(video.pointee.start_time) ?? 0
            result = av_seek_frame(context.pointer, index, first, AVSEEK_FLAG_BACKWARD)
        }
        if result < 0 { result = av_seek_frame(context.pointer, -1, 0, AVSEEK_FLAG_BYTE) }
        try check(
            result, .input, "there is no way to this time",
            at: FrameError.Location(file: input, stream: videoIndex, time: time))
    }

    /// A sentence when part of the input is missing: it stops before what its own tables announce, or was unreadable.
    func missingPart() -> String? {
        let lines = context.takeLog()
        if lines.contains(where: { $0.contains("prematurely") || $0.contains("partial file") }) {
            return "the file ends before its last packet"
        }
        if lines.contains(where: { $0.contains("EBML") || $0.contains("exceeds containing master element") }) {
            return "part of the file is damaged and was passed over"
        }
        guard let io = context.pointer.pointee.pb else { return nil }
        if formatName == "yuv4mpegpipe", avio_tell(io) > endOfLastPacket, packetCount > 0 {
            return "the file ends inside a picture"
        }
        let size = avio_size(io)
        let count = avformat_index_get_entries_count(video)
        guard size > 0, count > 0, formatName.contains("mp4") else { return nil }
        let beyond = (0..<count).count { index in
            guard let entry = avformat_index_get_entry(video, index)?.pointee else { return false }
            return entry.pos > size - Int64(entry.size)
        }
        return beyond > 0 ? "the file is cut short: \(beyond) of \(count) pictures lie beyond its end" : nil
    }

    /// The stream that is read: the one asked for, else the one libav thinks best.
    static func pickVideo(
        _ input: String, _ context: InputContext, _ options: MediaReaderOptions
    ) throws(FrameError) -> Int {
        let location = FrameError.Location(file: input)
        let streams = context.streams
        let videos = streams.indices.filter { MediaStreamInfo.Kind(streams[$0]) == .video }
        if let wanted = options.videoStream {
            guard videos.contains(wanted) else {
                let allowed = videos.map(String.init).joined(separator: ", ")
                throw FrameError(
                    .invalidArgument, "stream \(wanted) is not a video stream; allowed are: \(allowed)", at: location)
            }
            return wanted
        }
        // libav weighs disposition, frames found while probing and bit rate; cover art must not win.
        let best = Int(av_find_best_stream(context.pointer, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
        let decodable = videos.filter { (streams[$0].pointee.codecpar?.pointee.width ?? 0) > 0 }
        let flagged = decodable.first { streams[$0].pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
        if let chosen = decodable.contains(best) ? best : flagged ?? decodable.first ?? videos.first { return chosen }
        let kinds = streams.map { "\(MediaStreamInfo.Kind($0).spoken) (\(MediaStreamInfo.codecName($0)))" }
        let held = kinds.isEmpty ? "" : "; the file holds " + kinds.joined(separator: ", ")
        throw FrameError(.input, "there is no video stream\(held)", at: location)
    }
}
