package import FrameCore

/// Luma codes to light and back, by the transfer that a picture is tagged with.
///
/// Where the tag describes a camera (BT.709, HLG …) the light is the scene's, since that is what a shutter lets in.
package struct LinearLightTable: Sendable {
    /// Light of every code, 0…65535; white has room above it.
    package let light: [UInt16]
    /// The nearest code of every light.
    package let code: [UInt16]

    package init(_ color: ColorDescription, bitDepth: Int, height: Int) {
        let known = color.resolved(height: height), transfer = known.transfer
        let range = CodeRange(known.range, bitDepth: bitDepth), most = (1 << bitDepth) - 1
        let black = Double(range.black), span = Double(range.lumaSpan)
        func signal(_ code: Int) -> Double { (Double(code) - black) / span }
        // The brightest code stays within 16 bits.
        let peak = TransferFunction.light(signal(most), transfer)
        let linear = (0...most).map { TransferFunction.light(max(0, signal($0)), transfer) / peak * 65535 }
        let codeLight = Self.keepingDarkCodesApart(linear, black: black)
        light = codeLight.map { UInt16(min(65535, max(0, $0.rounded()))) }
        var codes = [UInt16](repeating: 0, count: 65536), at = 0
        for level in 0...65535 {
            // Codes below black have no light of their own; the highest of equals is black itself.
            while at < most, abs(codeLight[at + 1] - Double(level)) <= abs(codeLight[at] - Double(level)) { at += 1 }
            codes[level] = UInt16(at)
        }
        code = codes
    }

    /// A curve that is at least so steep that dark codes do not become one: those of PQ and of plain powers lie closer
    /// together than 16 bits of light can tell.
    private static func keepingDarkCodesApart(_ light: [Double], black: Double) -> [Double] {
        let least = min(4, 16384 / Double(light.count))
        var apart = light
        for code in 1..<light.count where Double(code) > black {
            apart[code] = apart[code - 1] + max(light[code] - light[code - 1], least)
        }
        let scale = 65535 / max(65535, apart[light.count - 1])
        return apart.map { $0 * scale }
    }
}
