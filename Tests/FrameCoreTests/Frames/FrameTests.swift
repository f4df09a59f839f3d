import FrameCore
import TestSupport
import Testing

@Suite struct FrameTests {
    private let captions = SideData.Entry(kind: "captions", code: 4, bytes: [1, 2], isOfThisPictureOnly: true)
    private let mastering = SideData.Entry(kind: "mastering", code: 11, bytes: [3])

    @Test func madeFramesCarryWhatDescribesPictures() {
        let data = SideData([captions, mastering, captions])
        #expect(data.forMadeFrames == SideData([mastering]))
        #expect(!data.isEmpty && SideData([captions]).forMadeFrames.isEmpty && SideData().isEmpty)
    }

    @Test func otherSamplesKeepTheRest() throws {
        let frame = Frame(
            buffer: try GeneratedPicture.flat(10), presentationTime: .zero,
            duration: MediaTime(value: 1, timescale: 25), sampleAspectRatio: Rational(4, 3), fieldOrder: .topFirst,
            isDamaged: true, sideData: SideData([mastering]))
        let other = try GeneratedPicture.flat(20, width: 32)
        let time = MediaTime(value: 3, timescale: 50)
        let made = frame.replacing(buffer: other, presentationTime: time, duration: nil)
        #expect(made.buffer.hasSameSamples(as: other) && made.presentationTime == time && made.duration == nil)
        #expect(made.color == frame.color && made.sampleAspectRatio == Rational(4, 3))
        #expect(made.isInterlaced && made.fieldOrder == .topFirst && made.isDamaged && made.sideData == frame.sideData)
        #expect(frame.buffer.width == 64 && frame.duration != nil)
    }

    @Test(arguments: [(16, 16, true), (8192, 8192, true), (15, 16, false), (16, 8193, false), (0, 0, false)])
    func workingSizes(width: Int, height: Int, isAllowed: Bool) throws {
        #expect(WorkingSize.contains(width, height) == isAllowed)
        guard !isAllowed else { return try WorkingSize.check(width, height, of: "flows") }
        let error = #expect(throws: FrameError.self) {
            try WorkingSize.check(width, height, of: "flows", file: "a.flo")
        }
        #expect(error?.code == .unsupportedSize)
        #expect(
            error?.description == "a.flo: \(width)x\(height) is not supported; flows must be 16x16 to 8192x8192")
    }
}
