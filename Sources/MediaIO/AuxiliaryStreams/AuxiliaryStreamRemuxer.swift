import CLibAV
import FrameCore

/// Remuxes the auxiliary streams, that is, all but the processed video, from the source into the output, interleaved
/// with the video.
///
/// A file or URL is opened a second time, so packets are read only when they are due and memory stays bounded. Packets
/// from a pipe come through the reader's queue.
final class AuxiliaryStreamRemuxer {
    private(set) var notes: [Note] = []
    private var input: AuxiliaryPacketSource?
    private var tracks: [Int: any AuxiliaryTrack] = [:]
    /// A packet that has been read but is not yet due. `isMoved`: whether its times have been corrected for
    /// discontinuities.
    private var pending: (packet: PacketHandle, isMoved: Bool)?
    private var times: TimestampCorrection
    /// Indices of the sparse streams, in which a gap between packets is normal.
    private let sparse: Set<Int>
    private let stop: StopFlag
    private let retiming: Retiming
    /// Time base of each source stream, by stream index.
    private let timeBases: [Int: Rational]
    /// Leaves out what is not in the part of the clip that is written; nil for the whole clip.
    private let cut: AuxiliaryStreamCut?
    /// Indices of cover art, which belongs to any part.
    private let coverArt: Set<Int>
    /// Streams with a packet that begins at or after the end of the part.
    private var ended: Set<Int> = []
    /// Whether no packets are needed, because no auxiliary stream is remuxed.
    var isEmpty: Bool { tracks.isEmpty }

    /// Adds an output stream for each remuxed stream, in the source's order, and calls `video` at the video stream's
    /// place.
    init(
        _ source: MediaSourceDescription, _ planner: AuxiliaryStreamPlanner, _ selection: StreamSelection,
        _ retiming: Retiming, _ stop: StopFlag, video: () throws(FrameError) -> Void
    ) throws(FrameError) {
        self.stop = stop
        times = TimestampCorrection(source.discontinuities, allowsDiscontinuities: source.allowsDiscontinuities)
        self.retiming = retiming
        timeBases = source.streams.reduce(into: [:]) { $0[$1.index] = Rational($1.timeBase) }
        sparse = Set(source.streams.filter(\.isSparse).map(\.index))
        coverArt = Set(source.streams.filter { $0.kind == .coverArt }.map(\.index))
        cut = source.part.map { AuxiliaryStreamCut($0, retiming: retiming) }
        for stream in source.streams {
            if stream.index == source.video.index {
                try video()
                continue
            }
            let plan = selection == .withoutData && !stream.isCommonKind ? .ignore : try planner.plan(stream)
            switch plan {
            case .ignore: break
            case .omit(let note): notes.append(note)
            case .remux(let track, let trackNotes):
                if let track { tracks[stream.index] = track }
                notes += trackNotes
            }
        }
        guard !tracks.isEmpty else { return }
        input = try AuxiliaryPacketSource(source, keeping: Set(tracks.keys))
    }

    /// Writes all packets due at or before `limit` on the output's clock; nil writes all the rest.
    func write(upTo limit: MediaTime?, _ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        guard let input, !hasEnded else { return }
        let shift = shift + (cut?.shift ?? .zero)
        while let (packet, isMoved) = try next(from: input) {
            try stop.check()
            let index = Int(packet.pointer.pointee.stream_index)
            guard let track = tracks[index] else { continue }
            guard isMoved || move(packet, index, isLast: limit == nil) else {
                pending = (packet, false)
                return
            }
            if let limit, let due = dueTime(packet, index, shift), due > limit {
                pending = (packet, true)
                return
            }
            if let cut, let base = timeBases[index], !coverArt.contains(index) {
                switch cut.apply(to: packet.pointer, base: base, isSparse: sparse.contains(index)) {
                case .inside: break
                case .before: continue
                case .after:
                    ended.insert(index)
                    if hasEnded { return }
                    continue
                }
            }
            try track.take(packet, muxer, shift: shift)
        }
    }

    /// Whether all streams that are not sparse have reached the end of the part.
    private var hasEnded: Bool {
        let steady = Set(tracks.keys).subtracting(sparse).subtracting(coverArt)
        return cut?.end != nil && (steady.isEmpty ? !ended.isEmpty : ended.isSuperset(of: steady))
    }

    func finish(_ muxer: Muxer, shift: MediaTime) throws(FrameError) {
        try write(upTo: nil, muxer, shift: shift)
        for (index, track) in tracks.sorted(by: { $0.key < $1.key }) {
            try stop.check()
            try track.finish(muxer, shift: shift + (cut?.shift ?? .zero))
            notes += track.notes
            if let refused = muxer.refused[Int(track.stream.pointee.index)] {
                notes.append(
                    .loss(
                        "packets-dropped",
                        "\(refused) packets of stream \(index) could not be written and are left out"))
            }
        }
        if let dropped = input?.droppedPackets, dropped > 0 {
            notes.append(
                .loss(
                    "packets-dropped",
                    "\(dropped) packets of other streams came too early to keep in memory and were left out"))
        }
        if let interruption = input?.interruption { notes.append(.loss("streams-cut", interruption)) }
    }

    private func next(from input: AuxiliaryPacketSource) throws(FrameError) -> (packet: PacketHandle, isMoved: Bool)? {
        guard let waiting = pending else { return try input.next().map { ($0, false) } }
        pending = nil
        return waiting
    }

    /// Shifts a packet's times by the video's offset at the same place; returns false while that offset is unknown.
    private func move(_ packet: PacketHandle, _ index: Int, isLast: Bool) -> Bool {
        let data = packet.pointer
        guard let base = timeBases[index], let ticks = known(data.pointee.dts) ?? known(data.pointee.pts) else {
            return true
        }
        let time = MediaTime(ticks: ticks, base: base)
        guard let shift = times.shift(of: time, stream: index, isSparse: sparse.contains(index), isLast: isLast) else {
            return false
        }
        guard shift != .zero else { return true }
        data.pointee.move(by: shift.ticks(of: base))
        return true
    }

    private func dueTime(_ packet: PacketHandle, _ index: Int, _ shift: MediaTime) -> MediaTime? {
        let data = packet.pointer.pointee
        guard let ticks = known(data.dts) ?? known(data.pts), let base = timeBases[index] else { return nil }
        return retiming.time(of: MediaTime(ticks: ticks, base: base)) + shift
    }
}

/// The auxiliary streams of the source to remux.
enum StreamSelection {
    case all, withoutData, none

    /// The next smaller selection, to try when the container rejects this one; nil when there is none.
    var less: StreamSelection? {
        switch self {
        case .all: .withoutData
        case .withoutData: StreamSelection.none
        case .none: nil
        }
    }
}
