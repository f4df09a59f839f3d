package import FrameCore
internal import Glibc

/// Numbers that transfer functions are computed in.
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

/// Light of a signal, by the transfer characteristics of ITU-T H.273.
package enum TransferFunction {
    /// Light of a signal of 0…1; 1 stands for nominal white, for 10 000 cd/m² in PQ.
    ///
    /// Where the function describes a camera (BT.709, HLG …) the light is the scene's.
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

    /// SMPTE ST 2084: light of a signal, in 10 000 cd/m².
    package static func pq<Number: TransferNumber>(_ signal: Number) -> Number {
        let p = Number.power(max(0, signal), 1 / 78.84375)
        return Number.power(max(0, p - 0.8359375) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    /// SMPTE ST 2084: the signal of a light, in 10 000 cd/m².
    package static func inversePQ<Number: TransferNumber>(_ light: Number) -> Number {
        let l = Number.power(max(0, light), 0.1593017578125)
        return Number.power((0.8359375 + 18.8515625 * l) / (1 + 18.6875 * l), 78.84375)
    }

    /// ITU-R BT.2100 HLG: scene light of a signal.
    package static func hlg<Number: TransferNumber>(_ signal: Number) -> Number {
        let v = signal
        return v <= 0.5 ? v * v / 3 : (Number.exponential((v - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}

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
