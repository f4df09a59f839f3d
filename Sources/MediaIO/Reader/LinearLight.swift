import CLibAV
import FrameCore
import Glibc

/// Converts frames of floating-point samples, which hold linear light (OpenEXR, PFM, Radiance), to the sRGB transfer
/// function that integer images have.
enum LinearLight {
    /// Returns a copy of a frame with every color sample encoded, and whether any was above 1.
    ///
    /// Colors multiplied by alpha, as OpenEXR stores them, are divided by it.
    static func encoded(_ frame: AVFrame) throws(FrameError) -> (frame: FrameHandle, isClipped: Bool) {
        let format = AVPixelFormat(rawValue: frame.format)
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, let layout = PixelFormatDescription(format) else {
            throw FrameError(.unsupportedFormat, "frames in pixel format number \(frame.format) cannot be read")
        }
        let copy = try FrameHandle()
        copy.pointer.pointee.width = frame.width
        copy.pointer.pointee.height = frame.height
        copy.pointer.pointee.format = frame.format
        try check(av_frame_get_buffer(copy.pointer, 0), .allocation, "no memory for a frame")
        _ = try withUnsafePointer(to: frame) { source throws(FrameError) in
            try check(av_frame_copy(copy.pointer, source), .allocation, "a frame cannot be copied")
        }
        let all = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let components = all.prefix(Int(descriptor.nb_components))
        let colors = layout.hasAlpha ? components.dropLast() : components
        let alpha = layout.hasAlpha ? components.last : nil
        let isBig = Int32(truncatingIfNeeded: descriptor.flags) & AV_PIX_FMT_FLAG_BE != 0
        let target = copy.pointer.pointee
        func place(_ component: AVComponentDescriptor, _ y: Int) -> UnsafeMutablePointer<UInt8>? {
            let plane = Int(component.plane)
            return target.planes[plane].map { $0 + y * Int(target.strides[plane]) + Int(component.offset) }
        }
        var isClipped = false
        for y in 0..<Int(frame.height) {
            let opacity = alpha.flatMap { place($0, y) }
            for color in colors {
                guard let row = place(color, y) else { continue }
                for x in 0..<Int(frame.width) {
                    let sample = UnsafeMutableRawPointer(row + x * Int(color.step))
                    var value = load(sample, isBig)
                    if let opacity, let alpha {
                        let share = load(UnsafeMutableRawPointer(opacity + x * Int(alpha.step)), isBig)
                        if share > 0, share < 1 { value /= share }
                    }
                    if value > 1.001 { isClipped = true }
                    let bits = curve(value).bitPattern
                    sample.storeBytes(of: isBig ? bits.bigEndian : bits.littleEndian, as: UInt32.self)
                }
            }
        }
        return (copy, isClipped)
    }

    /// Fills a buffer of RGB with the encoded samples of a frame; alpha stays linear.
    ///
    /// - Returns: whether any color was above 1.
    static func unpack(_ frame: AVFrame, into buffer: inout PixelBuffer) throws(FrameError) -> Bool {
        let encoded = try encoded(frame)
        defer { withExtendedLifetime(encoded.frame) {} }
        let format = AVPixelFormat(rawValue: frame.format)
        guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return encoded.isClipped }
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let isBig = Int32(truncatingIfNeeded: descriptor.flags) & AV_PIX_FMT_FLAG_BE != 0
        let source = encoded.frame.pointer.pointee, largest = Float(buffer.format.maximumValue)
        try buffer.withOverwrittenPlanes { planes in
            for (index, component) in components.prefix(Int(descriptor.nb_components)).enumerated() {
                let plane = PixelFormatDescription.plane(ofComponent: index, isRGB: true)
                guard plane < planes.count, let base = source.planes[Int(component.plane)] else { continue }
                for y in 0..<planes[plane].height {
                    let from = base + y * Int(source.strides[Int(component.plane)]) + Int(component.offset)
                    let row = planes[plane].row(y).assumingMemoryBound(to: UInt16.self)
                    for x in 0..<planes[plane].width {
                        let value = load(UnsafeMutableRawPointer(from + x * Int(component.step)), isBig)
                        // What is not a number compares false.
                        row[x] = value > 0 ? UInt16(min(1, value) * largest + 0.5) : 0
                    }
                }
            }
        }
        return encoded.isClipped
    }

    private static func load(_ sample: UnsafeMutableRawPointer, _ isBig: Bool) -> Float {
        let bits = sample.loadUnaligned(as: UInt32.self)
        return Float(bitPattern: isBig ? UInt32(bigEndian: bits) : UInt32(littleEndian: bits))
    }

    /// The sRGB transfer function; what is not a number becomes black.
    private static func curve(_ light: Float) -> Float {
        guard light > 0 else { return 0 }
        return light <= 0.003_130_8 ? 12.92 * light : light >= 1 ? 1 : 1.055 * powf(light, 1 / 2.4) - 0.055
    }
}
