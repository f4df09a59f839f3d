internal import FrameCore

/// The buffers of one call, held from submission until each one is complete or the call has ended.
final class InFlightBuffers: Sendable {
    private struct Held {
        var read: [any SessionBuffer] = []
        var written: [ObjectIdentifier: any SessionBuffer] = [:]
    }

    private let held = Lock(Held())

    /// - Throws: ``FrameProcessorError`` if a call in flight writes one of the buffers, or uses one that is to be
    ///   written; then none is held.
    init(reading: [any SessionBuffer], writing: [any SessionBuffer]) throws(FrameProcessorError) {
        do throws(FrameProcessorError) {
            for buffer in reading { try hold(reading: buffer) }
            for buffer in writing { try hold(writing: buffer) }
        } catch {
            release()
            throw error
        }
    }

    private func hold(reading buffer: some SessionBuffer) throws(FrameProcessorError) {
        guard buffer.contents.beginReading() != .written else {
            throw FrameProcessorError(
                .invalidParameterError,
                "\(buffer.label) is still being written by another call; it can be read once that call has ended")
        }
        held.withLock { $0.read.append(buffer) }
    }

    private func hold(writing buffer: some SessionBuffer) throws(FrameProcessorError) {
        switch buffer.contents.beginWriting() {
        case .free: held.withLock { $0.written[ObjectIdentifier(buffer)] = buffer }
        case .written:
            throw FrameProcessorError(
                .invalidParameterError,
                "\(buffer.label) is already being written by another call; a destination belongs to one call at a time")
        case .read:
            throw FrameProcessorError(
                .invalidParameterError,
                "\(buffer.label) is being read by another call; it can be written once that call has ended")
        }
    }

    /// Replaces the contents of a written buffer and releases it.
    /// - Returns: whether the buffer was still held.
    func complete<Buffer: SessionBuffer>(_ buffer: Buffer, with contents: Buffer.Contents) -> Bool {
        guard held.withLock({ $0.written.removeValue(forKey: ObjectIdentifier(buffer)) }) != nil else { return false }
        buffer.contents.endWriting(contents)
        return true
    }

    /// Whether all written buffers have received their new contents.
    var isComplete: Bool { held.withLock { $0.written.isEmpty } }

    /// Releases all buffers still held; those not completed keep their previous contents.
    func release() {
        let rest = held.withLock { held in
            defer { held = Held() }
            return held
        }
        for buffer in rest.read { buffer.endReading() }
        for buffer in rest.written.values { buffer.abandonWriting() }
    }
}

extension SessionBuffer {
    fileprivate func endReading() { contents.endReading() }
    fileprivate func abandonWriting() { contents.endWriting(nil) }
}
