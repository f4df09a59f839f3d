public import FrameCore

/// Which pixels of a decoded frame are displayed, and at what size and dynamic range.
public struct RenderingOptions: Sendable {
    /// Which pixels of a frame are displayed, and with what pixel aspect ratio.
    public enum ApertureMode: String, Sendable, Hashable, CaseIterable {
        /// Square pixels, cropped to the clean aperture that the container specifies.
        case cleanAperture
        /// Square pixels, not cropped.
        case productionAperture
        /// All pixels exactly as coded.
        case encodedPixels
    }

    /// How frames with high dynamic range are handled.
    public enum DynamicRangePolicy: String, Sendable, Hashable, CaseIterable {
        /// Tone-map to standard-dynamic-range BT.709.
        case forceStandard
        /// Keep the dynamic range, including bit depth and color tags.
        case matchSource
    }

    /// The box the image must fit, keeping its aspect ratio; a side of 0 means no limit. Images are never enlarged.
    public var maximumSize = (width: 0, height: 0)
    /// Whether to rotate the image as the container specifies; if not, the result carries the orientation.
    public var appliesPreferredTrackTransform = true
    /// Which pixels are displayed.
    public var apertureMode = ApertureMode.cleanAperture
    /// How frames with high dynamic range are handled.
    public var dynamicRangePolicy = DynamicRangePolicy.forceStandard
    /// The part of the coded frame that ``ApertureMode/cleanAperture`` displays; nil for all of it.
    public var cleanAperture: PictureRegion?
    /// The threads and kernels to use; the result does not depend on them.
    public var context = ExecutionContext.serial

    /// Creates the default options: upright, square pixels, standard dynamic range, full size.
    public init() {}
}

/// Renders a decoded frame as the image to display: crop, size, rotation and dynamic range. RGB becomes YCbCr, and alpha
/// a plane of its own.
package struct FrameRenderer: Sendable {
    package let stream: VideoStreamDescription
    package let options: RenderingOptions

    package init(stream: VideoStreamDescription, options: RenderingOptions) {
        self.stream = stream
        self.options = options
    }

    /// - Parameter size: the exact displayed size of the result; nil derives it from the options.
    package func picture(
        of frame: Frame, size: (width: Int, height: Int)? = nil
    ) throws(FrameError) -> StillPicture {
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        let turns = options.appliesPreferredTrackTransform
        var frame = try frame.inYCbCr(context: options.context)
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
            // Unspecified color must be guessed from the frame's original size, not the new one.
            frame.color = known
            frame = replacing(frame, try resampler.resampled(buffer, context: options.context))
        }
        var alpha: PixelBuffer?
        if let plane = frame.buffer.format.alphaPlane {
            if !frame.buffer.isOpaque { alpha = frame.buffer.plane(plane) }
            frame.buffer = frame.buffer.withoutAlpha
        }
        if options.apertureMode != .encodedPixels { frame.sampleAspectRatio = Rational(1, 1) }
        if options.dynamicRangePolicy == .forceStandard, ToneMapping.isNeeded(frame.color) {
            frame = try ToneMapping.mapped(frame, context: options.context)
        }
        guard turns else { return StillPicture(frame: frame, alpha: alpha, orientation: orientation) }
        if orientation != .up {
            frame.color = frame.color.resolved(height: buffer.height)
            // After a rotation, left-sited chroma would no longer be left-sited.
            let location = frame.color.chromaLocation
            if location != .center, frame.buffer.format.subsampling != .yuv444 { frame = try centered(frame) }
            frame = replacing(
                frame,
                try frame.buffer.turned(
                    orientation, chromaLocation: frame.color.chromaLocation, context: options.context))
            alpha = try alpha?.turned(orientation, context: options.context)
        }
        return StillPicture(frame: frame, alpha: alpha)
    }

    /// Returns the displayed size before ``RenderingOptions/maximumSize`` is applied.
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
        // The pixel aspect ratio alone must not make a frame huge.
        let limit = Double(max(16_384, frame.buffer.width, frame.buffer.height))
        return (Int(max(1, min(limit, size.width.rounded()))), Int(max(1, min(limit, size.height.rounded()))))
    }

    private func size(of frame: Frame) -> (width: Int, height: Int) {
        Self.fit(fullSize(of: frame), in: options.maximumSize)
    }

    /// Returns the largest size with the same aspect ratio that fits a box; a side of 0 means no limit. Never enlarges.
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
                "the clean aperture \(region.width)x\(region.height) at \(region.x), \(region.y) is not inside the \(frame.buffer.width)x\(frame.buffer.height) frame"
            )
        }
        return region
    }

    private func centered(_ frame: Frame) throws(FrameError) -> Frame {
        let buffer = frame.buffer
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: frame.color, to: buffer.format,
            width: buffer.width, height: buffer.height, targetLocation: .center)
        var moved = replacing(frame, try resampler.resampled(buffer, context: options.context))
        moved.color.chromaLocation = .center
        return moved
    }

    private func replacing(_ frame: Frame, _ buffer: PixelBuffer) -> Frame {
        frame.replacing(buffer: buffer, presentationTime: frame.presentationTime, duration: frame.duration)
    }
}
