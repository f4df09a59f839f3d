package import FrameCore

/// Which pixels of a coded frame are shown, in what size and dynamic range.
public struct RenderingOptions: Sendable {
    /// Which pixels of a video are shown, and in what shape.
    public enum ApertureMode: String, Sendable, Hashable, CaseIterable {
        /// Pixels made square, cropped to what the container says is meant to be seen.
        case cleanAperture
        /// Pixels made square.
        case productionAperture
        /// Pixels as they are coded.
        case encodedPixels
    }

    /// What becomes of high dynamic range.
    public enum DynamicRangePolicy: String, Sendable, Hashable, CaseIterable {
        /// Tone-mapped to an ordinary BT.709 picture.
        case forceStandard
        /// Kept, depth and tags included.
        case matchSource
    }

    /// Box that the picture must fit, keeping its shape; a side of 0 does not limit. Pictures are never enlarged.
    public var maximumSize = (width: 0, height: 0)
    /// Whether the picture is turned as the container asks; else the picture says how it is to be turned.
    public var appliesPreferredTrackTransform = true
    /// Which pixels are shown.
    public var apertureMode = ApertureMode.cleanAperture
    /// What becomes of high dynamic range.
    public var dynamicRangePolicy = DynamicRangePolicy.forceStandard
    /// The part of the coded picture that ``ApertureMode/cleanAperture`` shows; nil shows all.
    public var cleanAperture: PictureRegion?
    /// Threads to convert colors with; the picture does not depend on it.
    public var threads = 1

    /// Upright, square pixels, standard dynamic range, full size.
    public init() {}
}

/// From a coded frame to the picture that is shown: shape, size, turn and dynamic range.
package struct FrameRenderer: Sendable {
    package let stream: VideoStreamDescription
    package let options: RenderingOptions

    package init(stream: VideoStreamDescription, options: RenderingOptions) {
        self.stream = stream
        self.options = options
    }

    /// - Parameter size: exact size of the result as shown; nil follows the options.
    package func picture(
        of frame: Frame, size: (width: Int, height: Int)? = nil
    ) throws(FrameError) -> StillPicture {
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        let turns = options.appliesPreferredTrackTransform
        var frame = frame
        let region = try region(of: frame)
        let shown = size ?? self.size(of: frame)
        let stored = turns && orientation.swapsSides ? (shown.height, shown.width) : shown
        let buffer = frame.buffer
        let isWhole =
            region
            == PictureRegion(
                x: 0, y: 0, width: Double(buffer.width), height: Double(buffer.height))
        if !isWhole || stored != (buffer.width, buffer.height) {
            let known = frame.color.resolved(height: buffer.height)
            let resampler = try PictureResampler(
                from: buffer.format, sourceSize: (buffer.width, buffer.height), region: region, color: known,
                to: buffer.format, width: stored.0, height: stored.1, targetLocation: known.chromaLocation)
            // What is unspecified is guessed by the size it had.
            frame.color = known
            frame = replacing(frame, try resampler.resampled(buffer))
        }
        if options.apertureMode != .encodedPixels { frame.sampleAspectRatio = Rational(1, 1) }
        if options.dynamicRangePolicy == .forceStandard, ToneMapping.isNeeded(frame.color) {
            frame = try ToneMapping.mapped(frame, threads: options.threads)
        }
        guard turns else { return StillPicture(frame: frame, orientation: orientation) }
        if orientation != .up {
            frame.color = frame.color.resolved(height: buffer.height)
            // Left-sited chroma would lie elsewhere in a turned picture.
            let location = frame.color.chromaLocation
            if location != .center, frame.buffer.format.subsampling != .yuv444 { frame = try centered(frame) }
            frame = replacing(
                frame, try frame.buffer.turned(orientation, chromaLocation: frame.color.chromaLocation))
        }
        return StillPicture(frame: frame)
    }

    /// The size as shown, before any limit.
    package func fullSize(of frame: Frame) -> (width: Int, height: Int) {
        var size = (width: Double(frame.buffer.width), height: Double(frame.buffer.height))
        if options.apertureMode == .cleanAperture, let region = options.cleanAperture {
            size = (region.width, region.height)
        }
        if options.apertureMode != .encodedPixels, let ratio = frame.sampleAspectRatio, ratio.isPositive {
            size.width *= ratio.doubleValue
        }
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        if options.appliesPreferredTrackTransform, orientation.swapsSides { size = (size.height, size.width) }
        let limit = Double(PixelBuffer.sizeRange.upperBound)
        return (Int(max(1, min(limit, size.width.rounded()))), Int(max(1, min(limit, size.height.rounded()))))
    }

    private func size(of frame: Frame) -> (width: Int, height: Int) {
        Self.fit(fullSize(of: frame), in: options.maximumSize)
    }

    /// The largest size of the same shape in a box; a side of 0 does not limit.
    package static func fit(
        _ size: (width: Int, height: Int), in box: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        var scale = 1.0
        if box.width > 0 { scale = min(scale, Double(box.width) / Double(size.width)) }
        if box.height > 0 { scale = min(scale, Double(box.height) / Double(size.height)) }
        if scale >= 1 { return size }
        return (
            max(1, Int((Double(size.width) * scale).rounded())), max(1, Int((Double(size.height) * scale).rounded()))
        )
    }

    private func region(of frame: Frame) throws(FrameError) -> PictureRegion {
        let whole = PictureRegion(
            x: 0, y: 0, width: Double(frame.buffer.width), height: Double(frame.buffer.height))
        guard options.apertureMode == .cleanAperture, let region = options.cleanAperture else { return whole }
        guard region.x >= 0, region.y >= 0, region.width >= 1, region.height >= 1,
            region.x + region.width <= whole.width, region.y + region.height <= whole.height
        else {
            throw FrameError(
                .invalidArgument,
                "the clean aperture \(region.width)x\(region.height) at \(region.x), \(region.y) does not lie in the picture of \(frame.buffer.width)x\(frame.buffer.height)"
            )
        }
        return region
    }

    private func centered(_ frame: Frame) throws(FrameError) -> Frame {
        let buffer = frame.buffer
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: frame.color, to: buffer.format,
            width: buffer.width, height: buffer.height, targetLocation: .center)
        var moved = replacing(frame, try resampler.resampled(buffer))
        moved.color.chromaLocation = .center
        return moved
    }

    private func replacing(_ frame: Frame, _ buffer: PixelBuffer) -> Frame {
        frame.replacing(buffer: buffer, presentationTime: frame.presentationTime, duration: frame.duration)
    }
}
