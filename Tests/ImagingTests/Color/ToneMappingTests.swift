import FrameCore
import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct ToneMappingTests {
    private func mapped(_ light: [UInt16], _ color: ColorDescription, depth: Int = 10) throws -> [Int] {
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: depth)
        var buffer = try PixelBuffer(format: format, width: light.count, height: 1)
        try buffer.withOverwrittenPlanes { planes in
            for x in 0..<light.count {
                planes[0].row(0).storeBytes(of: light[x], toByteOffset: 2 * x, as: UInt16.self)
                for plane in 1...2 { planes[plane].row(0).storeBytes(of: 512, toByteOffset: 2 * x, as: UInt16.self) }
            }
        }
        let frame = Frame(buffer: buffer, presentationTime: .zero, color: color)
        let result = try ToneMapping.mapped(frame, context: .serial)
        for plane in 1...2 { #expect(result.buffer.samples(ofPlane: plane).allSatisfy { abs(Int($0) - 128) <= 1 }) }
        return result.buffer.samples(ofPlane: 0).map { Int($0) }
    }

    @Test func brightnessIsMappedInOrder() throws {
        let codes = Array(stride(from: UInt16(64), through: 940, by: 4))
        for transfer in [TransferCharacteristics.pq, .hlg] {
            let color = ColorDescription(
                matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: transfer, range: .limited)
            let luma = try mapped(codes, color)
            #expect(luma.first == 16)
            #expect(luma.last.map { $0 >= 234 } == true)
            #expect(zip(luma, luma.dropFirst()).allSatisfy { $0 <= $1 })
            // Highlights above diffuse white keep their differences: a value between 203 and 1000 cd/m² differs from
            // both.
            if transfer == .pq {
                let white = try mapped([64 + 876 * 58 / 100], color)[0],
                    brighter = try mapped([64 + 876 * 68 / 100], color)[0]
                #expect(white < brighter && brighter < 235, "\(white) \(brighter)")
                // Dark areas keep their luminance: 10 of 203 cd/m² is code value 16 + 219 (10/203)^(1/2.4).
                let dark = try mapped([64 + UInt16(876.0 * 0.3)], color)[0]
                #expect(abs(dark - 80) < 8, "\(dark)")
            }
        }
    }

    /// Linear BT.709 components of a color, given in cd/m² of BT.709 red, green and blue, after mapping from HDR10.
    private func shown(_ light: SIMD3<Double>) throws -> SIMD3<Double> {
        // From BT.709 to BT.2020 primaries.
        let wide = SIMD3(
            0.627404 * light.x + 0.329283 * light.y + 0.043313 * light.z,
            0.069097 * light.x + 0.919540 * light.y + 0.011362 * light.z,
            0.016391 * light.x + 0.088013 * light.y + 0.895595 * light.z)
        return try shown(wide: wide)
    }

    /// Like ``shown(_:)``, of a color in BT.2020 components.
    private func shown(wide: SIMD3<Double>) throws -> SIMD3<Double> {
        let code = (0..<3).map { Double(TransferFunction.inversePQ(Float(max(0, wide[$0]) / 10_000))) }
        let y = 0.2627 * code[0] + 0.6780 * code[1] + 0.0593 * code[2]
        let samples = [
            4096 + y * 56_064, 32_768 + (code[2] - y) / 1.8814 * 57_344, 32_768 + (code[0] - y) / 1.4746 * 57_344,
        ]
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: 16)
        var buffer = try PixelBuffer(format: format, width: 1, height: 1)
        try buffer.withOverwrittenPlanes { planes in
            for plane in 0..<3 {
                planes[plane].row(0).storeBytes(of: UInt16(samples[plane].rounded()), as: UInt16.self)
            }
        }
        let color = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited)
        let result = try ToneMapping.mapped(
            Frame(buffer: buffer, presentationTime: .zero, color: color), context: .serial
        ).buffer
        let out = (0..<3).map { Double(result.samples(ofPlane: $0)[0]) }
        let luma = (out[0] - 16) / 219
        let red = luma + 1.5748 * (out[2] - 128) / 224, blue = luma + 1.8556 * (out[1] - 128) / 224
        let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        func linear(_ value: Double) -> Double { value > 0 ? pow(value, 2.4) : 0 }
        return SIMD3(linear(red), linear(green), linear(blue))
    }

    /// Bright colors of BT.709 keep the proportions of their components: an orange wall is not peach.
    @Test(arguments: [
        SIMD3(600.0, 250, 60), SIMD3(150, 60, 20), SIMD3(900, 300, 90), SIMD3(80, 120, 500), SIMD3(60, 400, 90),
        SIMD3(900, 850, 800),
    ])
    func hueIsKept(light: SIMD3<Double>) throws {
        let found = try shown(light), most = found.max()
        for index in 0..<3 {
            #expect(abs(found[index] / most - light[index] / light.max()) < 0.04, "\(found) for \(light)")
        }
    }

    /// Colors outside BT.709 stay distinct, with their hue: none of their components becomes 0.
    @Test func colorsOutsideTheGamutAreNotClipped() throws {
        // From a color of BT.709 to the most saturated orange of BT.2020.
        let steps = stride(from: 0.0, through: 1, by: 0.125).map { SIMD3(500, 200 - 20 * $0, 40 * (1 - $0)) }
        let blue = try steps.map { try shown(wide: $0).z / shown(wide: $0).max() }
        #expect(blue.dropLast().allSatisfy { $0 > 0.001 }, "\(blue)")
        #expect(zip(blue, blue.dropFirst()).allSatisfy { $0 >= $1 - 0.002 }, "\(blue)")
        for wide in steps {
            let found = try shown(wide: wide)
            #expect(found.x > 2 * found.y && found.y > found.z, "\(found)")
        }
    }

    @Test func ordinaryPicturesNeedNothing() {
        #expect(!ToneMapping.isNeeded(ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709)))
        #expect(!ToneMapping.isNeeded(.unspecified))
        #expect(
            ToneMapping.isNeeded(
                ColorDescription(matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .bt2020TenBit)))
        #expect(
            ToneMapping.isNeeded(
                ColorDescription(matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .hlg)))
    }
}
