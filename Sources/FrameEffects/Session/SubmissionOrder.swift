internal import FrameCore

/// Holds the calls of a session to what they promise about their order: a pure value.
package struct SubmissionOrder: Sendable {
    private struct Times: Sendable, Hashable {
        var previous: [MediaTime]
        var source: MediaTime
        var next: [MediaTime]

        init(_ frames: CallFrames) {
            previous = frames.previous.map(\.presentationTimeStamp)
            source = frames.source.presentationTimeStamp
            next = frames.next.map(\.presentationTimeStamp)
        }
    }

    /// Of the latest call that succeeded; nil where nothing may be built on.
    private var latest: Times?

    package init() {}

    /// Checks a call that is about to run.
    /// - Throws: ``FrameProcessorError`` with `invalidFrameTiming` when it breaks its promise; the session goes on as if
    ///   it had not been made.
    package func relation(_ mode: SubmissionMode, of frames: CallFrames) throws(FrameProcessorError)
        -> PairRelation
    {
        let times = Times(frames)
        switch mode {
        case .random: return .none
        case .sequential:
            guard let latest else { return .none }
            guard latest.source < times.source else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "the source frame at \(times.source) s does not come after the one before at \(latest.source) s; submit a jump as random"
                )
            }
            return latest.next.first == times.source || times.previous.last == latest.source ? .follows : .none
        case .sequentialReferencesUnchanged:
            guard let latest else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "there was no call before whose frames could be unchanged; submit the first call as random")
            }
            guard latest == times else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "the frames at \(Self.list(times)) are not those of the call before, at \(Self.list(latest)); submit them as sequential or random"
                )
            }
            return .samePair
        }
    }

    /// Remembers a call that succeeded.
    package mutating func succeeded(_ frames: CallFrames) { latest = Times(frames) }

    /// Forgets, after a call that failed half-way.
    package mutating func reset() { latest = nil }

    private static func list(_ times: Times) -> String {
        (times.previous + [times.source] + times.next).map { "\($0) s" }.joined(separator: ", ")
    }
}
