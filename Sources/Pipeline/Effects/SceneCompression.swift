import FrameCore

/// How the pictures of a clip were compressed, frame by frame.
struct SceneCompression {
    private let source: SourceCompression
    private let context: ExecutionContext
    /// The compression of the latest scene, if it is measured.
    private var measured = PictureCompression.none

    init(_ source: SourceCompression, context: ExecutionContext) {
        self.source = source
        self.context = context
    }

    /// Returns how the current frame was compressed. Call it for each frame, in order.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    mutating func pictures(of neighbourhood: Neighbourhood) throws(FrameError) -> PictureCompression {
        guard source.isMeasuredByScene else { return source.pictures(at: neighbourhood.sourceTime) }
        let current = neighbourhood.current
        if neighbourhood.resets {
            // The rows of interlaced frames are not neighbours.
            measured =
                current.isInterlaced ? .none : try SourceCompression(of: current.buffer, context: context).overall
        }
        return measured
    }
}
