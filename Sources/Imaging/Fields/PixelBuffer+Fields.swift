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

    /// Returns one field as a picture of half the height, rounded up.
    ///
    /// - Parameter parity: 0 for the top field, 1 for the bottom field.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package func field(_ parity: Int) throws(FrameError) -> PixelBuffer {
        var field = try PixelBuffer(format: format, width: width, height: (height + 1) / 2)
        let size = format.bytesPerSample
        try field.withOverwrittenPlanes { planes throws(FrameError) in
            withPlanes { source in
                for index in 0..<planes.count {
                    let (plane, rows) = (planes[index], source[index])
                    for y in 0..<plane.height {
                        // An odd number of rows ends with one of the top field.
                        let row = 2 * y + parity < rows.height ? 2 * y + parity : max(0, 2 * y + parity - 2)
                        plane.row(y).copyMemory(from: rows.row(row), byteCount: plane.width * size)
                    }
                }
            }
        }
        return field
    }
}
