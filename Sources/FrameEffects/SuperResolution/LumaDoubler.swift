import FrameCore

/// What a luma doubler has been made for.
package enum UpscalingModel: Sendable, Hashable {
    /// Real time.
    case normal
    /// The best picture.
    case quality
    /// Pictures that a codec has left its traces in.
    case compressed
}

/// Makes luma twice as wide and high.
struct LumaDoubler: Sendable {
    let model: UpscalingModel
    let threads: Int

    init(_ model: UpscalingModel, threads: Int) {
        self.model = model
        self.threads = threads
    }

    /// - Parameters:
    ///   - source: luma.
    ///   - target: twice as wide and high; both cover the same area.
    ///   - format: of both planes.
    func double(_ source: Plane, into target: MutablePlane, format: PixelFormat) {
        PictureResampler.luma(
            width: source.width, height: source.height, outputWidth: target.width, outputHeight: target.height
        ).resample(source, into: target, format: format, threads: threads)
    }
}
