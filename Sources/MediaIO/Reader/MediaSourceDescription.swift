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
    let packets: AuxiliaryPackets

    /// Lets go of the packets that the reader keeps, for a writer that takes none.
    func closePackets() {
        if case .queue(let queue) = packets { queue.close() }
    }
}

/// How the packets of the auxiliary streams are reached.
enum AuxiliaryPackets {
    /// What can be read once only, such as a pipe: the reader passes them on.
    case queue(PacketQueue)
    /// A file or an address: opened a second time, as the same format.
    case reopening(url: String, format: UnsafePointer<AVInputFormat>?)
}

extension MediaReader {
    /// What a writer has to know to remux the other streams, chapters and tags of the input; see
    /// ``openSink(_:stream:source:retiming:options:)``.
    public var sourceDescription: MediaSourceDescription {
        get throws(FrameError) {
            var streams: [SourceStream] = []
            for stream in demuxer.context.streams { streams.append(try SourceStream(stream)) }
            let packets: AuxiliaryPackets =
                if let queue = demuxer.auxiliaryPackets {
                    .queue(queue)
                } else {
                    .reopening(
                        url: demuxer.url,
                        format: demuxer.context.pointer.pointee.iformat.map { UnsafePointer($0) })
                }
            return MediaSourceDescription(
                input: input, streams: streams, video: streams[demuxer.videoIndex], metadata: info.metadata,
                chapters: info.chapters, start: start, timeBase: stream.timeBase, discontinuities: discontinuities,
                allowsDiscontinuities: demuxer.allowsDiscontinuities, packets: packets)
        }
    }
}
