public import FrameCore

/// One stretch of a thumbnail track and where its picture lies.
public struct ThumbnailCue: Sendable, Hashable {
    /// When it begins.
    public var start: MediaTime
    /// When it ends.
    public var end: MediaTime
    /// The image as the track names it, fragment taken off.
    public var image: String
    /// The part of the image in pixels; nil for all of it.
    public var part: Part?

    /// A part of an image, in pixels.
    public struct Part: Sendable, Hashable {
        /// Left edge.
        public var x: Int
        /// Upper edge.
        public var y: Int
        /// Width, at least 1.
        public var width: Int
        /// Height, at least 1.
        public var height: Int
    }

    /// A cue.
    public init(start: MediaTime, end: MediaTime, image: String, part: Part? = nil) {
        self.start = start
        self.end = end
        self.image = image
        self.part = part
    }
}
