package import FrameCore
internal import Motion

/// Frames that a selector takes without their samples.
///
/// Where a selection is divided among machines, most frames are only described: the signature stands in for the
/// samples. The samples of the frames that may be examined, and of their neighbours, must be there.
package enum DescribedFrame {
    /// The kind of side data that holds the signature of a frame whose samples are missing.
    private static let kind = "frame signature"

    /// Returns the description of a frame.
    package static func description(of frame: Frame) -> [UInt8] { FrameSignature(frame.buffer).state }

    /// Returns a frame that stands for one with this description.
    ///
    /// - Parameters:
    ///   - frame: the frame, with samples of no meaning.
    ///   - description: the description of the real one.
    package static func standIn(_ frame: Frame, description: [UInt8]) -> Frame {
        var frame = frame
        frame.sideData.entries.append(
            SideData.Entry(kind: kind, code: -1, bytes: description, isOfThisPictureOnly: true))
        return frame
    }

    /// Returns the signature that a selector uses for a frame.
    static func signature(of frame: Frame) -> FrameSignature {
        let stored = frame.sideData.entries.first { $0.kind == kind && $0.code == -1 }
        return stored.flatMap { FrameSignature(state: $0.bytes) } ?? FrameSignature(frame.buffer)
    }
}

/// Which frames of a stream a selector may examine, known from their times alone.
package struct ExaminedTimes: Sendable {
    /// The number of frames on either side of an examined one whose samples are needed too.
    package static let reach = SelectionWindow.localReach
    private let buckets: CandidateBuckets

    /// - Parameter options: the options of the selector. The duration must be known, and the stream must not be more
    ///   than ``longestExcess`` times as long.
    package init(_ options: ThumbnailSelector.Options) { buckets = CandidateBuckets(options) }

    /// A stream that is longer than this, as a multiple of its stated duration, would be examined at other times.
    package static let longestExcess = Rational(3, 2)

    /// Whether the frame at `time`, which comes after the one at `last`, is examined.
    package func includes(_ time: MediaTime, after last: MediaTime) -> Bool {
        buckets.index(of: time) != buckets.index(of: last)
    }
}
