package import FrameCore

/// The luma weights of red, green and blue (Kr, Kg and Kb), which sum to 1.
package struct LumaCoefficients: Sendable, Hashable {
    package let red: Float
    package let green: Float
    package let blue: Float

    package static let bt601 = LumaCoefficients(red: 0.299, green: 0.587, blue: 0.114)
    package static let bt709 = LumaCoefficients(red: 0.2126, green: 0.7152, blue: 0.0722)
    package static let bt2020 = LumaCoefficients(red: 0.2627, green: 0.6780, blue: 0.0593)
    package static let smpte240M = LumaCoefficients(red: 0.212, green: 0.701, blue: 0.087)
    package static let fcc = LumaCoefficients(red: 0.30, green: 0.59, blue: 0.11)

    /// - Parameter matrix: an unknown or unspecified matrix counts as BT.601.
    package init(_ matrix: MatrixCoefficients) {
        switch matrix {
        case .bt709: self = .bt709
        case .bt2020NonConstantLuminance, .bt2020ConstantLuminance: self = .bt2020
        case .smpte240M: self = .smpte240M
        case .fcc: self = .fcc
        default: self = .bt601
        }
    }

    private init(red: Float, green: Float, blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The divisor that scales red minus luma to −0.5…0.5.
    var redScale: Float { 2 * (1 - red) }
    /// The divisor that scales blue minus luma to −0.5…0.5.
    var blueScale: Float { 2 * (1 - blue) }

    /// Returns the luma of red, green and blue.
    package func luma(_ rgb: SIMD3<Float>) -> Float { red * rgb.x + green * rgb.y + blue * rgb.z }

    /// Returns red, green and blue from luma and the two color differences, which are −0.5…0.5.
    package func rgb(_ y: Float, _ cb: Float, _ cr: Float) -> SIMD3<Float> {
        let r = y + redScale * cr, b = y + blueScale * cb
        return SIMD3(r, (y - red * r - blue * b) / (1 - red - blue), b)
    }

    /// Returns luma and the two color differences of red, green and blue.
    package func yCbCr(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
        let y = luma(rgb)
        return SIMD3(y, (rgb.z - y) / blueScale, (rgb.x - y) / redScale)
    }
}

/// The code values of black, white and neutral chroma for a range and bit depth.
package struct CodeRange: Sendable, Hashable {
    /// The luma code of black.
    package let black: Int
    /// The luma code of white minus that of black.
    package let lumaSpan: Int
    /// The chroma code of neutral gray.
    package let neutral: Int
    /// The largest chroma code minus the smallest.
    package let chromaSpan: Int

    /// - Parameter range: unspecified counts as limited.
    package init(_ range: ColorDescription.Range, bitDepth: Int) {
        let unit = 1 << (bitDepth - 8), isFull = range == .full, most = (1 << bitDepth) - 1
        black = isFull ? 0 : 16 * unit
        lumaSpan = isFull ? most : 219 * unit
        neutral = 128 * unit
        chromaSpan = isFull ? most : 224 * unit
    }
}

extension ColorDescription.ChromaLocation {
    /// The position of a chroma sample among the luma samples it covers: −0.5 at the first, 0.5 at the second. An
    /// unspecified location counts as left.
    package var siting: (horizontal: Double, vertical: Double) {
        switch self {
        case .unspecified, .left: (-0.5, 0)
        case .center: (0, 0)
        case .topLeft: (-0.5, -0.5)
        case .top: (0, -0.5)
        case .bottomLeft: (-0.5, 0.5)
        case .bottom: (0, 0.5)
        }
    }
}
