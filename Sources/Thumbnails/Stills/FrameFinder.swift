internal import FrameCore

/// Finds the frame shown at a time in a source, by seeking where that works and reading on where it is near.
///
/// The frame found depends on the request alone, never on what was asked before.
///
/// `@unchecked Sendable`: a generator reaches it on its serial queue alone.
final class FrameFinder: @unchecked Sendable {
    /// Up to here reading on is tried before seeking.
    private static let near = MediaTime(value: 2, timescale: 1)
    /// How much earlier is tried, one after the other, where the index leads behind the time asked for.
    private static let retreats = [0, 5, 30].map { MediaTime(value: $0, timescale: 1) }

    private let open: () throws -> any SeekableFrameSource
    private var source: (any SeekableFrameSource)?
    private var current: Frame?
    private var ahead: Frame?
    private var firstTime: MediaTime?

    init(open: @escaping () throws -> any SeekableFrameSource) { self.open = open }

    /// What is known of the source; opens it.
    func stream() throws -> VideoStreamDescription { try opened().stream }

    /// - Parameters:
    ///   - before: how much earlier a frame may end; nil for any.
    ///   - after: how much later a frame may begin; nil for any.
    func frame(at time: MediaTime, before: MediaTime?, after: MediaTime?) throws -> Frame {
        let source = try opened()
        let first = firstTime ?? time
        // The first picture stands until the second, whatever its time.
        let time = time < first && time >= .zero ? first : time
        guard time >= first || after.map({ first - time <= $0 }) ?? true else {
            throw FrameError(
                .invalidArgument, "the time \(time) s lies before the first frame at \(first) s")
        }
        do {
            let isExact = before == .zero
            if !(isExact && isJustAhead(time)) { try approach(time, source) }
            return try settle(time, before: before, after: after)
        } catch {
            // Who knows where the source stands; the next request begins anew.
            (current, ahead) = (nil, nil)
            throw error
        }
    }

    private func opened() throws -> any SeekableFrameSource {
        if let source { return source }
        let fresh = try open()
        guard let first = try fresh.nextFrame() else { throw FrameError(.input, "there are no frames in it") }
        source = fresh
        firstTime = firstTime ?? first.presentationTime
        (current, ahead) = (first, try fresh.nextFrame())
        return fresh
    }

    private func isJustAhead(_ time: MediaTime) -> Bool {
        guard let current else { return false }
        return current.presentationTime <= time && time - current.presentationTime < Self.near
    }

    /// Goes to where reading on leads to `time`.
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

    /// Reads on to the first frame that will do.
    private func settle(_ time: MediaTime, before: MediaTime?, after: MediaTime?) throws -> Frame {
        guard var frame = current else { throw FrameError(.decode, "nothing can be decoded at \(time) s") }
        guard let before else { return frame }
        let lower = time - before
        while end(of: frame).map({ $0 <= lower }) ?? false {
            guard let next = ahead else {
                throw FrameError(
                    .invalidArgument,
                    "the time \(time) s lies behind the video, which ends at \(end(of: frame) ?? lower) s")
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
