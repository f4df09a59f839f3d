import CLibAV
import FrameCore
import Imaging

/// Turns frames into libav frames: without a copy if the encoder accepts them as they are, else converted.
struct PictureExporter {
    private let target: AVPixelFormat
    /// The format of the target's planes, if frames can lend theirs: it lacks at most the alpha of the frames.
    private let planes: PixelFormat?
    /// Reorders the samples of frames; nil if that is not all.
    private let packing: SamplePacking?
    private let demands: ColorDemands
    private var scaler: PictureScaler?
    /// Subsamples the chroma of pictures with alpha; nil inside if there is nothing to do, nil if that is not known.
    private var subsampler: AlphaSubsampler??
    private var rangeConverter: (from: ColorDescription.Range, converter: RangeConverter)?

    init(source: PixelFormat, target: AVPixelFormat, demands: ColorDemands) {
        self.target = target
        self.demands = demands
        planes = PixelFormat(planesOf: target).flatMap { $0 == source || $0 == source.withoutAlpha ? $0 : nil }
        packing = SamplePacking(target).flatMap { packing in
            let isKnown = source.isRGB || source.hasAlpha
            return isKnown && packing.format.withoutAlpha == source.withoutAlpha ? packing : nil
        }
    }

    /// Returns a libav frame with the samples, tags and side data of `frame`; the caller sets its times.
    mutating func avFrame(of frame: Frame) throws(FrameError) -> FrameHandle {
        let box = try FrameHandle()
        box.pointer.pointee.width = Int32(frame.buffer.width)
        box.pointer.pointee.height = Int32(frame.buffer.height)
        box.pointer.pointee.format = target.rawValue
        demands.tags(of: frame.color).apply(to: &box.pointer.pointee)
        var known = frame.color.resolved(height: frame.buffer.height)
        if frame.buffer.format.isRGB { (known.matrix, known.range) = (.identity, .full) }
        let wanted = demands.encoding(of: known)
        let keepsMatrix = frame.buffer.format.isRGB || known.matrix == wanted.matrix
        if keepsMatrix, planes != nil || packing != nil {
            var buffer = planes == frame.buffer.format.withoutAlpha ? frame.buffer.withoutAlpha : frame.buffer
            if let wanted = demands.range, known.range != wanted {
                buffer = try inRange(wanted, buffer, from: known.range)
            }
            if planes != nil {
                try Self.lend(buffer, to: box)
            } else {
                try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for a frame")
                packing?.pack(buffer, into: box.pointer.pointee)
            }
        } else {
            try convert(frame, from: known, to: wanted, into: box)
        }
        box.pointer.pointee.sample_aspect_ratio = frame.sampleAspectRatio?.av ?? AVRational(num: 0, den: 1)
        frame.sideData.attach(to: box.pointer)
        return box
    }

    private mutating func inRange(
        _ wanted: ColorDescription.Range, _ buffer: PixelBuffer, from range: ColorDescription.Range
    ) throws(FrameError) -> PixelBuffer {
        if let rangeConverter, rangeConverter.from == range { return try rangeConverter.converter.converted(buffer) }
        let converter = RangeConverter(from: range, to: wanted, bitDepth: buffer.format.bitDepth)
        rangeConverter = (range, converter)
        return try converter.converted(buffer)
    }

    /// Returns a picture with its chroma subsampled where that takes care of alpha; the picture itself elsewhere.
    private mutating func subsampled(_ buffer: PixelBuffer, _ color: ColorDescription) throws(FrameError) -> PixelBuffer
    {
        guard buffer.format.hasAlpha else { return buffer }
        if subsampler == nil {
            subsampler = .some(
                try AlphaSubsampler(
                    buffer.format, for: target, color: color, width: buffer.width, height: buffer.height))
        }
        return try subsampler??.subsampled(buffer) ?? buffer
    }

    private mutating func convert(
        _ frame: Frame, from known: ColorDescription, to wanted: ColorDescription, into box: FrameHandle
    ) throws(FrameError) {
        let buffer = try subsampled(frame.buffer, known)
        guard let format = buffer.format.av else {
            throw FrameError(.unsupportedFormat, "\(frame.buffer.format) frames cannot be converted for the encoder")
        }
        let source = PictureScaler.Side(format: format, color: known)
        let result = PictureScaler.Side(format: target, color: wanted)
        if scaler?.source != source || scaler?.target != result {
            scaler = try PictureScaler(
                from: source, to: result, width: frame.buffer.width, height: frame.buffer.height)
        }
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for a frame")
        let borrowed = try FrameHandle()
        try Self.lend(buffer, to: borrowed)
        try scaler?.convert(borrowed.pointer.pointee, into: &box.pointer.pointee)
        if let plane = frame.buffer.format.alphaPlane, let samples = SamplePacking(target), samples.format.hasAlpha,
            samples.format.bitDepth != frame.buffer.format.bitDepth
        {
            // swscale shifts alpha to another depth, or dithers it, so that what is opaque would no longer be.
            let alpha = try frame.buffer.plane(plane).rescaled(to: samples.format.monochrome)
            samples.pack(alpha: alpha, into: box.pointer.pointee)
        }
    }

    /// Points `box` at the buffer's planes, and keeps the buffer's storage alive as long as libav references them.
    private static func lend(_ buffer: PixelBuffer, to box: FrameHandle) throws(FrameError) {
        let storage = Unmanaged.passRetained(buffer.storage)
        // The pointers stay valid after this closure: storage with a second reference is never written to.
        buffer.withPlanes { box.pointer.pointee.borrow($0) }
        let reference = av_buffer_create(
            box.pointer.pointee.data.0, 1,
            { opaque, _ in opaque.map { Unmanaged<PixelStorage>.fromOpaque($0).release() } },
            storage.toOpaque(), AV_BUFFER_FLAG_READONLY)
        guard let reference else {
            storage.release()
            throw FrameError(.allocation, "no memory for a frame reference")
        }
        box.pointer.pointee.buf.0 = reference
    }
}
