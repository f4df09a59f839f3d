package import FrameCore

/// The inside of a session: one effect with what it keeps from call to call. Called from one thread at a time.
package protocol FrameProcessorEffect: AnyObject {
    /// Reads the parameters and makes the pictures of the destination frames.
    ///
    /// - Parameter deliver: called once for each destination frame, by its position, as soon as its picture is complete.
    func process(
        _ parameters: any FrameProcessorParameters, deliver: (Int, PixelBuffer) -> Void
    ) throws(FrameProcessorError)
}

/// A configuration of one of the package's own effects.
package protocol EffectConfiguration: FrameProcessorConfiguration {
    func makeEffect(threads: Int) throws(FrameProcessorError) -> any FrameProcessorEffect
}
