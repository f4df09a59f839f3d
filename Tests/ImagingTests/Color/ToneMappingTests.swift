import FrameCore
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
        let result = try ToneMapping.mapped(frame)
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
