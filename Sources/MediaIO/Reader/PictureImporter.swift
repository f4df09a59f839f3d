import CLibAV
import FrameCore

/// Turns decoded frames into pixel buffers: without a copy when their planes allow it, else repacked or converted.
struct PictureImporter {
    /// Whether frames with alpha or of RGB may be made.
    private let accepts: @Sendable (PixelFormat) -> Bool
    /// The format of the first buffer.
    private var kept: PixelFormat?
    /// The latest answer of ``target(of:)``.
    private var latest: (source: AVPixelFormat, target: PixelFormat?)?
    private var scaler: PictureScaler?
    /// One note for each kind of change that was made.
    private(set) var notes: [Note] = []
    private static let alphaDropped = Note.loss("alpha-dropped", "the alpha channel is left out")

    /// - Parameter accepts: whether frames may be made in a format with alpha or of RGB.
    init(accepting accepts: @escaping @Sendable (PixelFormat) -> Bool = { _ in false }) { self.accepts = accepts }

    /// Returns the pixel format of the buffer made from a frame; nil when the frame cannot be read.
    mutating func target(of frame: AVFrame) -> PixelFormat? {
        let source = AVPixelFormat(rawValue: frame.format)
        if let latest, latest.source == source { return latest.target }
        let choices = PixelFormat.readable(source)
        // Every palette can hold transparent colors, whether or not the image uses them.
        if source == AV_PIX_FMT_PAL8, let kept, choices.contains(kept) { return kept }
        let target = choices.first { $0 == choices.last || accepts($0) }
        latest = (source, target)
        return target
    }

    /// Returns a pixel buffer with the contents of a decoded frame.
    ///
    /// - Parameters:
    ///   - box: the decoded frame.
    ///   - color: the frame's color tags; on return those of the buffer, which differ after a conversion.
    mutating func buffer(from box: FrameHandle, color: inout ColorDescription) throws(FrameError) -> PixelBuffer {
        var buffer = try unchecked(box, &color)
        // Raw video and damaged lossless video may contain samples out of range, which no effect expects.
        if buffer.exceedsDepth {
            note(
                "samples of more than \(buffer.format.bitDepth) bits are clipped to the largest \(buffer.format.bitDepth)-bit value"
            )
            try buffer.clipToDepth()
        }
        return buffer
    }

    private mutating func unchecked(_ box: FrameHandle, _ color: inout ColorDescription) throws(FrameError)
        -> PixelBuffer
    {
        let frame = box.pointer.pointee
        let source = AVPixelFormat(rawValue: frame.format)
        let width = Int(frame.width), height = Int(frame.height)
        guard let layout = PixelFormatDescription(source), let format = target(of: frame) else {
            throw FrameError(.unsupportedFormat, "frames in pixel format number \(frame.format) cannot be read")
        }
        kept = kept ?? format
        if !format.hasAlpha { noteAlpha(of: frame) }
        if format.isRGB {
            (color.matrix, color.range, color.chromaLocation) = (.identity, .full, .unspecified)
        }
        if let planar = PixelFormat(planesOf: source), planar == format || planar.withoutAlpha == format {
            let planes = Self.planes(of: frame, count: format.planeCount)
            if let buffer = PixelBuffer(format: format, width: width, height: height, borrowing: planes, owner: box) {
                return buffer
            }
            throw sizeError(width, height)
        }
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        if let packing = SemiPlanarPacking(source) {
            packing.unpack(frame, into: &buffer)
        } else if format.isRGB {
            try unpack(frame, layout, into: &buffer, color: &color)
        } else if format.hasAlpha, let packing = SamplePacking(source), packing.format == format {
            try packing.unpack(frame, into: &buffer)
        } else {
            try convert(frame, layout, into: &buffer, color: &color)
        }
        return buffer
    }

    /// Fills a buffer of RGB, without changing a sample where the frame holds 8 to 16 bits of each color.
    private mutating func unpack(
        _ frame: AVFrame, _ layout: PixelFormatDescription, into buffer: inout PixelBuffer,
        color: inout ColorDescription
    ) throws(FrameError) {
        let source = AVPixelFormat(rawValue: frame.format)
        if let packing = SamplePacking(source) {
            try packing.unpack(frame, into: &buffer)
        } else if let shallow = try ShallowRGB(source)?.expanded(frame) {
            note("\(layout.name) frames are converted to \(buffer.format)")
            try SamplePacking(AV_PIX_FMT_RGB24)?.unpack(shallow.pointer.pointee, into: &buffer)
            withExtendedLifetime(shallow) {}
        } else if layout.isPalette {
            try Palette.unpack(frame, into: &buffer)
        } else if layout.isFloat {
            note("\(layout.name) frames are converted to \(buffer.format) with the transfer function of sRGB")
            (color.primaries, color.transfer) = (.bt709, .sRGB)
            if try LinearLight.unpack(frame, into: &buffer) { note(Self.clippedLight) }
        } else {
            note("\(layout.name) frames are converted to \(buffer.format)")
            let known = color.resolved(height: buffer.height)
            let scaler = try scaler(from: frame, color: known, to: buffer)
            try scaler.convert(frame, into: &buffer)
        }
    }

    private static let clippedLight = "light above the white level is clipped"

    private mutating func convert(
        _ frame: AVFrame, _ layout: PixelFormatDescription, into buffer: inout PixelBuffer,
        color: inout ColorDescription
    ) throws(FrameError) {
        var known = color
        if layout.isRGB, color.matrix == .unspecified { known.matrix = .identity }
        var from = known.resolved(height: buffer.height)
        if layout.isRGB {
            // RGB has no matrix. Full range on both sides loses least, and the result is tagged as full range.
            from.range = .full
            if color.matrix == .identity || color.matrix == .unspecified {
                from.matrix = MatrixCoefficients(forRGB: from, height: buffer.height)
            }
            (color.matrix, color.primaries, color.transfer) = (from.matrix, from.primaries, from.transfer)
            color.range = .full
            color.chromaLocation = .unspecified
            note("\(layout.name) frames are converted to full-range \(buffer.format)")
        } else {
            note("\(layout.name) frames are converted to \(buffer.format)")
        }
        let shallow = try ShallowRGB(AVPixelFormat(rawValue: frame.format))?.expanded(frame)
        defer { withExtendedLifetime(shallow) {} }
        var frame = shallow?.pointer.pointee ?? frame
        let encoded = layout.isFloat ? try LinearLight.encoded(frame) : nil
        if let encoded {
            frame = encoded.frame.pointer.pointee
            (color.primaries, color.transfer) = (.bt709, .sRGB)
            if encoded.isClipped { note(Self.clippedLight) }
        }
        try scaler(from: frame, color: from, to: buffer).convert(frame, into: &buffer)
        withExtendedLifetime(encoded) {}
    }

    /// Returns what converts a frame to the format of a buffer.
    ///
    /// - Parameter color: that of both; no property is unspecified.
    private mutating func scaler(
        from frame: AVFrame, color: ColorDescription, to buffer: PixelBuffer
    ) throws(FrameError) -> PictureScaler {
        guard let target = buffer.format.av else {
            throw FrameError(.unsupportedFormat, "frames cannot be converted to \(buffer.format)")
        }
        let source = PictureScaler.Side(format: AVPixelFormat(rawValue: frame.format), color: color)
        let result = PictureScaler.Side(format: target, color: color)
        if let scaler, scaler.source == source, scaler.target == result, scaler.width == frame.width,
            scaler.height == frame.height
        {
            return scaler
        }
        let new = try PictureScaler(from: source, to: result, width: buffer.width, height: buffer.height)
        scaler = new
        return new
    }

    private static func planes(of frame: AVFrame, count: Int) -> [(base: UnsafeMutableRawPointer, stride: Int)] {
        zip(frame.planes, frame.strides).prefix(count).compactMap { base, stride in
            base.map { (UnsafeMutableRawPointer($0), Int(stride)) }
        }
    }

    /// Notes the loss of an alpha channel, unless the frame is opaque.
    private mutating func noteAlpha(of frame: AVFrame) {
        if !notes.contains(Self.alphaDropped), !frame.isOpaque { notes.append(Self.alphaDropped) }
    }

    private mutating func note(_ sentence: String) {
        let note = Note("converted", sentence)
        if !notes.contains(note) { notes.append(note) }
    }

    private func sizeError(_ width: Int, _ height: Int) -> FrameError {
        let range = PixelBuffer.sizeRange
        return FrameError(
            .unsupportedSize,
            "the image size \(width)x\(height) is not supported; each side must be \(range.lowerBound) to \(range.upperBound) pixels"
        )
    }
}

extension MatrixCoefficients {
    /// The matrix that RGB frames are converted with: that which readers guess for untagged frames of this height, so that
    /// files without color tags look right, too.
    init(forRGB known: ColorDescription, height: Int) {
        guard known.primaries != .bt2020 else {
            self = .bt2020NonConstantLuminance
            return
        }
        // sRGB as YCbCr is defined with this form of BT.601.
        self = ColorDescription.unspecified.resolved(height: height).matrix == .bt709 ? .bt709 : .bt470BG
    }
}
