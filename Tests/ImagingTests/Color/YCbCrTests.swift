import FrameCore
import Imaging
import Testing

@Suite struct LumaCoefficientsTests {
    @Test(arguments: [
        (MatrixCoefficients.bt709, LumaCoefficients.bt709), (.bt2020NonConstantLuminance, .bt2020),
        (.bt2020ConstantLuminance, .bt2020), (.bt470BG, .bt601), (.smpte170M, .bt601), (.smpte240M, .smpte240M),
        (.fcc, .fcc), (.unspecified, .bt601), (.identity, .bt601),
    ])
    func matricesHaveTheirCoefficients(_ matrix: MatrixCoefficients, _ wanted: LumaCoefficients) {
        #expect(LumaCoefficients(matrix) == wanted)
        #expect(abs(wanted.red + wanted.green + wanted.blue - 1) < 1e-6)
    }

    /// The 100 % color bars of BT.709 in limited-range 8-bit code values, as listed in SMPTE RP 219.
    @Test(arguments: [
        (SIMD3<Float>(1, 1, 1), [235, 128, 128]), (SIMD3(1, 1, 0), [219, 16, 138]), (SIMD3(0, 1, 1), [188, 154, 16]),
        (SIMD3(0, 1, 0), [173, 42, 26]), (SIMD3(1, 0, 1), [78, 214, 230]), (SIMD3(1, 0, 0), [63, 102, 240]),
        (SIMD3(0, 0, 1), [32, 240, 118]), (SIMD3(0, 0, 0), [16, 128, 128]),
    ])
    func colorBarsHaveTheirCodes(_ rgb: SIMD3<Float>, _ codes: [Int]) {
        let range = CodeRange(.limited, bitDepth: 8), y = LumaCoefficients.bt709.yCbCr(rgb)
        #expect(Int((Float(range.black) + Float(range.lumaSpan) * y.x).rounded()) == codes[0])
        #expect(Int((Float(range.neutral) + Float(range.chromaSpan) * y.y).rounded()) == codes[1])
        #expect(Int((Float(range.neutral) + Float(range.chromaSpan) * y.z).rounded()) == codes[2])
        let back = LumaCoefficients.bt709.rgb(y.x, y.y, y.z)
        for index in 0..<3 { #expect(abs(back[index] - rgb[index]) < 1e-5) }
    }
}

@Suite struct CodeRangeTests {
    @Test(arguments: [
        (ColorDescription.Range.limited, 8, [16, 219, 128, 224]), (.unspecified, 8, [16, 219, 128, 224]),
        (.limited, 10, [64, 876, 512, 896]), (.limited, 16, [4096, 56064, 32768, 57344]),
        (.full, 8, [0, 255, 128, 255]), (.full, 12, [0, 4095, 2048, 4095]),
    ])
    func rangesHaveTheirCodes(_ range: ColorDescription.Range, _ depth: Int, _ codes: [Int]) {
        let found = CodeRange(range, bitDepth: depth)
        #expect([found.black, found.lumaSpan, found.neutral, found.chromaSpan] == codes)
    }
}

@Suite struct ChromaSitingTests {
    @Test(arguments: [
        (ColorDescription.ChromaLocation.left, -0.5, 0.0), (.unspecified, -0.5, 0.0), (.center, 0.0, 0.0),
        (.topLeft, -0.5, -0.5), (.top, 0.0, -0.5), (.bottomLeft, -0.5, 0.5), (.bottom, 0.0, 0.5),
    ])
    func locationsArePlaces(_ location: ColorDescription.ChromaLocation, _ horizontal: Double, _ vertical: Double) {
        let siting = location.siting
        #expect(siting.horizontal == horizontal && siting.vertical == vertical)
    }
}
