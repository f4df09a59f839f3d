internal import FrameCore
internal import MediaIO
internal import Pipeline

extension Conversion {
    /// Returns the chain with the masks of its effects read.
    ///
    /// - Throws: `FrameError` that names the mask if it cannot be used.
    func readingMasks(_ chain: EffectChain, of reader: MediaReader) throws -> EffectChain {
        try chain.readingMasks(of: reader.stream) { file, frames in
            guard !LocalFile.isSame(file, output.file) else {
                throw FrameError(
                    .invalidArgument, "the mask and the output are the same file; use two names", at: .init(file: file))
            }
            return try MaskFile(
                file: file, frames: frames, isTurned: reader.turnNote != nil, allowsNetwork: input.allowsNetwork
            ).masks()
        }
    }
}
