package import FrameCore

/// A picture reduced to what telling cuts and duplicates takes; a few tens of kilobytes whatever the picture's size.
package struct FrameSignature: Sendable {
    /// Reads the buffer once; the buffer is not kept.
    package init(_ buffer: PixelBuffer) {}
}
