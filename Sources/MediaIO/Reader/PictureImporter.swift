import CLibAV
import FrameCore

/// Makes pixel buffers of decoded frames: without a copy where the planes allow it, repacked or converted where not.
struct PictureImporter {
    private var scaler: PictureScaler?
    /// What had to be changed, one sentence per kind.
    private(set) var notes: [String] = []

    /// The pixel format that frames of libav's `format` become; nil when it cannot be read.
    static func target(of format: AVPixelFormat) -> PixelFormat? {
        PixelFormat(planesOf: format) ?? PixelFormat(nearestTo: format)
    }

    /// - Parameter color: the frame's tags; changed to those of the result where it is converted.
    mutating func buffer(from box: FrameBox, color: inout ColorDescription) throws(FrameError) -> PixelBuffer {
        var buffer = try unchecked(box, &color)
        // Raw video and damaged lossless video may hold what no effect reckons with.
        if buffer.exceedsDepth {
            note(
                "samples of more than \(buffer.format.bitDepth) bits are read as the largest of \(buffer.format.bitDepth)"
            )
            try buffer.clipToDepth()
        }
        return buffer
    }

    private mutating func unchecked(_ box: FrameBox, _ color: inout ColorDescription) throws(FrameError) -> PixelBuffer
    {
        let frame = box.pointer.pointee
        let source = AVPixelFormat(rawValue: frame.format)
        let width = Int(frame.width), height = Int(frame.height)
        if let format = PixelFormat(planesOf: source) {
            if PixelLayoutOf(source)?.hasAlpha == true { note("the alpha channel is left out") }
            let planes = Self.planes(of: frame, count: format.planeCount)
            if let buffer = PixelBuffer(format: format, width: width, height: height, borrowing: planes, owner: box) {
                return buffer
            }
            throw sizeError(width, height)
        }
        guard let layout = PixelLayoutOf(source), let format = PixelFormat(nearestTo: source) else {
            throw FrameError(.unsupportedFormat, "pictures in the pixel format number \(frame.format) cannot be read")
        }
        if layout.hasAlpha { note("the alpha channel is left out") }
        var buffer = try PixelBuffer(format: format, width: width, height: height)
        if let packing = SemiPlanarPacking(source) {
            packing.unpack(frame, into: &buffer)
            return buffer
        }
        try convert(frame, layout, into: &buffer, color: &color)
        return buffer
    }

    private mutating func convert(
        _ frame: AVFrame, _ layout: PixelLayoutOf, into buffer: inout PixelBuffer, color: inout ColorDescription
    ) throws(FrameError) {
        guard let target = buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(layout.name) pictures cannot be read")
        }
        var from = color.resolved(height: buffer.height)
        if layout.isRGB {
            // RGB has no matrix; full range on both sides loses least, and the result says so.
            from.range = .full
            if color.matrix == .identity || color.matrix == .unspecified {
                from.matrix = ColorDescription.unspecified.resolved(height: buffer.height).matrix
            }
            color.matrix = from.matrix
            color.range = .full
            color.chromaLocation = .unspecified
            note("\(layout.name) pictures are read as full-range \(buffer.format)")
        } else {
            note("\(layout.name) pictures are read as \(buffer.format)")
        }
        let source = PictureScaler.Side(format: AVPixelFormat(rawValue: frame.format), color: from)
        let result = PictureScaler.Side(format: target, color: from)
        if scaler?.source != source || scaler?.target != result || scaler?.width != frame.width
            || scaler?.height != frame.height
        {
            scaler = try PictureScaler(from: source, to: result, width: buffer.width, height: buffer.height)
        }
        guard let scaler else { return }
        try buffer.withOverwrittenPlanes { planes throws(FrameError) in
            var destination = AVFrame()
            withUnsafeMutablePointer(to: &destination) { setPlanes(planes, of: $0) }
            try scaler.convert(frame, into: &destination)
        }
    }

    private static func planes(of frame: AVFrame, count: Int) -> [(base: UnsafeMutableRawPointer, stride: Int)] {
        let data = [frame.data.0, frame.data.1, frame.data.2]
        let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2]
        return zip(data, strides).prefix(count).compactMap { base, stride in
            base.map { (UnsafeMutableRawPointer($0), Int(stride)) }
        }
    }

    private mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    private func sizeError(_ width: Int, _ height: Int) -> FrameError {
        let range = PixelBuffer.sizeRange
        return FrameError(
            .unsupportedSize,
            "pictures of \(width)x\(height) are not supported; each side must be \(range.lowerBound) to \(range.upperBound) pixels"
        )
    }
}

/// Points an `AVFrame` at planes it does not own.
func setPlanes(_ planes: MutablePlanes, of frame: UnsafeMutablePointer<AVFrame>) {
    let all = (0..<planes.count).map { planes[$0] }
    let bytes = all.map { $0.base.assumingMemoryBound(to: UInt8.self) }
    frame.pointee.data.0 = bytes[0]
    frame.pointee.linesize.0 = Int32(all[0].stride)
    guard all.count > 2 else { return }
    frame.pointee.data.1 = bytes[1]
    frame.pointee.data.2 = bytes[2]
    frame.pointee.linesize.1 = Int32(all[1].stride)
    frame.pointee.linesize.2 = Int32(all[2].stride)
}
