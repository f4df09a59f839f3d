import FrameCore
import Imaging
import Testing

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
