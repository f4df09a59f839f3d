import CLibAV
import FrameCore

/// Writes the pictures of a y4m file behind the head that libavformat's muxer wrote.
///
/// The muxer itself rounds the chroma rows of odd widths wrongly above 8 bits, and writes row by row.
struct Y4MFrameWriter {
    private static let marker = Array("FRAME\n".utf8)
    private static let longestPiece = 1 << 18
    private var packed: [UInt8] = []

    mutating func write(_ frame: UnsafeMutablePointer<AVFrame>, to muxer: Muxer, time: MediaTime) throws(FrameError) {
        let picture = frame.pointee
        let format = AVPixelFormat(rawValue: picture.format)
        let size = av_image_get_buffer_size(format, picture.width, picture.height, 1)
        guard size > 0, let io = muxer.pointer.pointee.pb else {
            throw FrameError(.output, "the output cannot be written", at: .init(file: muxer.target.output, time: time))
        }
        let total = Self.marker.count + Int(size)
        if packed.count != total { packed = Self.marker + [UInt8](repeating: 0, count: Int(size)) }
        let planes = [picture.data.0, picture.data.1, picture.data.2, picture.data.3].map {
            $0.map { UnsafePointer<UInt8>($0) }
        }
        let strides = [picture.linesize.0, picture.linesize.1, picture.linesize.2, picture.linesize.3]
        packed.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            av_image_copy_to_buffer(
                base + Self.marker.count, size, planes, strides, format, picture.width, picture.height, 1)
            // libavformat's files refuse longer pieces than this.
            for start in stride(from: 0, to: total, by: Self.longestPiece) {
                avio_write(io, base + start, Int32(min(Self.longestPiece, total - start)))
            }
        }
        if io.pointee.error < 0 { throw writeError(io.pointee.error, muxer.target.output, time: time) }
    }
}
