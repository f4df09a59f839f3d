package import FrameCore

/// A small picture of a frame for contact sheets, at most 160 samples along its longer side.
package struct Preview: Sendable {
    /// The preview's samples, full-range 4:4:4.
    package let buffer: PixelBuffer
    package let color: ColorDescription

    /// Makes a preview; nil when memory is short.
    init?(_ picture: AnalysisPicture) { self.init(picture, luma: picture.luma.halved()) }

    /// Makes a preview of twice the size.
    package static func large(_ frame: Frame) -> Preview? {
        let picture = AnalysisPicture(frame)
        return Preview(picture, luma: picture.luma)
    }

    private init?(_ picture: AnalysisPicture, luma: FloatPlane) {
        let frame = picture.shown
        var color = frame.color.resolved(height: frame.buffer.height)
        color.range = .full
        // PQ has been tone-mapped to standard dynamic range; HLG is designed to be shown as is.
        if color.transfer.isHighDynamicRange { (color.transfer, color.primaries) = (.bt709, .bt709) }
        self.color = color
        let (w, h) = (luma.width, luma.height)
        let planes = [
            luma.values, picture.chroma.blue.reduced(width: w, height: h).values.map { $0 + 128 },
            picture.chroma.red.reduced(width: w, height: h).values.map { $0 + 128 },
        ]
        guard let format = try? PixelFormat(subsampling: .yuv444, bitDepth: 8),
            var buffer = try? PixelBuffer(format: format, width: w, height: h)
        else { return nil }
        let written: Void? = try? buffer.withOverwrittenPlanes { targets throws(FrameError) in
            for (index, values) in planes.enumerated() {
                for y in 0..<h {
                    let row = targets[index].row(y).assumingMemoryBound(to: UInt8.self)
                    for x in 0..<w { row[x] = UInt8(max(0, min(255, values[y * w + x].rounded()))) }
                }
            }
        }
        guard written != nil else { return nil }
        self.buffer = buffer
    }
}
