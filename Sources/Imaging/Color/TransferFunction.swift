package import FrameCore
internal import Glibc

/// Floating-point types for which transfer functions are computed.
package protocol TransferNumber: BinaryFloatingPoint {
    static func power(_ base: Self, _ exponent: Self) -> Self
    static func exponential(_ x: Self) -> Self
}

extension Float: TransferNumber {
    package static func power(_ base: Float, _ exponent: Float) -> Float { pow(base, exponent) }
    package static func exponential(_ x: Float) -> Float { exp(x) }
}

extension Double: TransferNumber {
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    package static func exponential(_ x: Double) -> Double { exp(x) }
}

/// Conversions between signal and light with the transfer characteristics of ITU-T H.273.
package enum TransferFunction {
    /// Returns the light for a signal of 0…1. A light of 1 is nominal white, or 10 000 cd/m² with PQ.
    ///
    /// For transfer functions that describe a camera, such as BT.709 and HLG, it is scene light.
    package static func light<Number: TransferNumber>(
        _ signal: Number, _ transfer: TransferCharacteristics
    ) -> Number {
        let v = signal
        switch transfer {
        case .gamma22: return Number.power(v, 2.2)
        case .gamma28: return Number.power(v, 2.8)
        case .linear: return v
        case .smpte240M: return v < 0.0913 ? v / 4 : Number.power((v + 0.1115) / 1.1115, 1 / 0.45)
        case .sRGB: return v <= 0.04045 ? v / 12.92 : Number.power((v + 0.055) / 1.055, 2.4)
        case .pq: return pq(v)
        case .hlg: return hlg(v)
        default: return v < 0.081 ? v / 4.5 : Number.power((v + 0.099) / 1.099, 1 / 0.45)
        }
    }

    /// SMPTE ST 2084: returns the light for a signal, in units of 10 000 cd/m².
    package static func pq<Number: TransferNumber>(_ signal: Number) -> Number {
        let p = Number.power(max(0, signal), 1 / 78.84375)
        return Number.power(max(0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    /// SMPTE ST 2084: returns the signal for light in units of 10 000 cd/m².
    package static func inversePQ<Number: TransferNumber>(_ light: Number) -> Number {
        let l = Number.power(max(0, light), 0.1593017578125)
        return Number.power((0.8359375 + 18.8515625 * l) / (1 + 18.6875 * l), 78.84375)
    }

    /// ITU-R BT.2100 HLG: returns the scene light for a signal.
    package static func hlg<Number: TransferNumber>(_ signal: Number) -> Number {
        let v = signal
        return v <= 0.5 ? v * v / 3 : (Number.exponential((v - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}

/// Tables that convert luma codes to linear light and back, using an image's tagged transfer characteristics.
///
/// For transfer functions that describe a camera, such as BT.709 and HLG, this is scene light, which is what a shutter
/// admits.
package struct LinearLightTable: Sendable {
    /// The light of each code, 0…65535, with headroom above white.
    package let light: [UInt16]
    /// The code whose light is nearest to each light value.
    package let code: [UInt16]

    package init(_ color: ColorDescription, bitDepth: Int, height: Int) {
        let known = color.resolved(height: height), transfer = known.transfer
        let range = CodeRange(known.range, bitDepth: bitDepth), most = (1 << bitDepth) - 1
        let black = Double(range.black), span = Double(range.lumaSpan)
        func signal(_ code: Int) -> Double { (Double(code) - black) / span }
        // Normalizing by the brightest code keeps all light within 16 bits.
        let peak = TransferFunction.light(signal(most), transfer)
        let linear = (0...most).map { TransferFunction.light(max(0, signal($0)), transfer) / peak * 65535 }
        let codeLight = Self.keepingDarkCodesApart(linear, black: black)
        light = codeLight.map { UInt16(min(65535, max(0, $0.rounded()))) }
        var codes = [UInt16](repeating: 0, count: 65536), at = 0
        for level in 0...65535 {
            // Codes below black all map to light 0; the highest of equal ones is black itself.
            while at < most, abs(codeLight[at + 1] - Double(level)) <= abs(codeLight[at] - Double(level)) { at += 1 }
            codes[level] = UInt16(at)
        }
        code = codes
    }

    /// Makes the curve steep enough to keep dark codes distinct: with PQ and pure power functions they are closer
    /// together than 16 bits of light can resolve.
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
