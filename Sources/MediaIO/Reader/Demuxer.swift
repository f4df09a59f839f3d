import CLibAV
import DequeModule
import FrameCore

/// Selects the video stream of an input and reads its packets.
final class Demuxer {
    let input: String
    let url: String
    let context: InputContext
    private let memory: MemoryFile?
    let videoIndex: Int
    /// Whether the input can be opened a second time and returns the same bytes.
    let isReopenable: Bool
    /// Receives the packets of the auxiliary streams; nil when they are not needed or are read by a second demuxer.
    let auxiliaryPackets: PacketQueue?
    /// Metadata and colors of an image file, or of the first of a sequence; empty for a video.
    let embedded: EmbeddedMetadata
    /// Whether packets other than keyframes are skipped. Only done in formats whose index marks the keyframes, so that
    /// no parser is needed.
    private let skipsOtherFrames: Bool
    /// Whether the container's index marks keyframes, and not every frame is one.
    private lazy var tableTellsKeyFrames =
        formatName.contains("mp4")
        && (0..<avformat_index_get_entries_count(video)).contains { index in
            avformat_index_get_entry(video, index).map { $0.pointee.flags & AVINDEX_KEYFRAME == 0 } ?? false
        }
    private(set) var packetCount = 0
    /// The latest end time of any video packet so far, skipped ones included, in ticks of the stream.
    private(set) var endOfPackets: Int64?
    /// The edges that the container hides of the video's frames; nil for none.
    let crop: MatroskaCrop?
    /// Whether the frames are those of several image files.
    let isSequence: Bool
    /// Whether all frames are known to be opaque, although they have alpha.
    var isOpaque = false
    /// Packets of the video stream that have been read and are returned next.
    private var ahead = Deque<PacketHandle>()
    /// The error that ended reading ahead; thrown after the packets.
    private var aheadFailure: LibAVError?
    /// Offset of the byte after the last packet read, in bytes; meaningful when packets are in file order.
    private var endOfLastPacket: Int64 = 0

    init(_ opened: OpenedInput, options: MediaReaderOptions) throws(FrameError) {
        input = opened.input
        url = opened.url
        memory = opened.memory
        isReopenable = opened.isReopenable
        isSequence = !opened.pictures.isEmpty
        context = opened.context
        videoIndex = try Self.pickVideo(input, context, options)
        crop = Self.crop(context, videoIndex)
        let format = String(c: opened.context.pointer.pointee.iformat?.pointee.name)
        let picture = opened.pictures.first ?? opened.input
        embedded =
            Self.isPictureFormat(opened.context) || opened.memory != nil || opened.context.formatName == "apng"
            ? EmbeddedMetadata(fileAt: picture) : EmbeddedMetadata()
        skipsOtherFrames = options.keyFramesOnly && (format.contains("mp4") || format.contains("matroska"))
        let others = options.keepsOtherStreams && context.streams.count > 1
        auxiliaryPackets = others && !isReopenable ? PacketQueue() : nil
        for (index, stream) in context.streams.enumerated() where index != videoIndex && auxiliaryPackets == nil {
            stream.pointee.discard = AVDISCARD_ALL
        }
    }

    /// Reads the video's cropping, and changes its sample aspect ratio accordingly.
    private static func crop(_ context: InputContext, _ index: Int) -> MatroskaCrop? {
        let before = context.streams.prefix(index).count { MuxedStream.Kind($0) == .video }
        guard let crop = MatroskaCrop(context, track: before), let parameters = context.streams[index].pointee.codecpar
        else { return nil }
        let ratio = crop.aspect(
            context.streams[index].pointee.sample_aspect_ratio, width: parameters.pointee.width,
            height: parameters.pointee.height)
        context.streams[index].pointee.sample_aspect_ratio = ratio
        parameters.pointee.sample_aspect_ratio = ratio
        return crop
    }

    var video: UnsafeMutablePointer<AVStream> { context.streams[videoIndex] }
    var formatName: String { context.formatName }
    /// Whether the input is coded video without a container.
    var isElementaryStream: Bool { Self.elementary.contains(formatName) }
    /// Whether the format stores no timestamps; libavformat makes some up for elementary streams.
    var lacksTimes: Bool {
        isElementaryStream
            || (context.pointer.pointee.iformat?.pointee.flags ?? 0) & AVFMT_NOTIMESTAMPS != 0
    }
    /// Whether the format allows timestamps to jump anywhere inside a stream, as MPEG transport streams do.
    var allowsDiscontinuities: Bool { (context.pointer.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }
    /// Why no image of a WebP file can be decoded, as a sentence; nil for other files.
    var unreadableAnimation: String? {
        guard video.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_WEBP else { return nil }
        return "the image is damaged, or an animated WebP, which is read from a file only; save it first"
    }
    /// Whether the input is an mp4 or mov file that cannot be read again from its beginning, where its frames are.
    var isMovFromPipe: Bool {
        formatName.contains("mp4") && (context.pointer.pointee.pb?.pointee.seekable ?? 0) & AVIO_SEEKABLE_NORMAL == 0
    }
    /// Whether the format consists of single images: a file or pipe of PNG, JPEG and so on, or numbered files.
    var isPictureFormat: Bool { Self.isPictureFormat(context) }
    private static func isPictureFormat(_ context: InputContext) -> Bool {
        let name = context.formatName
        if name.hasPrefix("image2") || name.hasSuffix("_pipe") { return true }
        // AVIF is read by the demuxer for mp4.
        let brand = OptionDictionary.entries(of: context.pointer.pointee.metadata)["major_brand"]
        return ["avif", "mif1"].contains(brand)
    }
    private static let elementary: Set<String> = [
        "h264", "hevc", "m4v", "mpegvideo", "mjpeg", "vc1", "cavsvideo", "avs2", "avs3", "h261", "h263", "dirac", "obu",
    ]

    /// Reads the next packet of the video stream into `packet`; returns false at the end.
    func readVideoPacket(into packet: PacketHandle) throws(LibAVError) -> Bool {
        while try readAnyVideoPacket(into: packet) {
            let read = packet.pointer.pointee
            if let start = known(read.pts) ?? known(read.dts) {
                endOfPackets = max(endOfPackets ?? .min, start &+ max(0, read.duration))
            }
            // An empty packet repeats the previous frame; none is lost. Decoders would treat it as the end.
            if packet.isEmpty { continue }
            if skipsOtherFrames, !isKeyFrame(packet) { continue }
            packetCount += 1
            return true
        }
        return false
    }

    private func readAnyVideoPacket(into packet: PacketHandle) throws(LibAVError) -> Bool {
        av_packet_unref(packet.pointer)
        if let found = ahead.popFirst() {
            av_packet_move_ref(packet.pointer, found.pointer)
            return true
        }
        if let aheadFailure {
            self.aheadFailure = nil
            throw aheadFailure
        }
        while true {
            av_packet_unref(packet.pointer)
            let result = av_read_frame(context.pointer, packet.pointer)
            if result == vfx_averror_eof { return false }
            if result == vfx_averror(EAGAIN) { continue }
            guard result >= 0 else { throw LibAVError(number: result) }
            let read = packet.pointer.pointee
            if read.pos >= 0 { endOfLastPacket = max(endOfLastPacket, read.pos &+ Int64(read.size)) }
            if Int(read.stream_index) == videoIndex { return true }
            auxiliaryPackets?.append(packet.pointer)
        }
    }

    /// Reads the first packets ahead, and returns the timestamps of their frames, if they have any, and their durations in
    /// ticks. Call before reading the first packet.
    ///
    /// - Parameter limit: the number of packets; nil for as many as may be awaited.
    func openingTimes(atMost limit: Int? = nil) throws(FrameError) -> [(stamp: Int64?, duration: Int64)] {
        try readAhead(atMost: limit).map { (known($0.pointer.pointee.pts), $0.pointer.pointee.duration) }
    }

    /// Reads the first packets ahead, and returns those from which frames come.
    private func readAhead(atMost limit: Int?) throws(FrameError) -> [PacketHandle] {
        var bytes = 0, shown: [PacketHandle] = []
        var packets = Deque<PacketHandle>()
        let most = limit ?? (isReopenable ? Self.mostAhead : Self.mostAheadOfPipe)
        while packets.count < most, bytes < Self.mostBytesAhead {
            let packet = try PacketHandle()
            do throws(LibAVError) {
                guard try readAnyVideoPacket(into: packet) else { break }
            } catch {
                aheadFailure = error
                break
            }
            packets.append(packet)
            let read = packet.pointer.pointee
            bytes += Int(max(0, read.size))
            if !packet.isEmpty, read.flags & AV_PKT_FLAG_DISCARD == 0 { shown.append(packet) }
        }
        ahead = packets
        return shown
    }

    /// The number of packets, and of their bytes, that are read ahead.
    private static let mostAhead = 120
    private static let mostAheadOfPipe = 4
    private static let mostBytesAhead = 32 << 20

    /// The beginning of the earliest stream of pictures or sound in the container; nil if unknown.
    var fileStart: MediaTime? { context.streams.compactMap(Self.start).min() }

    /// Returns when a stream of pictures or sound begins, without what the encoder of sound needs to start; nil for other
    /// streams and if it is unknown.
    static func start(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        let kind = MediaStreamInfo.Kind(stream)
        guard kind == .video || kind == .audio, let base = Rational(stream.pointee.time_base),
            let ticks = known(stream.pointee.start_time), let parameters = stream.pointee.codecpar?.pointee
        else { return nil }
        let start = MediaTime(ticks: ticks, base: base)
        guard start < .zero, parameters.initial_padding > 0, parameters.sample_rate > 0 else { return start }
        let padding = MediaTime(value: Int64(parameters.initial_padding), timescale: parameters.sample_rate)
        return min(.zero, start + padding)
    }

    /// Whether the packet is a keyframe according to its flag or the container's index.
    ///
    /// libavformat clears the flag on packets that it cannot parse, and a damaged keyframe must still count as one.
    func isKeyFrame(_ packet: PacketHandle) -> Bool {
        let read = packet.pointer.pointee
        if read.flags & AV_PKT_FLAG_KEY != 0 { return true }
        guard tableTellsKeyFrames,
            let entry = avformat_index_get_entry_from_timestamp(video, read.dts, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY)
        else { return false }
        return entry.pointee.flags & AVINDEX_KEYFRAME != 0 && entry.pointee.pos == read.pos
    }

    /// Seeks to the keyframe at or before a timestamp, or to the first packet if `stamp` is nil or there is no such
    /// keyframe.
    ///
    /// - Parameter time: the time of the timestamp in the clip, for errors.
    func seek(to stamp: Int64?, time: MediaTime?) throws(FrameError) {
        forgetAhead()
        let index = Int32(videoIndex)
        var result: Int32 = -1
        if let stamp { result = av_seek_frame(context.pointer, index, stamp, AVSEEK_FLAG_BACKWARD) }
        if result < 0 {
            let first = known(video.pointee.start_time) ?? 0
            result = av_seek_frame(context.pointer, index, first, AVSEEK_FLAG_BACKWARD)
        }
        if result < 0 { result = av_seek_frame(context.pointer, -1, 0, AVSEEK_FLAG_BYTE) }
        try check(
            result, .input, "seeking to this time failed",
            at: FrameError.Location(file: input, stream: videoIndex, time: time))
    }

    private func forgetAhead() {
        ahead.removeAll()
        aheadFailure = nil
    }

    /// The latest packet in the form in which positions are recorded; nil if its place in the file is unknown.
    func identity(of packet: PacketHandle) -> SourcePosition.Packet? {
        let read = packet.pointer.pointee
        guard read.pos >= 0 else { return nil }
        return SourcePosition.Packet(
            offset: read.pos, size: Int(read.size), presentationTime: known(read.pts), decodeTime: known(read.dts))
    }

    /// Seeks to a packet of the video stream, which is read next; returns false if it cannot be found.
    ///
    /// Times repeat and jump in formats that allow discontinuities, so there the place in the file comes first.
    func seek(to key: SourcePosition.Packet) throws(FrameError) -> Bool {
        forgetAhead()
        let base = Rational(video.pointee.time_base) ?? Rational(1, 90_000)
        var attempts: [(to: Int64, flags: Int32)] = []
        for time in [key.presentationTime, key.decodeTime] {
            if let time { attempts.append((time, AVSEEK_FLAG_BACKWARD)) }
        }
        if let time = key.decodeTime ?? key.presentationTime {
            let back = MediaTime(value: 10, timescale: 1).ticks(of: base)
            attempts.append((time.subtractingReportingOverflow(back).partialValue, AVSEEK_FLAG_BACKWARD))
        }
        attempts.insert((key.offset, AVSEEK_FLAG_BYTE), at: allowsDiscontinuities ? 0 : attempts.count)
        for attempt in attempts {
            let stream = attempt.flags == AVSEEK_FLAG_BYTE ? -1 : Int32(videoIndex)
            guard av_seek_frame(context.pointer, stream, attempt.to, attempt.flags) >= 0 else { continue }
            if try find(key, isByPlace: attempt.flags == AVSEEK_FLAG_BYTE) { return true }
        }
        return false
    }

    /// Reads packets until `key` has been found; returns false when it does not come soon.
    private func find(_ key: SourcePosition.Packet, isByPlace: Bool) throws(FrameError) -> Bool {
        let packet = try PacketHandle()
        for _ in 0..<(isByPlace ? 16 : 4096) {
            do {
                guard try readVideoPacket(into: packet) else { return false }
            } catch {
                return false
            }
            guard let found = identity(of: packet) else { return false }
            if found.offset == key.offset, found.size == key.size, found.presentationTime == key.presentationTime {
                // It is counted when it is read again.
                packetCount -= 1
                ahead.prepend(packet)
                return true
            }
            if !isByPlace, let time = found.decodeTime, let wanted = key.decodeTime, time > wanted { return false }
        }
        return false
    }

    /// Reads the remaining packets of the video stream; returns how many there are in all.
    func countRest(_ packet: PacketHandle) -> Int {
        while (try? readVideoPacket(into: packet)) == true {}
        return packetCount
    }

    /// Returns the header of another y4m stream that follows the last frame, and the number of its frames; nil if there is
    /// none.
    func followingStream() -> (header: Y4MHeader, frames: Int)? {
        guard formatName == "yuv4mpegpipe", let io = context.pointer.pointee.pb else { return nil }
        return Y4MHeader.following(io, at: endOfLastPacket)
    }

    /// Returns a sentence if part of the input was unreadable or the input is shorter than its index states; otherwise nil.
    func missingPart() -> String? {
        let lines = context.takeLog()
        if lines.contains(where: { $0.contains("prematurely") || $0.contains("partial file") }) {
            return "the file ends before its last packet"
        }
        if lines.contains(where: { $0.contains("EBML") || $0.contains("exceeds containing master element") }) {
            return "part of the file is damaged and was skipped"
        }
        guard let io = context.pointer.pointee.pb else { return nil }
        if formatName == "yuv4mpegpipe", avio_tell(io) > endOfLastPacket, packetCount > 0 {
            return "the file ends in the middle of a frame"
        }
        let size = avio_size(io)
        guard size > 0, formatName.contains("mp4") else { return nil }
        let count = avformat_index_get_entries_count(video)
        let beyond = (0..<count).count { index in
            guard let entry = avformat_index_get_entry(video, index)?.pointee else { return false }
            return entry.pos > size - Int64(entry.size)
        }
        if beyond > 0 { return "the file is truncated: \(beyond) of \(count) frames are beyond its end" }
        guard isReopenable, !InputAddress(url).isRemote, MovieBoxes.areCut(io) else { return nil }
        return "the file is truncated: it ends inside a fragment"
    }

    /// Returns the index of the video stream to read: the one that the options name, else the one libav ranks best.
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
        // libav ranks by disposition, frames found while probing and bit rate. Cover art must not win.
        let best = Int(av_find_best_stream(context.pointer, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0))
        let decodable = videos.filter { (streams[$0].pointee.codecpar?.pointee.width ?? 0) > 0 }
        let flagged = decodable.first { streams[$0].pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
        if let chosen = decodable.contains(best) ? best : flagged ?? decodable.first ?? videos.first { return chosen }
        let kinds = streams.map { "\(MediaStreamInfo.Kind($0).spoken) (\(MediaStreamInfo.codecName($0)))" }
        let held = kinds.isEmpty ? "" : "; the file contains " + kinds.joined(separator: ", ")
        throw FrameError(.input, "there is no video stream\(held)", at: location)
    }
}
