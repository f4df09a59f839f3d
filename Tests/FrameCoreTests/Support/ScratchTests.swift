import FrameCore
import Testing

@Suite struct ScratchTests {
    @Test func elementsStayUntilTheEndOfTheScope() {
        let scratch = Scratch<Int32>(1000, filledWith: 7), base = scratch.base
        let others = (0..<100).map { [Int32](repeating: $0, count: 1000) }
        #expect((0..<1000).allSatisfy { base[$0] == 7 } && others.count == 100)
        scratch[999] = 8
        #expect(base[999] == 8 && scratch.count == 1000)
        #expect(Scratch<UInt8>(0).count == 0)
    }

    @Test func kernelsAreChosenByDepth() throws {
        let pair = KernelPair("bytes", "words")
        for depth in 8...16 {
            let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
            let wanted = depth == 8 ? "bytes" : "words"
            #expect(pair[bitDepth: depth] == wanted && pair[bytesPerSample: format.bytesPerSample] == wanted)
            #expect((format.sampleType == UInt8.self) == (depth == 8))
        }
    }
}
