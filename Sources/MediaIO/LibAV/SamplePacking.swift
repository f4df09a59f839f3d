import CLibAV
import FrameCore

/// Moves samples between the planes of a buffer and a libav frame that holds the same samples in another order: packed,
/// semi-planar or big-endian. No sample changes.
struct SamplePacking {
    private let descriptor: UnsafePointer<AVPixFmtDescriptor>
    private let layout: PixelFormatDescription
    /// The format with the samples of the frames.
    let format: PixelFormat

    /// Creates a packing; nil for formats of which no buffer holds the same samples, such as those with a palette.
    init?(_ format: AVPixelFormat) {
        guard let descriptor = av_pix_fmt_desc_get(format), let layout = PixelFormatDescription(format),
            let samples = PixelFormat(samplesOf: format)
        else { return nil }
        (self.descriptor, self.layout, self.format) = (descriptor, layout, samples)
    }

    /// The places of components whose samples are whole bytes or words; nil if any has other samples.
    private var places: [AVComponentDescriptor]? {
        let isBitstream = Int32(truncatingIfNeeded: descriptor.pointee.flags) & AV_PIX_FMT_FLAG_BITSTREAM != 0
        return isBitstream || components.contains { $0.shift != 0 } ? nil : components
    }

    private var components: [AVComponentDescriptor] {
        let all = descriptor.pointee.comp
        return Array([all.0, all.1, all.2, all.3].prefix(Int(descriptor.pointee.nb_components)))
    }

    private var isBigEndian: Bool { Int32(truncatingIfNeeded: descriptor.pointee.flags) & AV_PIX_FMT_FLAG_BE != 0 }

    /// Copies the samples of `frame` to a buffer of ``format``, or of the same without alpha.
    func unpack(_ frame: AVFrame, into buffer: inout PixelBuffer) throws(FrameError) {
        let places = places, isBig = isBigEndian
        try buffer.withOverwrittenPlanes { planes in
            for index in components.indices {
                let plane = PixelFormatDescription.plane(ofComponent: index, isRGB: layout.isRGB)
                guard plane < planes.count else { continue }
                let target = planes[plane]
                for y in 0..<target.height {
                    let row = target.row(y)
                    guard let place = places?[index], let base = frame.planes[Int(place.plane)] else {
                        read(frame, index, y, into: row, count: target.width)
                        continue
                    }
                    let from = base + y * Int(frame.strides[Int(place.plane)]) + Int(place.offset)
                    if place.depth == 8 {
                        let to = row.assumingMemoryBound(to: UInt8.self)
                        Self.gather(from, step: Int(place.step), to, count: target.width)
                    } else {
                        let to = row.assumingMemoryBound(to: UInt16.self)
                        Self.gather(from, step: Int(place.step), to, count: target.width, isBig: isBig)
                    }
                }
            }
        }
    }

    /// Copies the samples of a buffer to `frame`, whose memory is allocated. Alpha that the buffer lacks becomes opaque, and
    /// bytes without a meaning 0.
    func pack(_ buffer: PixelBuffer, into frame: AVFrame) {
        clearUnusedBytes(of: frame, width: buffer.width, height: buffer.height)
        let places = places, isBig = isBigEndian
        let opaque = [UInt16](repeating: UInt16((1 << layout.depth) - 1), count: buffer.width)
        buffer.withPlanes { planes in
            for index in components.indices {
                let plane = PixelFormatDescription.plane(ofComponent: index, isRGB: layout.isRGB)
                let source = plane < planes.count ? planes[plane] : nil
                for y in 0..<(source?.height ?? buffer.height) {
                    let width = source?.width ?? buffer.width
                    guard let place = places?[index], let base = frame.planes[Int(place.plane)] else {
                        write(source?.row(y), opaque, frame, index, y, count: width)
                        continue
                    }
                    let to = base + y * Int(frame.strides[Int(place.plane)]) + Int(place.offset)
                    Self.scatter(source?.row(y), opaque, to, place, count: width, isBig: isBig)
                }
            }
        }
    }

    /// Copies a plane to the alpha of `frame`.
    ///
    /// - Parameter alpha: a picture of one plane of the depth of the frame.
    func pack(alpha: PixelBuffer, into frame: AVFrame) {
        guard layout.hasAlpha, let place = components.last, let base = frame.planes[Int(place.plane)], places != nil
        else { return }
        alpha.withPlanes { planes in
            for y in 0..<planes[0].height {
                let to = base + y * Int(frame.strides[Int(place.plane)]) + Int(place.offset)
                Self.scatter(planes[0].row(y), [], to, place, count: planes[0].width, isBig: isBigEndian)
            }
        }
    }

    /// Clears what no sample is written to, and bits that samples are added to.
    private func clearUnusedBytes(of frame: AVFrame, width: Int, height: Int) {
        guard let first = components.first, components.allSatisfy({ $0.plane == 0 && $0.step == first.step }),
            components.reduce(0, { $0 + Int($1.depth) }) < 8 * Int(first.step), let base = frame.data.0
        else { return }
        for y in 0..<height {
            (base + y * Int(frame.linesize.0)).update(repeating: 0, count: width * Int(first.step))
        }
    }

    // MARK: - Whole bytes and words

    private static func gather(
        _ from: UnsafePointer<UInt8>, step: Int, _ to: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for x in 0..<count { to[x] = from[x &* step] }
    }

    private static func gather(
        _ from: UnsafePointer<UInt8>, step: Int, _ to: UnsafeMutablePointer<UInt16>, count: Int, isBig: Bool
    ) {
        let raw = UnsafeRawPointer(from)
        for x in 0..<count {
            let word = raw.loadUnaligned(fromByteOffset: x &* step, as: UInt16.self)
            to[x] = isBig ? UInt16(bigEndian: word) : UInt16(littleEndian: word)
        }
    }

    /// - Parameters:
    ///   - row: the samples; nil for opaque ones.
    ///   - opaque: opaque samples of two bytes.
    private static func scatter(
        _ row: UnsafeRawPointer?, _ opaque: [UInt16], _ to: UnsafeMutablePointer<UInt8>,
        _ place: AVComponentDescriptor, count: Int, isBig: Bool
    ) {
        let step = Int(place.step)
        if place.depth > 8 {
            opaque.withUnsafeBufferPointer { opaque in
                guard let from = row?.assumingMemoryBound(to: UInt16.self) ?? opaque.baseAddress else { return }
                scatter(from, to, step: step, count: count, isBig: isBig)
            }
        } else if let row {
            scatter(row.assumingMemoryBound(to: UInt8.self), to, step: step, count: count)
        } else {
            for x in 0..<count { to[x * step] = .max }
        }
    }

    private static func scatter(
        _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, step: Int, count: Int
    ) {
        for x in 0..<count { to[x &* step] = from[x] }
    }

    private static func scatter(
        _ from: UnsafePointer<UInt16>, _ to: UnsafeMutablePointer<UInt8>, step: Int, count: Int, isBig: Bool
    ) {
        let raw = UnsafeMutableRawPointer(to)
        for x in 0..<count {
            let word = isBig ? from[x].bigEndian : from[x].littleEndian
            raw.storeBytes(of: word, toByteOffset: x &* step, as: UInt16.self)
        }
    }

    // MARK: - Other samples

    private func read(
        _ frame: AVFrame, _ component: Int, _ y: Int, into row: UnsafeMutableRawPointer, count: Int
    ) {
        var planes = frame.planes.map { $0.map { UnsafePointer<UInt8>($0) } }
        var line = [UInt16](repeating: 0, count: count)
        av_read_image_line2(
            &line, &planes, frame.strides, descriptor, 0, Int32(y), Int32(component), Int32(count), 0, 2)
        if layout.depth == 8 {
            let bytes = row.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count { bytes[x] = UInt8(truncatingIfNeeded: line[x]) }
        } else {
            row.assumingMemoryBound(to: UInt16.self).update(from: line, count: count)
        }
    }

    private func write(
        _ row: UnsafeRawPointer?, _ opaque: [UInt16], _ frame: AVFrame, _ component: Int, _ y: Int, count: Int
    ) {
        var line = opaque
        if let row {
            for x in 0..<count {
                line[x] =
                    layout.depth == 8
                    ? UInt16(row.load(fromByteOffset: x, as: UInt8.self))
                    : row.load(fromByteOffset: 2 * x, as: UInt16.self)
            }
        }
        var planes = frame.planes
        av_write_image_line2(
            line, &planes, frame.strides, descriptor, 0, Int32(y), Int32(component), Int32(count), 2)
    }
}
