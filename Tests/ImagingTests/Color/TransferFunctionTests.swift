import FrameCore
import Imaging
import Testing

@Suite struct TransferFunctionTests {
    /// Values from BT.2408 and ST 2084: diffuse white at 203 cd/m² is a PQ signal of 58 %, 100 cd/m² is 50.8 %.
    @Test(arguments: [
        (0.0, 0.0), (0.1, 0.0623), (10.0, 0.2997), (100.0, 0.5081), (203.0, 0.5807), (1000.0, 0.7518), (10_000.0, 1.0),
    ])
    func pqHasItsPublishedValues(_ light: Double, _ signal: Double) {
        #expect(abs(TransferFunction.inversePQ(light / 10_000) - signal) < 0.0001)
        #expect(abs(TransferFunction.inversePQ(Float(light / 10_000)) - Float(signal)) < 0.0001)
    }

    @Test func pqLeadsBack() {
        for step in 0...1000 {
            let signal = Double(step) / 1000
            #expect(abs(TransferFunction.inversePQ(TransferFunction.pq(signal)) - signal) < 1e-6)
            let single = Float(signal)
            #expect(abs(TransferFunction.inversePQ(TransferFunction.pq(single)) - single) < 2e-4)
        }
    }

    /// BT.2100: a signal of 50 % is 1/12 of the light; 75 % is diffuse white at 26.5 %.
    @Test(arguments: [(0.0, 0.0), (0.25, 1.0 / 48), (0.5, 1.0 / 12), (0.75, 0.2650), (1.0, 1.0)])
    func hlgHasItsPublishedValues(_ signal: Double, _ light: Double) {
        #expect(abs(TransferFunction.hlg(signal) - light) < 0.0001)
    }

    @Test(arguments: [
        (TransferCharacteristics.bt709, 0.5, 0.2596), (.smpte170M, 0.5, 0.2596), (.bt2020TenBit, 0.5, 0.2596),
        (.bt709, 0.0405, 0.009), (.gamma22, 0.5, 0.2176), (.gamma28, 0.5, 0.1436), (.linear, 0.3, 0.3),
        (.sRGB, 0.5, 0.2140), (.sRGB, 0.02, 0.001548), (.smpte240M, 0.5, 0.2650), (.smpte240M, 0.04, 0.01),
        (.unspecified, 0.5, 0.2596),
    ])
    func curvesHaveTheirPublishedValues(_ transfer: TransferCharacteristics, _ signal: Double, _ light: Double) {
        #expect(abs(TransferFunction.light(signal, transfer) - light) < 0.0001)
    }

    /// The pieces of a function join without a step, except for the rounding of BT.709's constants. Black is 0, white
    /// is 1.
    @Test(arguments: [
        TransferCharacteristics.bt709, .gamma22, .gamma28, .smpte240M, .linear, .sRGB, .pq, .hlg,
    ])
    func curvesRiseWithoutSteps(_ transfer: TransferCharacteristics) {
        #expect(abs(TransferFunction.light(0.0, transfer)) < 1e-9)
        #expect(abs(TransferFunction.light(1.0, transfer) - 1) < 1e-6)
        var last = 0.0
        for step in 1...10_000 {
            let light = TransferFunction.light(Double(step) / 10_000, transfer)
            #expect(light >= last - 0.00005 && light - last < 0.002)
            last = light
        }
    }
}

@Suite struct LinearLightTableTests {
    /// Every code value from black to white survives a round trip, so that samples that are not blurred keep their
    /// value.
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
