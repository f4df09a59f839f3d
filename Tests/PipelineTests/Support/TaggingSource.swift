import FrameCore
import TestSupport

/// Modifies the frames of another source.
final class TaggingSource: FrameSource {
    private let inner: GeneratedSource
    private let tag: @Sendable (inout Frame) -> Void

    init(_ inner: GeneratedSource, tag: @escaping @Sendable (inout Frame) -> Void) {
        self.inner = inner
        self.tag = tag
    }

    var stream: VideoStreamDescription { inner.stream }
    var damage: DamageReport { inner.damage }

    func nextFrame() throws -> Frame? {
        guard var frame = try inner.nextFrame() else { return nil }
        tag(&frame)
        return frame
    }
}
