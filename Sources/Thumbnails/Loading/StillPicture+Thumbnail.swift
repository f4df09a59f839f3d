import FrameCore
import Imaging

extension StillPicture {
    /// A copy in memory of its own with 8 bits, so that no decoder's frame is kept alive by a cache.
    func forThumbnail() throws(FrameError) -> StillPicture {
        let buffer = frame.buffer, color = frame.color.resolved(height: buffer.height)
        let format = try PixelFormat(
            subsampling: buffer.format.subsampling == .monochrome ? .monochrome : .yuv420, bitDepth: 8)
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: color, to: format,
            width: buffer.width, height: buffer.height, targetLocation: color.chromaLocation)
        var copy = self
        copy.frame.buffer = try resampler.resampled(buffer)
        copy.frame.color = color
        return copy
    }
}
