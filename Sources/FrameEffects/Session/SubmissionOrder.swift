internal import FrameCore

/// Checks that the calls of a session follow one another as their submission modes specify. A value type without side
/// effects.
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

    /// The times of the latest successful call; nil if the next call cannot build on one.
    private var latest: Times?

    package init() {}

    /// Checks a call that is about to run, and returns how it relates to the previous one.
    /// - Throws: ``FrameProcessorError`` with `invalidFrameTiming` if it contradicts its submission mode; the session
    ///   then continues as if the call had not been made.
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
                    "the source frame at \(times.source) s is not later than the previous one at \(latest.source) s; submit a jump as random"
                )
            }
            return latest.next.first == times.source || times.previous.last == latest.source ? .follows : .none
        case .sequentialReferencesUnchanged:
            guard let latest else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "there is no previous call whose frames could be unchanged; submit the first call as random")
            }
            guard latest == times else {
                throw FrameProcessorError(
                    .invalidFrameTiming,
                    "the frames at \(Self.list(times)) differ from those of the previous call, at \(Self.list(latest)); submit them as sequential or random"
                )
            }
            return .samePair
        }
    }

    /// Records a call that succeeded.
    package mutating func succeeded(_ frames: CallFrames) { latest = Times(frames) }

    /// Discards the record after a call that failed.
    package mutating func reset() { latest = nil }

    private static func list(_ times: Times) -> String {
        (times.previous + [times.source] + times.next).map { "\($0) s" }.joined(separator: ", ")
    }
}
