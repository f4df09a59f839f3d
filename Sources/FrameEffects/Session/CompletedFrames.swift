/// The destination frames of one call, in the order in which they become complete.
struct CompletedFrames: AsyncSequence {
    typealias Element = FrameProcessorFrame.ReadOnlyFrame
    typealias Failure = any Error

    let stream: AsyncThrowingStream<Element, any Error>
    /// Frames of a call that goes well.
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), missing: count) }

    struct Iterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<Element, any Error>.Iterator
        var missing: Int

        mutating func next() async throws -> Element? {
            if let frame = try await base.next() {
                missing -= 1
                return frame
            }
            // A stream whose task is cancelled just ends.
            if missing > 0 { try Task.checkCancellation() }
            return nil
        }
    }
}
