internal import FrameCore
internal import Imaging

/// Returns the frames of another source as YCbCr without alpha, for outputs that know no others.
final class PlainSource: FrameSource {
    let stream: VideoStreamDescription
    private let frames: any FrameSource
    private let pictures: PlainPictures

    init(_ frames: any FrameSource, context: ExecutionContext = ExecutionContext(threads: 1)) {
        self.frames = frames
        pictures = PlainPictures(context: context)
        stream = pictures.stream(of: frames.stream)
    }

    var damage: DamageReport { frames.damage }

    func nextFrame() throws -> Frame? { try frames.nextFrame().map { try pictures.frame(of: $0) } }
}
