import CLibAV
package import FrameCore
import Glibc
import Synchronization

/// The number and time span of the packets of one stream that were passed to a muxer.
package struct MuxedStream {
    /// Kinds of streams to verify.
    package enum Kind: Sendable { case video, audio, subtitle, data, attachment, other }

    private(set) var packets = 0
    /// Smallest and largest presentation time, in ticks of the stream.
    private var first: Int64?
    private var last: Int64?

    package init() {}

    /// Counts a packet.
    ///
    /// - Parameter time: presentation time in ticks of the stream; nil when unknown.
    package mutating func add(_ time: Int64?) {
        packets += 1
        guard let time else { return }
        first = min(first ?? time, time)
        last = max(last ?? time, time)
    }

    /// Time from the first to the last packet in presentation order; `clock` is the time base of the stream.
    fileprivate func span(_ clock: Rational) -> MediaTime? {
        guard let first, let last else { return nil }
        return MediaTime(ticks: last, base: clock) - MediaTime(ticks: first, base: clock)
    }
}

/// Reads a finished file back before it is renamed to its final name.
package struct OutputVerifier {
    package typealias Planned = (kind: MuxedStream.Kind, written: MuxedStream?)

    let path: String
    /// The output's name as the user gave it, for errors.
    let output: String

    package init(path: String, output: String) {
        self.path = path
        self.output = output
    }

    /// Whether the packets read from a container of this format can be compared one by one with those written.
    static func isChecked(_ format: String) -> Bool {
        ["mp4", "mov", "ipod", "matroska", "webm", "avi", "nut", "ivf"].contains(format)
    }

    /// Checks that the file contains all streams and all frames of the processed video.
    ///
    /// - Parameters:
    ///   - planned: the streams that were set up.
    ///   - video: index of the processed stream among the video streams without cover art, and what was written to it.
    ///   - clock: time base of that stream in the muxer.
    ///   - stop: checked for each packet.
    /// - Throws: `FrameError` that names what is missing.
    package func check(
        _ planned: [Planned], video: (position: Int, written: MuxedStream)?, clock: Rational,
        _ stop: StopFlag = StopFlag()
    ) throws(FrameError) {
        let context: InputContext
        do {
            context = try InputContext(url: "file:" + path, format: nil, options: ["ignore_editlist": "1"])
        } catch {
            throw failure("cannot be read back", error)
        }
        let found = context.streams.map { MuxedStream.Kind($0) }
        // Matroska's image attachments are read back as video streams.
        let groups: [(String, Set<MuxedStream.Kind>)] = [
            ("audio", [.audio]), ("subtitle", [.subtitle]), ("data", [.data]),
            ("video and attachment", [.video, .attachment]),
        ]
        for (name, kinds) in groups {
            // mp4 does not keep tracks without packets.
            let wanted = planned.count { kinds.contains($0.kind) && ($0.written != nil || $0.kind == .attachment) }
            let count = found.count { kinds.contains($0) }
            guard count >= wanted else { throw failure("has only \(count) of \(wanted) \(name) streams") }
        }
        if let video { try checkFrames(context, video.position, video.written, clock, stop) }
    }

    private func checkFrames(
        _ context: InputContext, _ position: Int, _ video: MuxedStream, _ clock: Rational, _ stop: StopFlag
    ) throws(FrameError) {
        let moving = context.streams.filter {
            MuxedStream.Kind($0) == .video
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        guard moving.indices.contains(position) else { throw failure("has \(moving.count) video streams") }
        let stream = moving[position]
        for other in context.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        var read = MuxedStream()
        let packet = try PacketHandle()
        while true {
            try stop.check()
            let result = av_read_frame(context.pointer, packet.pointer)
            if result == vfx_averror(EAGAIN) { continue }
            if result < 0 { break }
            if packet.pointer.pointee.stream_index == stream.pointee.index {
                read.add(known(packet.pointer.pointee.pts))
            }
            av_packet_unref(packet.pointer)
        }
        guard read.packets == video.packets else {
            throw failure("has \(read.packets) of \(video.packets) frames")
        }
        // Some containers round times to milliseconds.
        let tolerance = MediaTime(value: 3, timescale: 1000)
        guard let base = Rational(stream.pointee.time_base), let found = read.span(base),
            let wanted = video.span(clock)
        else { return }
        guard max(found, wanted) - min(found, wanted) <= tolerance else {
            throw failure("shows its frames over \(found.seconds) s, not \(wanted.seconds) s")
        }
    }

    private func failure(_ what: String, _ cause: (any Error)? = nil) -> FrameError {
        FrameError(
            .output, "the written file \(what), so it was not kept", at: .init(file: output), cause: cause)
    }
}

extension MuxedStream.Kind {
    init(_ stream: UnsafeMutablePointer<AVStream>) {
        self =
            switch stream.pointee.codecpar.pointee.codec_type {
            case AVMEDIA_TYPE_VIDEO: .video
            case AVMEDIA_TYPE_AUDIO: .audio
            case AVMEDIA_TYPE_SUBTITLE: .subtitle
            case AVMEDIA_TYPE_DATA: .data
            case AVMEDIA_TYPE_ATTACHMENT: .attachment
            default: .other
            }
    }
}

/// Stops long work on an output, from any thread, after the run has failed elsewhere.
package final class StopFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    package init() {}

    package func set() { isSet.store(true, ordering: .releasing) }

    /// - Throws: `FrameError` when the flag is set. It is never shown, since the run has already failed for another
    ///   reason.
    func check() throws(FrameError) {
        if isSet.load(ordering: .acquiring) { throw FrameError(.output, "the run was stopped") }
    }
}
