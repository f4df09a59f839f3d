internal import FrameCore
internal import MediaIO

extension Conversion {
    /// Returns which frames of RGB and with alpha are read as they are: those that the effects know and the output holds.
    ///
    /// - Parameter options: how the output is written.
    func keptChannels(_ options: MediaWriterOptions) -> @Sendable (PixelFormat, String) -> Bool {
        // Drawn frames have neither, and film grain is modelled in luma and chroma.
        guard !isDrawing, GrainModelling(self) == nil else { return { _, _ in false } }
        let file = output.file
        // To answer, an encoder is opened.
        let known = Lock<[Channels: Bool]>([:])
        return { format, codec in
            let channels = Channels(format: format, codec: codec)
            if let answer = known.withLock({ $0[channels] }) { return answer }
            let answer = keepsChannels(of: format, from: codec, in: file, options: options)
            known.withLock { $0[channels] = answer }
            return answer
        }
    }
}

/// Frames of a codec.
private struct Channels: Hashable {
    var format: PixelFormat
    var codec: String
}
