internal import FrameCore
internal import Imaging

/// Returns the frames of another source as YCbCr without alpha, for outputs that know no others. What is transparent shows
/// middle grey.
final class PlainSource: FrameSource {
    let stream: VideoStreamDescription
    private let frames: any FrameSource

    init(_ frames: any FrameSource) throws(FrameError) {
        self.frames = frames
        stream = try Self.stream(of: frames.stream)
    }

    private static func stream(of source: VideoStreamDescription) throws(FrameError) -> VideoStreamDescription {
        var stream = source
        stream.format = source.format.withoutAlpha
        if source.format.isRGB {
            stream.format = try PixelFormat(subsampling: .yuv444, bitDepth: source.format.bitDepth)
            stream.color = source.color.ofYCbCrFromRGB
        }
        return stream
    }

    var damage: DamageReport { frames.damage }

    func nextFrame() throws -> Frame? { try frames.nextFrame().map { try $0.overGrey(context: .serial) } }
}
