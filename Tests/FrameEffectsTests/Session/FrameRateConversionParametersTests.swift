import FrameCore
import FrameEffects
import TestSupport
import Testing

@Suite struct FrameRateConversionParametersTests {
    @Test(arguments: [
        [Float](), [-0.01], [1.01], [.nan], [.infinity], [0.5, -1],
    ])
    func refusesPhases(phases: [Float]) throws {
        let error = #expect(throws: FrameProcessorError.self) { try sessionParameters(phases: phases) }
        #expect(error?.code == .invalidParameterError)
    }

    @Test func takesPhasesInAnyOrder() throws {
        #expect(try sessionParameters(phases: [1, 0, 0.5, 0.25, 0.5]).interpolationPhase == [1, 0, 0.5, 0.25, 0.5])
    }

    @Test func namesWhatDoesNotFit() throws {
        let source = try sessionFrame(0), next = try sessionFrame(1)
        func make(
            next other: FrameProcessorFrame? = nil, phases: [Float] = [0.5], to: [FrameProcessorFrame]
        ) -> FrameProcessorError? {
            #expect(throws: FrameProcessorError.self) {
                try FrameRateConversionParameters(
                    sourceFrame: source, nextFrame: other ?? next, interpolationPhase: phases, submissionMode: .random,
                    destinationFrames: to)
            }
        }
        let target = try sessionFrame(5)
        let format = try PixelFormat(subsampling: .yuv444, bitDepth: 10)
        #expect(
            make(next: try sessionFrame(1, width: 66), to: [target])?.message
                == "the next frame is 66x48 yuv420p, the source frame 64x48 yuv420p; both must be alike")
        #expect(make(next: try sessionFrame(1, format: format), to: [target])?.code == .unsupportedInput)
        #expect(make(to: [try sessionFrame(5, format: format)])?.code == .unsupportedInput)
        #expect(make(to: [])?.code == .invalidParameterError)
        #expect(make(phases: [0.2, 0.4], to: [target])?.code == .invalidParameterError)
        #expect(make(phases: [0.2, 0.4], to: [target, target])?.code == .invalidParameterError)
        #expect(make(to: [source])?.code == .invalidParameterError)
        #expect(make(next: source, to: [target])?.code == .invalidParameterError)
        for time: Int64 in [0, -1] {
            #expect(make(next: try sessionFrame(time), to: [target])?.code == .invalidFrameTiming)
        }
    }
}
