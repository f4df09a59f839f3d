import CLibAV
import FrameCore

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
