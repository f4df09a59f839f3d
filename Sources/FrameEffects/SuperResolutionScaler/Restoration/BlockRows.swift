import FrameCore

/// Rows of samples as networks read them that take blocks of 2×2 samples.
enum BlockRows {
    /// Scales samples to 16 bits and makes them signed. Two neighbours are the pair of a position, so the samples of a row
    /// lie in memory as its pairs do.
    ///
    /// - Parameters:
    ///   - row: `width` samples, of which the first and the last are repeated beyond the ends.
    ///   - first: the first sample to read; may be negative.
    ///   - count: how many to read; even.
    ///   - target: receives `count` / 2 pairs.
    static func read(
        _ row: UnsafeRawPointer, width: Int, bitDepth: Int, from first: Int, count: Int,
        into target: UnsafeMutablePointer<Int32>
    ) {
        let samples = UnsafeMutableRawPointer(target).assumingMemoryBound(to: Int16.self)
        if bitDepth > 8 {
            read(row.assumingMemoryBound(to: UInt16.self), width, 16 - bitDepth, first, count, samples)
        } else {
            read(row.assumingMemoryBound(to: UInt8.self), width, 8, first, count, samples)
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func read<Sample: PixelSample>(
        _ row: UnsafePointer<Sample>, _ width: Int, _ shift: Int, _ first: Int, _ count: Int,
        _ target: UnsafeMutablePointer<Int16>
    ) {
        func signed(_ sample: Sample) -> Int16 {
            Int16(truncatingIfNeeded: Int32(truncatingIfNeeded: sample) << Int32(shift) &- 32_768)
        }
        // Where the row begins and ends among what is read.
        let begin = min(max(0, -first), count), end = max(begin, min(count, width - first))
        let left = signed(row[0]), right = signed(row[width - 1])
        for index in 0..<begin { target[index] = left }
        for index in begin..<end { target[index] = signed(row[first + index]) }
        for index in end..<count { target[index] = right }
    }
}
