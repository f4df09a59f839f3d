internal import FrameAnalysis
internal import FrameCore

/// What a job will take, estimated from short samples of it.
package struct JobEstimate: Sendable {
    /// The number of frames that the job writes.
    package var frames: Int
    /// The size of the output in bytes; nil if it writes none.
    package var bytes: Int?
    /// The wall-clock duration of the job in seconds.
    package var seconds: Double
    /// The largest amount of memory used by the samples, in KiB; nil if unknown.
    package var peakMemoryKiB: Int?
    /// The number of frames of the input that were processed to estimate this.
    package var sampledFrames: Int
}

extension JobEstimate {
    /// Adds the memory of candidates for thumbnails that all of the job keeps and its samples do not.
    ///
    /// - Parameters:
    ///   - stream: what the job makes.
    ///   - frames: the number of frames of the input.
    mutating func addCandidates(of stream: VideoStreamDescription, frames: Int) {
        guard let memory = peakMemoryKiB else { return }
        let most = FrameStore.mostInMemory(bytesPerFrame: stream.bytesPerFrame)
        let examined = ThumbnailSelector.Options().capacity
        let inSamples = sampledFrames * examined / max(1, frames)
        peakMemoryKiB = memory + max(0, min(most, examined) - min(most, inSamples)) * stream.bytesPerFrame / 1024
    }
}
