internal import FrameCore

/// Finds the frame shown at a time: by reading on if the time is only slightly ahead, otherwise by seeking if the
/// source can.
///
/// The frame found depends only on the request, never on earlier requests.
///
/// `@unchecked Sendable`: a generator accesses it only on its serial queue.
final class FrameFinder: @unchecked Sendable {
    /// How far ahead of the current frame a time may be for reading on instead of seeking.
    private static let near = MediaTime(value: 2, timescale: 1)
    /// How much earlier to seek, in order, when the index leads past the requested time.
    private static let retreats = [0, 5, 30].map { MediaTime(value: $0, timescale: 1) }

    private let open: () throws -> any SeekableFrameSource
    private var source: (any SeekableFrameSource)?
    private var current: Frame?
    private var ahead: Frame?
    private var firstTime: MediaTime?

    init(open: @escaping () throws -> any SeekableFrameSource) { self.open = open }

    /// The frame after the one that was found last; nil after the last frame.
    var following: Frame? { ahead }

    /// Describes the source, opening it if necessary.
    func stream() throws -> VideoStreamDescription { try opened().stream }

    /// Finds the frame shown at a time.
    ///
    /// - Parameters:
    ///   - before: how much earlier the frame may end; nil for any time.
    ///   - after: how much later the frame may begin; nil for any time.
    ///   - playingTime: when players stop showing the last frame; nil for its own end.
    func frame(
        at time: MediaTime, before: MediaTime?, after: MediaTime?, until playingTime: MediaTime? = nil
    ) throws -> Frame {
        let source = try opened()
        let first = firstTime ?? time
        // The first frame is shown from time 0, even if it starts later.
        let time = time < first && time >= .zero ? first : time
        guard time >= first || after.map({ first - time <= $0 }) ?? true else {
            throw FrameError(
                .invalidArgument, "the time \(time) s is before the first frame at \(first) s")
        }
        do {
            let isExact = before == .zero
            if !(isExact && isJustAhead(time)) { try approach(time, source) }
            return try settle(time, before: before, after: after, until: playingTime)
        } catch {
            // The source may be in any state, so the next request starts over.
            (current, ahead) = (nil, nil)
            throw error
        }
    }

    private func opened() throws -> any SeekableFrameSource {
        if let source { return source }
        let fresh = try open()
        guard let first = try fresh.nextFrame() else { throw FrameError(.input, "the video has no frames") }
        source = fresh
        firstTime = firstTime ?? first.presentationTime
        (current, ahead) = (first, try fresh.nextFrame())
        return fresh
    }

    private func isJustAhead(_ time: MediaTime) -> Bool {
        guard let current else { return false }
        return current.presentationTime <= time && time - current.presentationTime < Self.near
    }

    /// Positions the source so that reading on reaches `time`.
    private func approach(_ time: MediaTime, _ source: any SeekableFrameSource) throws {
        let first = firstTime ?? .zero
        guard source.isSeekable else {
            if let current, current.presentationTime <= time { return }
            self.source = nil
            _ = try opened()
            return
        }
        for retreat in Self.retreats where time - retreat >= first || retreat == .zero {
            guard (try? source.seek(to: time - retreat)) != nil, let frame = try? source.nextFrame() else { continue }
            if frame.presentationTime <= time {
                (current, ahead) = (frame, try source.nextFrame())
                return
            }
        }
        self.source = nil
        _ = try opened()
    }

    /// Reads on to the first frame within the tolerances.
    private func settle(
        _ time: MediaTime, before: MediaTime?, after: MediaTime?, until playingTime: MediaTime?
    ) throws -> Frame {
        guard var frame = current else { throw FrameError(.decode, "no frame can be decoded at \(time) s") }
        guard let before else { return frame }
        let lower = time - before
        while end(of: frame).map({ $0 <= lower }) ?? false {
            guard let next = ahead else {
                if let playingTime, time < playingTime { return frame }
                throw FrameError(
                    .invalidArgument,
                    "the time \(time) s is after the end of the video at \(end(of: frame) ?? lower) s")
            }
            frame = next
            (current, ahead) = (next, try source?.nextFrame())
        }
        guard after.map({ frame.presentationTime - time <= $0 }) ?? true else {
            throw FrameError(.input, "no frame is shown at \(time) s; the next begins at \(frame.presentationTime) s")
        }
        return frame
    }

    private func end(of frame: Frame) -> MediaTime? {
        ahead?.presentationTime ?? frame.duration.map { frame.presentationTime + $0 }
    }
}
