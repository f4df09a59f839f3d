internal import FrameCore
internal import Synchronization

/// The destination frames of one call, their buffers taken out from submission until each is complete.
final class InFlightFrames: Sendable {
    private typealias Entry = (frame: FrameProcessorFrame, buffer: PixelBuffer, color: ColorDescription)

    private let entries: Mutex<[Entry?]>

    /// - Throws: ``FrameProcessorError`` when a frame is in flight already; then all are left as they were.
    init(_ frames: [FrameProcessorFrame]) throws(FrameProcessorError) {
        var taken: [Entry?] = []
        do throws(FrameProcessorError) {
            for frame in frames {
                let color = try frame.color
                taken.append((frame, try frame.takeBuffer(), color))
            }
        } catch {
            for case let entry? in taken { entry.frame.putBack(entry.buffer, color: entry.color) }
            throw error
        }
        entries = Mutex(taken)
    }

    /// Gives a frame its new contents.
    /// - Returns: the frame for readers; nil when `index` is out of range or complete already.
    func complete(_ index: Int, with picture: PixelBuffer, color: ColorDescription) -> FrameProcessorFrame
        .ReadOnlyFrame?
    {
        let frame = entries.withLock { entries -> FrameProcessorFrame? in
            guard entries.indices.contains(index) else { return nil }
            defer { entries[index] = nil }
            return entries[index]?.frame
        }
        guard let frame else { return nil }
        frame.putBack(picture, color: color)
        return .init(frame: picture, timeStamp: frame.presentationTimeStamp)
    }

    /// Gives the frames that were not completed their old buffers.
    func putBackRest() {
        let rest = entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
        for case let entry? in rest { entry.frame.putBack(entry.buffer, color: entry.color) }
    }
}
