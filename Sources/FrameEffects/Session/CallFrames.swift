internal import FrameCore

/// The frames of one call by role, and the checks that apply to every effect.
package struct CallFrames: Sendable {
    package var source: FrameProcessorFrame
    /// Reference frames before the source frame, in presentation order.
    package var previous: [FrameProcessorFrame]
    /// Reference frames after the source frame, in presentation order.
    package var next: [FrameProcessorFrame]
    package var destinations: [FrameProcessorFrame]
    /// Other buffers that are read, such as precomputed flow or an earlier output.
    package var otherInputs: [any SessionBuffer]
    /// Other buffers that are written, in addition to or instead of frames.
    package var otherOutputs: [any SessionBuffer]
    /// Whether destinations must have the source's size. The session checks them against its configuration in any case.
    package var keepsSize: Bool

    package init(
        source: FrameProcessorFrame, previous: [FrameProcessorFrame] = [], next: [FrameProcessorFrame] = [],
        destinations: [FrameProcessorFrame] = [], otherInputs: [any SessionBuffer] = [],
        otherOutputs: [any SessionBuffer] = [], keepsSize: Bool = true
    ) {
        self.source = source
        self.previous = previous
        self.next = next
        self.destinations = destinations
        self.otherInputs = otherInputs
        self.otherOutputs = otherOutputs
        self.keepsSize = keepsSize
    }

    package var inputs: [any SessionBuffer] { previous + [source] + next + otherInputs }
    package var outputs: [any SessionBuffer] { destinations + otherOutputs }

    /// Checks that formats and sizes match, no buffer is used twice, and times are valid and in presentation order.
    package func check() throws(FrameProcessorError) {
        for frame in previous { try checkLayout(of: frame, "a previous frame", size: true) }
        for (index, frame) in next.enumerated() {
            try checkLayout(of: frame, index == 0 ? "the next frame" : "a following frame", size: true)
        }
        for frame in destinations { try checkLayout(of: frame, "a destination frame", size: keepsSize) }
        var seen: Set<ObjectIdentifier> = []
        for buffer in inputs + outputs where !seen.insert(ObjectIdentifier(buffer)).inserted {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(buffer.label) was given twice; source, reference and destination buffers of a call must all differ")
        }
        try checkTimes()
    }

    private func checkLayout(of frame: FrameProcessorFrame, _ role: String, size: Bool) throws(FrameProcessorError) {
        guard frame.format != source.format || size && (frame.width != source.width || frame.height != source.height)
        else { return }
        throw FrameProcessorError(
            .unsupportedInput,
            "\(role) is \(frame.layout), the source frame is \(source.layout); \(size ? "they" : "formats") must match")
    }

    private func checkTimes() throws(FrameProcessorError) {
        let ordered = previous + [source] + next
        for frame in ordered + destinations where !frame.presentationTimeStamp.isValid {
            let time = frame.presentationTimeStamp
            throw FrameProcessorError(
                .invalidFrameTiming,
                "\(time.value)/\(time.timescale) is not a valid time; the timescale must be 1 or more")
        }
        for (earlier, later) in zip(ordered, ordered.dropFirst())
        where !(earlier.presentationTimeStamp < later.presentationTimeStamp) {
            throw FrameProcessorError(
                .invalidFrameTiming,
                "the frame at \(later.presentationTimeStamp) s is not later than the one before it at \(earlier.presentationTimeStamp) s; source and reference frames must be in presentation order"
            )
        }
    }
}
