import FrameCore
import Imaging
import Testing

@Suite struct LinearLightTableTests {
    /// Every code from black to white leads back to itself, so that what is not blurred keeps its value.
    @Test(arguments: [TransferCharacteristics.bt709, .sRGB, .gamma28, .linear, .pq, .hlg], [8, 10, 12])
    func codesLeadBack(_ transfer: TransferCharacteristics, _ depth: Int) {
        for range in [ColorDescription.Range.limited, .full] {
            let table = LinearLightTable(
                ColorDescription(transfer: transfer, range: range), bitDepth: depth, height: 720)
            let codes = CodeRange(range, bitDepth: depth)
            #expect(table.light.count == 1 << depth && table.code.count == 65536)
            #expect(table.light.last == 65535)
            for code in codes.black...codes.black + codes.lumaSpan {
                #expect(Int(table.code[Int(table.light[code])]) == code)
            }
        }
    }
}
