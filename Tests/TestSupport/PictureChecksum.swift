public import FrameCore

extension PixelBuffer {
    /// FNV-1a (64 bits) over all samples as little-endian 16-bit words, plane after plane without padding.
    public var checksum: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for plane in 0..<format.planeCount {
            for sample in samples(ofPlane: plane) {
                for byte in [sample & 0xFF, sample >> 8] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            }
        }
        return hash
    }
}
