package import FrameCore

/// How samples of one depth become those of another: limited range by powers of two, full range by its ends.
package struct DepthConversion: Sendable, Hashable {
    /// Bits of the source.
    let source: Int
    /// Bits of the target.
    let target: Int
    /// Whether the filters write the target's samples.
    let isDirect: Bool
    /// Bits that the filters write.
    let filtered: Int
    /// What is multiplied with what the filters write, in 1/2³².
    private let factor: UInt64

    package init(from source: PixelFormat, to target: PixelFormat, range: ColorDescription.Range) {
        let (from, to) = (source.bitDepth, target.bitDepth)
        let scalesByTwos = from == to || range != .full
        self.source = from
        self.target = to
        // The filters' kernels keep 14 bits of whatever has fewer, and scale those by powers of two themselves.
        isDirect = from == to || (scalesByTwos && max(from, to) <= 14)
        filtered = isDirect ? to : max(14, from)
        let extra = Double(1 << max(0, filtered - from))
        let scale =
            scalesByTwos
            ? Double(1 << to) / Double(1 << filtered)
            : Double(target.maximumValue) / (Double(source.maximumValue) * extra)
        factor = UInt64((scale * 0x1p32).rounded())
    }

    /// No change of depth.
    package init(_ format: PixelFormat) { self.init(from: format, to: format, range: .limited) }

    /// A row that the filters wrote, in the target's depth.
    func convert(_ row: UnsafePointer<UInt16>, to out: UnsafeMutableRawPointer, count: Int) {
        let most = UInt64(1 << target) - 1
        func converted(_ x: Int) -> UInt64 { min(most, (UInt64(row[x]) * factor + 0x8000_0000) >> 32) }
        if target > 8 {
            let words = out.assumingMemoryBound(to: UInt16.self)
            for x in 0..<count { words[x] = UInt16(truncatingIfNeeded: converted(x)) }
        } else {
            let bytes = out.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count { bytes[x] = UInt8(truncatingIfNeeded: converted(x)) }
        }
    }
}
