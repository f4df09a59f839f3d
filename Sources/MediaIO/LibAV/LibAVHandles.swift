import CLibAV
import FrameCore
import Glibc

/// Owns a demuxer context.
final class InputContext {
    let pointer: UnsafeMutablePointer<AVFormatContext>

    /// Opens `url` with only the protocols that ``InputAddress`` allows. Throws libav's error unchanged, so that the
    /// caller can choose the message.
    init(url: String, format: UnsafePointer<AVInputFormat>?, options: [String: String]) throws {
        _ = LogCollector.installed
        var context: UnsafeMutablePointer<AVFormatContext>? = try allocated(
            avformat_alloc_context(), "an input context")
        // A failed open frees the context, so its address is kept as the key of its log lines.
        let key = UnsafeMutableRawPointer(try allocated(context, "an input context"))
        LogCollector.begin(key)
        var options = options
        options["protocol_whitelist"] = InputAddress(url).protocols
        let dictionary = OptionDictionary(options)
        let result = avformat_open_input(&context, url, format, &dictionary.pointer)
        guard result >= 0, let context else {
            let isOfOtherFormat = LogCollector.take(key).contains { $0.contains("Format not on whitelist") }
            LogCollector.end(key)
            if isOfOtherFormat { throw UnexpectedFormat() }
            throw LibAVError(number: result)
        }
        pointer = context
    }

    deinit {
        LogCollector.end(pointer)
        var context: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&context)
    }

    /// The detected format is not on the list of allowed formats.
    struct UnexpectedFormat: Error, CustomStringConvertible {
        let description = "its format is not one of those expected"
    }

    /// The demuxer's short names, separated by commas.
    var formatName: String { String(c: pointer.pointee.iformat?.pointee.name) }

    /// Size of the input in bytes; nil when unknown.
    var byteCount: Int64? {
        guard let io = pointer.pointee.pb else { return nil }
        let size = avio_size(io)
        return size >= 0 ? size : nil
    }

    /// The demuxer's streams.
    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0] }
    }

    /// Probes the streams by reading some packets. Errors are ignored; what matters is whether a video stream with a
    /// known size is found.
    ///
    /// - Parameters:
    ///   - maximumPixels: the largest number of luma samples in a frame.
    ///   - quickly: whether frame rates are those that the headers state, and not many packets are read to know the
    ///     streams' parameters.
    func findStreams(maximumPixels: Int, quickly: Bool = false) {
        if quickly {
            // In microseconds; 0 stands for several seconds. The first packets of sound may come after those of pictures.
            pointer.pointee.max_analyze_duration = pointer.pointee.nb_streams == 1 ? 1 : 1_000_000
            pointer.pointee.fps_probe_size = 0
        }
        let count = Int(pointer.pointee.nb_streams)
        let options = (0..<count).map { _ in OptionDictionary(["max_pixels": String(maximumPixels)]) }
        var dictionaries = options.map(\.pointer)
        avformat_find_stream_info(pointer, &dictionaries)
        // libav may have replaced the dictionaries.
        for (option, dictionary) in zip(options, dictionaries) { option.pointer = dictionary }
    }

    func takeLog() -> [String] { LogCollector.take(pointer) }
}

/// Owns an encoder or decoder context.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: UnsafePointer<AVCodec>) throws(FrameError) {
        _ = LogCollector.installed
        pointer = try allocated(avcodec_alloc_context3(codec), "a codec context")
        // Associates the log messages of the codec's threads with this context.
        pointer.pointee.opaque = UnsafeMutableRawPointer(pointer)
        LogCollector.begin(pointer)
    }

    deinit {
        LogCollector.end(pointer)
        // A context that was never opened has no codec.
        guard let codec = pointer.pointee.codec, Self.isSVT(codec) else { return free() }
        Self.svtLock.withLock { _ in free() }
    }

    private func free() {
        var context: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&context)
    }

    /// SVT-AV1 1.4 keeps state of the process that it changes without a lock when an encoder opens or closes. Two threads
    /// that do so at once corrupt the heap.
    ///
    /// The number itself is unused. A `Lock<Void>` would not do: its empty value has the same address as the stored property
    /// after it, so the Thread Sanitizer would report false races.
    private static let svtLock = Lock(0)

    private static func isSVT(_ codec: UnsafePointer<AVCodec>) -> Bool {
        String(c: codec.pointee.name) == "libsvtav1"
    }

    /// Opens an encoder; two SVT-AV1 encoders are not opened at the same time.
    func openEncoder(_ encoder: UnsafePointer<AVCodec>) -> Int32 {
        guard Self.isSVT(encoder) else { return avcodec_open2(pointer, encoder, nil) }
        return Self.svtLock.withLock { _ in openKeepingPriority(encoder) }
    }

    /// Opens an encoder, and restores the scheduling policy of this thread and of the encoder's new threads.
    ///
    /// If the process runs as root, SVT-AV1 before 2.0 gives the calling thread the highest real-time priority, and the
    /// threads that it starts inherit it. No other program could then run on the machine.
    private func openKeepingPriority(_ encoder: UnsafePointer<AVCodec>) -> Int32 {
        guard geteuid() == 0 else { return avcodec_open2(pointer, encoder, nil) }
        let former = Set(Self.threads), policy = sched_getscheduler(0)
        var parameters = sched_param()
        sched_getparam(0, &parameters)
        let result = avcodec_open2(pointer, encoder, nil)
        if policy >= 0, sched_getscheduler(0) != policy {
            pthread_setschedparam(pthread_self(), policy, &parameters)
            // Fails for threads that have ended in the meantime, which is harmless.
            for thread in Self.threads where !former.contains(thread) {
                sched_setscheduler(thread, policy, &parameters)
            }
        }
        return result
    }

    private static var threads: [pid_t] {
        (LocalFile.names(in: "/proc/self/task") ?? []).compactMap { pid_t($0) }
    }

    func takeLog() -> [String] { LogCollector.take(pointer) }
}

/// Owns the parameters of a stream's codec.
final class CodecParameters {
    let pointer: UnsafeMutablePointer<AVCodecParameters>

    init() throws(FrameError) { pointer = try allocated(avcodec_parameters_alloc(), "codec parameters") }

    /// - Parameter source: the parameters to copy; nil results in those of an unknown codec.
    convenience init(copying source: UnsafePointer<AVCodecParameters>?) throws(FrameError) {
        try self.init()
        guard let source else { return }
        try check(avcodec_parameters_copy(pointer, source), .allocation, "no memory for codec parameters")
    }

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = pointer
        avcodec_parameters_free(&parameters)
    }
}

/// Owns a frame and what it references.
///
/// `@unchecked Sendable`: a frame that backs a pixel buffer is never written to again, and libav's reference counts are
/// atomic.
final class FrameHandle: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(FrameError) { pointer = try allocated(av_frame_alloc(), "a frame") }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }
}

extension AVFrame {
    /// Pointers to the first sample of each plane.
    var planes: [UnsafeMutablePointer<UInt8>?] { [data.0, data.1, data.2, data.3] }
    /// Stride of each plane in bytes.
    var strides: [Int32] { [linesize.0, linesize.1, linesize.2, linesize.3] }

    /// Points the frame at planes that it does not own.
    mutating func borrow(_ planes: Planes) {
        let all = (0..<planes.count).map { planes[$0] }
        let bytes = all.map { UnsafeMutableRawPointer(mutating: $0.base).assumingMemoryBound(to: UInt8.self) }
        data.0 = bytes[0]
        linesize.0 = Int32(all[0].stride)
        guard all.count > 2 else { return }
        (data.1, data.2) = (bytes[1], bytes[2])
        (linesize.1, linesize.2) = (Int32(all[1].stride), Int32(all[2].stride))
        guard all.count > 3 else { return }
        (data.3, linesize.3) = (bytes[3], Int32(all[3].stride))
    }
}

/// Owns a packet and what it references.
///
/// `@unchecked Sendable`: a packet is passed from one thread to the next, and only its current owner accesses it.
final class PacketHandle: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(FrameError) { pointer = try allocated(av_packet_alloc(), "a packet") }

    /// The data, as long as the packet holds it.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    }

    /// Whether the packet has neither data nor side data.
    var isEmpty: Bool { pointer.pointee.size == 0 && pointer.pointee.side_data_elems == 0 }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }
}

/// Owns an option or tag dictionary.
final class OptionDictionary {
    var pointer: OpaquePointer?

    init(_ entries: [String: String] = [:]) { Self.add(entries, to: &pointer) }

    deinit { av_dict_free(&pointer) }

    /// Adds entries sorted by name, so that a file that contains them is the same in every run.
    static func add(_ entries: [String: String], to dictionary: inout OpaquePointer?, flags: Int32 = 0) {
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) { av_dict_set(&dictionary, key, value, flags) }
    }

    static func entries(of dictionary: OpaquePointer?) -> [String: String] {
        var found: [String: String] = [:]
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            found[String(c: next.pointee.key)] = String(c: next.pointee.value)
            entry = next
        }
        return found
    }
}

/// Sets the extradata of codec parameters to a copy of `bytes`.
func setExtradata(
    _ bytes: [UInt8], of parameters: UnsafeMutablePointer<AVCodecParameters>
) throws(FrameError) {
    av_freep(&parameters.pointee.extradata)
    let memory = try allocated(av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)), "codec parameters")
    let copy = memory.assumingMemoryBound(to: UInt8.self)
    copy.update(from: bytes, count: bytes.count)
    parameters.pointee.extradata = copy
    parameters.pointee.extradata_size = Int32(bytes.count)
}

extension AVPacket {
    /// Adds `ticks` to the presentation and decoding times that are known.
    mutating func move(by ticks: Int64) {
        if known(pts) != nil { pts &+= ticks }
        if known(dts) != nil { dts &+= ticks }
    }
}
