public import FrameCore
internal import Imaging

/// What is shown at a moment of a video.
public struct StoryboardThumbnail: Sendable {
    /// The picture.
    public var picture: StillPicture
    /// When it begins to be shown.
    public var start: MediaTime
    /// When it ceases to be.
    public var end: MediaTime
    /// The image it was cut from, as path or address.
    public var image: String
}

extension StillPicture {
    /// A part of an image as a picture of its own.
    ///
    /// - Parameters:
    ///   - part: in pixels; nil for all of it.
    ///   - name: of the image.
    ///   - track: that names it.
    /// - Throws: `FrameError` when the image is smaller.
    func part(_ part: ThumbnailCue.Part?, named name: String, of track: String) throws(FrameError) -> StillPicture {
        guard let part else { return self }
        let buffer = frame.buffer
        guard part.x + part.width <= buffer.width, part.y + part.height <= buffer.height else {
            throw FrameError(
                .input,
                "the part \(part.width)x\(part.height) at \(part.x), \(part.y) does not lie in the image '\(name)' of \(buffer.width)x\(buffer.height)",
                at: .init(file: track))
        }
        let color = frame.color.resolved(height: buffer.height)
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height),
            region: PictureRegion(
                x: Double(part.x), y: Double(part.y), width: Double(part.width), height: Double(part.height)),
            color: color, to: buffer.format, width: part.width, height: part.height,
            targetLocation: color.chromaLocation)
        var cut = frame
        cut.color = color
        cut.buffer = try resampler.resampled(buffer)
        return StillPicture(frame: cut)
    }
}
