package import FrameCore

/// Reads the frames of another source and, after the last, the first one again, so that frames can be made between them.
///
/// `@unchecked Sendable`: `FrameSource` promises calls from one thread at a time.
package final class LoopingSource: ResumableFrameSource, @unchecked Sendable {
    private let source: any FrameSource
    /// Returns the source at its beginning, if the first frame is not read here; nil if it is.
    private let reopen: (@Sendable () throws -> (any FrameSource)?)?
    private var first: Frame?
    private var last: Frame?
    private var hasEnded = false

    /// - Parameters:
    ///   - source: read by this source only.
    ///   - isAtBeginning: whether the first frame is still to come.
    ///   - reopen: returns the source at its beginning, if the first frame has not been read; nil if that is impossible.
    package init(
        _ source: any FrameSource, isAtBeginning: Bool, reopen: @escaping @Sendable () throws -> (any FrameSource)?
    ) {
        self.source = source
        self.reopen = isAtBeginning ? nil : reopen
    }

    /// The properties of the source.
    package var stream: VideoStreamDescription { source.stream }
    /// What has been lost or repaired so far.
    package var damage: DamageReport { source.damage }
    /// The position of the frame that follows, as long as it is one of the source.
    package var position: SourcePosition? { hasEnded ? nil : (source as? any ResumableFrameSource)?.position }
    /// Whether the latest frame was the first one again.
    package var hasReturned: Bool { hasEnded }
    /// False: the source is at its place already.
    package func resume(at position: SourcePosition) -> Bool { false }

    /// Returns the next frame, or nil after the first one has come again.
    package func nextFrame() throws -> Frame? {
        guard !hasEnded else { return nil }
        if let frame = try source.nextFrame() {
            if first == nil { first = try reopen?()?.nextFrame() ?? frame }
            last = frame
            return frame
        }
        hasEnded = true
        guard var frame = first, let last, let length = last.duration ?? usualLength else { return nil }
        frame.presentationTime = last.presentationTime + length
        // What belongs to the first frame alone has been shown.
        frame.sideData = frame.sideData.forMadeFrames
        return frame
    }

    private var usualLength: MediaTime? {
        stream.nominalFrameRate.flatMap { rate in
            rate.isPositive ? MediaTime(value: Int64(rate.denominator), timescale: rate.numerator) : nil
        }
    }
}
