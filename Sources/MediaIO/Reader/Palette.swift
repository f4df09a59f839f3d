import CLibAV
import FrameCore

/// Looks up the colors of frames with a palette of 256 colors.
enum Palette {
    /// Fills a buffer of 8-bit RGB, with or without alpha.
    static func unpack(_ frame: AVFrame, into buffer: inout PixelBuffer) throws(FrameError) {
        guard let indices = frame.data.0, let palette = frame.data.1 else { return }
        // Entries are native-endian words: alpha in the highest byte, then red, green and blue.
        let colors = UnsafeRawPointer(palette)
        try buffer.withOverwrittenPlanes { planes in
            for (plane, shift) in zip(0..<planes.count, [8, 0, 16, 24]) {
                let values = (0..<256).map {
                    UInt8(truncatingIfNeeded: colors.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) >> shift)
                }
                for y in 0..<planes[plane].height {
                    let from = indices + y * Int(frame.linesize.0)
                    let row = planes[plane].row(y).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<planes[plane].width { row[x] = values[Int(from[x])] }
                }
            }
        }
    }
}
