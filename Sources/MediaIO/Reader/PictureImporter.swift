import CLibAV
import FrameCore

/// Turns decoded frames into pixel buffers: without a copy when their planes allow it, else repacked or converted.
struct PictureImporter {
    private var scaler: PictureScaler?
    /// One note for each kind of change that was made.
    private(set) var notes: [Note] = []
    private static let alphaDropped = Note.loss("alpha-dropped", "the alpha channel is left out")

    /// Returns the pixel format of the buffers made from frames of libav's `format`; nil when it cannot be read.
    static func target(of format: AVPixelFormat) -> PixelFormat? {
        PixelFormat(planesOf: format) ?? PixelFormat(nearestTo: format)
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
        if let format = PixelFormat(planesOf: source) {
            noteAlpha(of: frame)
            let planes = Self.planes(of: frame, count: format.planeCount)
            if let buffer = PixelBuffer(format: format, width: width, height: height, borrowing: planes, owner: box) {
                return buffer
            }
            throw sizeError(width, height)
        }
        guard let layout = PixelFormatDescription(source), let format = PixelFormat(nearestTo: source) else {
            throw FrameError(.unsupportedFormat, "frames in pixel format number \(frame.format) cannot be read")
        }
        noteAlpha(of: frame)
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        if let packing = SemiPlanarPacking(source) {
            packing.unpack(frame, into: &buffer)
            return buffer
        }
        try convert(frame, layout, into: &buffer, color: &color)
        return buffer
    }

    private mutating func convert(
        _ frame: AVFrame, _ layout: PixelFormatDescription, into buffer: inout PixelBuffer,
        color: inout ColorDescription
    ) throws(FrameError) {
        guard let target = buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(layout.name) frames cannot be read")
        }
        var known = color
        if layout.isRGB, color.matrix == .unspecified { known.matrix = .identity }
        var from = known.resolved(height: buffer.height)
        if layout.isRGB {
            // RGB has no matrix. Full range on both sides loses least, and the result is tagged as full range.
            from.range = .full
            if color.matrix == .identity || color.matrix == .unspecified {
                from.matrix = Self.matrix(forRGB: from, height: buffer.height)
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
            if encoded.isClipped { note("light above the white level is clipped") }
        }
        let source = PictureScaler.Side(format: AVPixelFormat(rawValue: frame.format), color: from)
        let result = PictureScaler.Side(format: target, color: from)
        if scaler?.source != source || scaler?.target != result || scaler?.width != frame.width
            || scaler?.height != frame.height
        {
            scaler = try PictureScaler(from: source, to: result, width: buffer.width, height: buffer.height)
        }
        guard let scaler else { return }
        try scaler.convert(frame, into: &buffer)
        withExtendedLifetime(encoded) {}
    }

    /// Returns the matrix that RGB frames are converted with: that which readers guess for untagged frames of this
    /// height, so that files without color tags look right, too.
    private static func matrix(forRGB known: ColorDescription, height: Int) -> MatrixCoefficients {
        if known.primaries == .bt2020 { return .bt2020NonConstantLuminance }
        // sRGB as YCbCr is defined with this form of BT.601.
        return ColorDescription.unspecified.resolved(height: height).matrix == .bt709 ? .bt709 : .bt470BG
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

/// Unpacks semi-planar formats, which have one luma plane and one of interleaved chroma (NV12, P010 …), without loss.
struct SemiPlanarPacking {
    private let swapsChroma: Bool
    /// The number of unused low bits in each 16-bit word (P010 stores its samples in the high bits).
    private let wordShift: UInt16
    private let isWide: Bool

    init?(_ format: AVPixelFormat) {
        switch String(c: av_get_pix_fmt_name(format)) {
        case "nv12", "nv16", "nv24": (swapsChroma, wordShift, isWide) = (false, 0, false)
        case "nv21", "nv42": (swapsChroma, wordShift, isWide) = (true, 0, false)
        case "nv20le": (swapsChroma, wordShift, isWide) = (false, 0, true)
        case "p010le", "p210le", "p410le": (swapsChroma, wordShift, isWide) = (false, 6, true)
        case "p016le", "p216le", "p416le": (swapsChroma, wordShift, isWide) = (false, 0, true)
        default: return nil
        }
    }

    /// Unpacks `frame` into `buffer`, which must be new: a uniquely owned buffer is not copied, so writing cannot fail.
    func unpack(_ frame: AVFrame, into buffer: inout PixelBuffer) {
        guard let luma = frame.data.0, let chroma = frame.data.1 else { return }
        try? buffer.withOverwrittenPlanes { planes in
            let (y, u, v) = (planes[0], swapsChroma ? planes[2] : planes[1], swapsChroma ? planes[1] : planes[2])
            for row in 0..<y.height {
                copy(luma + row * Int(frame.linesize.0), to: y.row(row), count: y.width)
            }
            for row in 0..<u.height {
                split(chroma + row * Int(frame.linesize.1), to: u.row(row), v.row(row), count: u.width)
            }
        }
    }

    private func copy(_ from: UnsafeMutablePointer<UInt8>, to row: UnsafeMutableRawPointer, count: Int) {
        guard isWide else { return row.copyMemory(from: from, byteCount: count) }
        let words = row.assumingMemoryBound(to: UInt16.self)
        from.withMemoryRebound(to: UInt16.self, capacity: count) { source in
            for x in 0..<count { words[x] = source[x] &>> wordShift }
        }
    }

    private func split(
        _ from: UnsafeMutablePointer<UInt8>, to first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer,
        count: Int
    ) {
        if isWide {
            let (a, b) = (first.assumingMemoryBound(to: UInt16.self), second.assumingMemoryBound(to: UInt16.self))
            from.withMemoryRebound(to: UInt16.self, capacity: count * 2) { source in
                for x in 0..<count { (a[x], b[x]) = (source[2 * x] &>> wordShift, source[2 * x + 1] &>> wordShift) }
            }
        } else {
            let (a, b) = (first.assumingMemoryBound(to: UInt8.self), second.assumingMemoryBound(to: UInt8.self))
            for x in 0..<count { (a[x], b[x]) = (from[2 * x], from[2 * x + 1]) }
        }
    }
}
