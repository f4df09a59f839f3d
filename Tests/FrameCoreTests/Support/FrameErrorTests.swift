import FrameCore
import Testing

@Suite struct FrameErrorTests {
    @Test func placeMessageAndCauseAreOneLine() {
        let cause = FrameError(.decode, "a slice is missing", at: .init(time: MediaTime(value: 1, timescale: 2)))
        let error = FrameError(
            .input, "nothing decodes", at: .init(file: "in.mp4", stream: 2, time: MediaTime(value: 1, timescale: 25)),
            cause: cause)
        #expect(
            error.description
                == "in.mp4: stream 2: at 0.040000 s: nothing decodes (at 0.500000 s: a slice is missing)")
    }

    @Test func unknownPartsAreLeftOut() {
        #expect(FrameError(.output, "the disk is full").description == "the disk is full")
        #expect(FrameError(.output, "full", at: .init(file: "a")).description == "a: full")
        #expect(FrameError(.output, "full", at: .init(stream: 0)).description == "stream 0: full")
    }

    @Test func codesHaveNames() {
        let codes: [FrameError.Code] = [
            .invalidArgument, .unsupportedFormat, .unsupportedSize, .allocation, .input, .output, .decode, .encode,
        ]
        #expect(
            codes.map(\.name) == [
                "invalidArgument", "unsupportedFormat", "unsupportedSize", "allocation", "input", "output", "decode",
                "encode",
            ])
        #expect(Set(codes).count == codes.count)
    }
}
