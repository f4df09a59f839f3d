extension PixelBuffer {
    /// Whether a sample is larger than the format's bits can say; 16-bit words may hold such values.
    package var exceedsDepth: Bool {
        guard (9...15).contains(format.bitDepth) else { return false }
        return withPlanes { planes in
            (0..<planes.count).contains { plane in
                let plane = planes[plane]
                return (0..<plane.height).contains { row in
                    let words = plane.row(row).assumingMemoryBound(to: UInt16.self)
                    var union: UInt16 = 0
                    for x in 0..<plane.width { union |= words[x] }
                    return Int(union) > format.maximumValue
                }
            }
        }
    }

    /// Makes samples that are too large for the format the largest it has.
    ///
    /// - Throws: ``FrameError`` when memory for a copy is short.
    package mutating func clipToDepth() throws(FrameError) {
        let most = UInt16(truncatingIfNeeded: format.maximumValue)
        guard format.bytesPerSample == 2 else { return }
        try withMutablePlanes { planes throws(FrameError) in
            for plane in 0..<planes.count {
                let plane = planes[plane]
                for row in 0..<plane.height {
                    let words = plane.row(row).assumingMemoryBound(to: UInt16.self)
                    for x in 0..<plane.width { words[x] = min(words[x], most) }
                }
            }
        }
    }
}
