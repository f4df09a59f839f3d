import CLibAV
import FrameCore

/// Expands RGB formats with fewer than 8 bits per component (RGB555, RGB565, RGB332 …) to RGB24.
///
/// The largest value of each component becomes 255. swscale shifts instead, so that the white of RGB555 becomes 248.
struct ShallowRGB {
    private let descriptor: UnsafePointer<AVPixFmtDescriptor>
    /// The 8-bit value of each value of red, green and blue.
    private let tables: [[UInt8]]

    /// Creates an expander; nil for formats that need none.
    init?(_ format: AVPixelFormat) {
        guard let descriptor = av_pix_fmt_desc_get(format) else { return nil }
        let flags = Int32(truncatingIfNeeded: descriptor.pointee.flags)
        let other = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL
        guard flags & AV_PIX_FMT_FLAG_RGB != 0, flags & other == 0, descriptor.pointee.nb_components >= 3 else {
            return nil
        }
        let components = [descriptor.pointee.comp.0, descriptor.pointee.comp.1, descriptor.pointee.comp.2]
        guard components.contains(where: { $0.depth < 8 }), components.allSatisfy({ (1...8).contains($0.depth) }) else {
            return nil
        }
        self.descriptor = descriptor
        tables = components.map { component in
            let most = (1 << Int(component.depth)) - 1
            return (0...most).map { UInt8((2 * $0 * 255 + most) / (2 * most)) }
        }
    }

    /// Returns a frame in RGB24 with the contents of `frame`.
    func expanded(_ frame: AVFrame) throws(FrameError) -> FrameHandle {
        let box = try FrameHandle()
        (box.pointer.pointee.width, box.pointer.pointee.height) = (frame.width, frame.height)
        box.pointer.pointee.format = AV_PIX_FMT_RGB24.rawValue
        try check(av_frame_get_buffer(box.pointer, 0), .allocation, "no memory for a frame")
        guard let target = box.pointer.pointee.data.0 else { return box }
        let width = Int(frame.width)
        var planes = frame.planes.map { $0.map { UnsafePointer<UInt8>($0) } }
        var line = [UInt16](repeating: 0, count: width)
        for y in 0..<Int(frame.height) {
            let row = target + y * Int(box.pointer.pointee.linesize.0)
            for (component, table) in tables.enumerated() {
                av_read_image_line2(
                    &line, &planes, frame.strides, descriptor, 0, Int32(y), Int32(component), frame.width, 0, 2)
                for x in 0..<width { row[3 * x + component] = table[min(Int(line[x]), table.count - 1)] }
            }
        }
        return box
    }
}
