package import FrameCore
import Foundation

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
