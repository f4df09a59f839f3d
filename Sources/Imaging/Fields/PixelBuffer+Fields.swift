package import FrameCore

extension PixelBuffer {
    /// Returns the picture with the rows of one field taken from another one.
    ///
    /// - Parameters:
    ///   - parity: 0 for the top field, whose rows are 0, 2, 4, …; 1 for the bottom field.
    ///   - other: a picture of the same size and format.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func replacingField(_ parity: Int, from other: PixelBuffer) throws(FrameError) -> PixelBuffer {
        var woven = self
        let size = format.bytesPerSample
        try woven.withMutablePlanes { planes throws(FrameError) in
            other.withPlanes { source in
                for index in 0..<planes.count {
                    let (plane, rows) = (planes[index], source[index])
                    for y in stride(from: parity, to: plane.height, by: 2) {
                        plane.row(y).copyMemory(from: rows.row(y), byteCount: plane.width * size)
                    }
                }
            }
        }
        return woven
    }
}
