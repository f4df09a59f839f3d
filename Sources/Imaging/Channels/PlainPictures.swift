package import FrameCore

/// Makes YCbCr frames without alpha of frames of RGB or with alpha, for outputs that know no others, such as thumbnails.
/// What is transparent is shown over grey.
package struct PlainPictures: Sendable {
    private let context: ExecutionContext

    /// - Parameter context: how the work is done.
    package init(context: ExecutionContext) { self.context = context }

    /// Returns the description of the frames that are made of those of a stream.
    package func stream(of stream: VideoStreamDescription) -> VideoStreamDescription {
        var plain = stream
        guard !stream.format.isPlain else { return stream }
        plain.format = stream.format.withoutAlpha
        guard stream.format.isRGB, let converter = try? RGBConverter(plain.format, context: context) else {
            return plain
        }
        plain.format = converter.yCbCr
        plain.color = Self.color(stream.color)
        return plain
    }

    /// Returns the frame to show in place of another, which is the same if it is plain.
    ///
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func frame(of frame: Frame) throws(FrameError) -> Frame {
        guard !frame.buffer.format.isPlain else { return frame }
        var plain = frame
        plain.buffer = try frame.buffer.premultiplied(context: context).withoutAlpha
        guard plain.buffer.format.isRGB else { return plain }
        plain.buffer = try RGBConverter(plain.buffer.format, context: context).toYCbCr(plain.buffer)
        plain.color = Self.color(frame.color)
        return plain
    }

    /// The color of pictures that ``RGBConverter`` makes.
    private static func color(_ rgb: ColorDescription) -> ColorDescription {
        var color = rgb
        (color.matrix, color.range) = (.bt709, .full)
        return color
    }
}
