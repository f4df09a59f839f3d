internal import FrameCore
internal import Pipeline

/// How much larger a picture is to become, as written on the command line.
extension UpscaleTarget {
    /// - Parameters:
    ///   - scale: `2`, `1.5` or `3/2`, above 1, at most 16.
    ///   - size: `1920x1080`.
    /// - Throws: ``FrameError`` when it is neither, or both are given or none.
    init(scale: String?, size: String?) throws(FrameError) {
        switch (scale, size) {
        case (let scale?, nil): self = try .factor(scale, of: "--scale")
        case (nil, let size?): self = try .size(size, of: "--size")
        case (nil, nil):
            throw FrameError(
                .invalidArgument, "how large is it to become? Give --scale 2 or --size 1920x1080")
        case (.some, .some):
            throw FrameError(.invalidArgument, "--scale and --size exclude each other; give one of them")
        }
    }
}
