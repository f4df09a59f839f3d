import CLibAV
import FrameCore

/// The frames of a video stream in presentation order, as the container's packets state them. Nothing is decoded.
struct FrameIndex {
    struct Entry {
        /// The timestamp in ticks of the stream.
        let stamp: Int64
        /// The presentation time.
        var time = MediaTime.zero
        /// Whether a frame before this one is not at the constant rate of the others.
        var isOffGrid = false
        let packet: SourcePosition.Packet
        let isKey: Bool
        /// Whether decoding may begin with the packet, see ``KeyframeTrust``.
        let isTrusted: Bool
        /// The packet's place in decoding order.
        let order: Int
    }

    /// How far packets are read.
    enum Limit {
        case time(MediaTime)
        case frame(Int)
        case end
    }

    private let clock: ClipClock
    /// At least one.
    private(set) var entries: [Entry] = []
    /// Whether the entries reach the end of the stream.
    private(set) var isComplete = false
    /// Whether packets are damaged or missing.
    private(set) var isDamaged = false

    /// More than the frames by which any codec reorders.
    private static let reordering = 64
    /// The longest step between two frames without suspicion of a discontinuity, in seconds.
    private static let longestStep: Int64 = 10

    /// Reads packets until all frames before `limit`, and the one at it, are known.
    ///
    /// - Parameters:
    ///   - demuxer: a demuxer at its beginning.
    ///   - clock: how timestamps become times.
    ///   - limit: the first position that is not needed.
    /// - Returns: nil if the packets do not determine the frames: without packets, timestamps or file positions, with
    ///   repeated or jumping times, or if reading fails.
    init?(_ demuxer: Demuxer, clock: ClipClock, upTo limit: Limit) {
        guard let packet = try? PacketHandle() else { return nil }
        self.clock = clock
        let base = clock.stampBase
        let end: Int64? =
            if case .time(let time) = limit { clock.stamp(notAfter: time).addingReportingOverflow(1).partialValue } else
            {
                nil
            }
        let count: Int? = if case .frame(let number) = limit { number } else { nil }
        guard let parameters = demuxer.video.pointee.codecpar?.pointee else { return nil }
        let hidesFrames = parameters.codec_id == AV_CODEC_ID_VP8, trust = KeyframeTrust(parameters)
        var beyond = 0
        var last: Int64?
        while true {
            do throws(LibAVError) {
                guard try demuxer.readVideoPacket(into: packet) else {
                    isComplete = true
                    break
                }
            } catch {
                return nil
            }
            let data = packet.pointer.pointee
            // Frames that an edit list cuts off are decoded but not shown.
            if data.flags & AV_PKT_FLAG_DISCARD != 0 { continue }
            // VP8's golden frames may be packets of their own, which are not shown.
            if hidesFrames, data.size > 0, data.data[0] & 0x10 == 0 { continue }
            guard let stamp = known(data.pts), let identity = demuxer.identity(of: packet) else { return nil }
            if let decoding = known(data.dts) {
                let longest = MediaTime(value: Self.longestStep, timescale: 1).ticks(of: base)
                if let last {
                    let (step, overflow) = decoding.subtractingReportingOverflow(last)
                    guard decoding >= last, !overflow, step <= longest || !demuxer.allowsDiscontinuities else {
                        return nil
                    }
                }
                last = decoding
            }
            let isKey = demuxer.isKeyFrame(packet)
            let bytes = UnsafeBufferPointer(start: data.data, count: data.data == nil ? 0 : max(0, Int(data.size)))
            entries.append(
                Entry(
                    stamp: stamp, packet: identity, isKey: isKey, isTrusted: isKey && trust?.trusts(bytes) ?? false,
                    order: entries.count))
            if data.flags & AV_PKT_FLAG_CORRUPT != 0 { isDamaged = true }
            if let end, stamp >= end { beyond += 1 }
            if let count, entries.count > count { beyond += 1 }
            if beyond > Self.reordering { break }
        }
        if isComplete, demuxer.missingPart() != nil { isDamaged = true }
        entries.sort { $0.stamp < $1.stamp }
        guard let first = entries.first, let latest = entries.last,
            !latest.stamp.subtractingReportingOverflow(first.stamp).overflow,
            zip(entries, entries.dropFirst()).allSatisfy({ $0.stamp < $1.stamp })
        else { return nil }
        var isOnGrid = true
        for index in entries.indices {
            entries[index].isOffGrid = !isOnGrid
            entries[index].time = clock.time(
                of: entries[index].stamp, after: index > 0 ? entries[index - 1].stamp : nil, isOnGrid: &isOnGrid)
        }
        guard zip(entries, entries.dropFirst()).allSatisfy({ $0.time < $1.time }) else { return nil }
    }

    /// Returns the number of the first frame at or after a time; the number of entries if there is none.
    func firstFrame(at time: MediaTime) -> Int {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the number of the frame whose time is nearest; nil after the end of the last frame.
    func nearestFrame(to time: MediaTime) -> Int? {
        let next = firstFrame(at: time)
        if next == entries.count {
            // The last frame is shown about as long as the one before it.
            guard let last = entries.last else { return nil }
            let step = entries.count > 1 ? last.time - entries[entries.count - 2].time : .zero
            return time - last.time < step ? next - 1 : nil
        }
        guard next > 0, time - entries[next - 1].time < entries[next].time - time else { return next }
        return next - 1
    }

    /// Returns the position of a frame for a reader that starts there; nil if no keyframe leads to it.
    ///
    /// - Parameters:
    ///   - number: the frame's number, at least 2.
    ///   - reorderDelay: the number of frames by which the decoder reorders.
    ///   - isExact: whether all frames from there on must be those that decoding from the start gives.
    func position(
        ofFrame number: Int, reorderDelay: Int, isExact: Bool = false
    ) -> SourcePosition? {
        guard number >= 2, number < entries.count else { return nil }
        let frame = entries[number]
        let key = entries[...number].last { (isExact ? $0.isTrusted : $0.isKey) && $0.order <= frame.order }
        guard let key else { return nil }
        let step = entries[number - 1].stamp - entries[number - 2].stamp
        var state = SourcePosition.Clock(last: entries[number - 1].stamp, lastStep: step, shift: 0)
        if frame.isOffGrid { state.isOffGrid = true }
        return SourcePosition(
            key: key.packet, stamp: frame.stamp, offset: frame.packet.offset, clock: state,
            previousStep: frame.time - entries[number - 1].time, reorderDelay: reorderDelay, notes: [],
            spans: [
                SourcePosition.Span(
                    first: clock.plainTime(of: entries[0].stamp), last: clock.plainTime(of: entries[number - 1].stamp),
                    shift: .zero)
            ])
    }
}
