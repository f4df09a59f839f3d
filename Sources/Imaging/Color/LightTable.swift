import Foundation
package import FrameCore

/// Luma codes to light and back, by the transfer that a picture is tagged with.
///
/// Where the tag describes a camera (BT.709, HLG …) the light is the scene's, since that is what a shutter lets in.
package struct LightCurve: Sendable {
    /// Light of every code, 0…65535; white has room above it.
    package let light: [UInt16]
    /// The nearest code of every light.
    package let code: [UInt16]

    package init(_ color: ColorDescription, bitDepth: Int, height: Int) {
        let known = color.resolved(height: height), transfer = known.transfer
        let step = Double(1 << (bitDepth - 8)), most = (1 << bitDepth) - 1
        let black = known.range == .full ? 0 : 16 * step
        let span = known.range == .full ? Double(most) : 219 * step
        // The brightest code stays within 16 bits.
        let peak = Self.linear((Double(most) - black) / span, transfer)
        let linear = (0...most).map { Self.linear(max(0, (Double($0) - black) / span), transfer) / peak * 65535 }
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

    /// Light of a signal, 1 for nominal white; H.273 TransferCharacteristics.
    private static func linear(_ v: Double, _ transfer: UInt8) -> Double {
        switch transfer {
        case 4: return pow(v, 2.2)
        case 5: return pow(v, 2.8)
        case 8: return v
        case 7: return v < 0.0913 ? v / 4 : pow((v + 0.1115) / 1.1115, 1 / 0.45)
        case 13: return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
        case 16:
            let p = pow(v, 32 / 2523.0)
            return pow(max(0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
        case 18:
            return v <= 0.5 ? v * v / 3 : (exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12
        default: return v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45)
        }
    }
}
