import FrameCore
import FrameEffects
import Foundation
import TestSupport
import Testing

/// Calls whose frames do not match the session.
@Suite struct FrameProcessorInputTests {
    @Test(arguments: [(80, 48), (64, 50), (48, 64), (16, 16)])
    func framesOfAnotherSession(width: Int, height: Int) async throws {
        let processor = try startedProcessor()
        let parameters = try sessionParameters(width: width, height: height)
        let before = try parameters.destinationFrames[0].buffer
        let error = await failure(processor, parameters) as? FrameProcessorError
        #expect(error?.code == .unsupportedInput)
        #expect(error?.message == "the source frame is \(width)x\(height); this session takes 64x48")
        #expect(try parameters.destinationFrames[0].buffer.hasSameSamples(as: before))
        try await expectUsable(processor)
    }

    @Test func destinationsOfAnotherSession() async throws {
        let processor = try scriptedProcessor()
        let parameters = ScriptedParameters(
            sourceFrame: try sessionFrame(0), destinationFrames: [try sessionFrame(1), try sessionFrame(2, width: 128)])
        let error = await failure(processor, parameters) as? FrameProcessorError
        #expect(error?.code == .unsupportedInput)
        #expect(error?.message == "a destination frame is 128x48; this session takes 64x48")
    }

    @Test func parametersOfAnotherSession() async throws {
        let processor = try startedProcessor()
        let error =
            await failure(processor, ScriptedParameters(sourceFrame: try sessionFrame(0))) as? FrameProcessorError
        #expect(error?.code == .invalidParameterError)
        #expect(
            error?.message
                == "ScriptedParameters do not match this session; it takes FrameRateConversionParameters")
        try await expectUsable(processor)
    }

    /// A pixel format read from a file may contain any value.
    @Test(arguments: [7, 17, 20])
    func formatsOutOfRange(bitDepth: Int) async throws {
        let format = try JSONDecoder().decode(
            PixelFormat.self, from: Data(#"{"subsampling": "monochrome", "bitDepth": \#(bitDepth)}"#.utf8))
        func frame(_ time: Int64) throws -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: try PixelBuffer(format: format, width: 64, height: 48),
                presentationTimeStamp: MediaTime(value: time, timescale: 1))
        }
        let parameters = try FrameRateConversionParameters(
            sourceFrame: frame(0), nextFrame: frame(1), interpolationPhase: [0.5], submissionMode: .random,
            destinationFrames: [frame(2)])
        let processor = try startedProcessor()
        let error = await failure(processor, parameters) as? FrameProcessorError
        #expect(error?.code == .unsupportedInput)
        #expect(
            error?.message.hasPrefix("pixel format gray\(bitDepth) is not supported; allowed are gray, yuv420p, ")
                == true)
        try await expectUsable(processor)
    }

    @Test func orderViolationsLeaveTheSession() async throws {
        let processor = try startedProcessor()
        try await run(processor, sessionParameters(at: 5, mode: .sequential))
        let violations: [(Int64, SubmissionMode)] = [
            (5, .sequential), (4, .sequential), (6, .sequentialReferencesUnchanged),
        ]
        for (time, mode) in violations {
            let error = await failure(processor, try sessionParameters(at: time, mode: mode)) as? FrameProcessorError
            #expect(error?.code == .invalidFrameTiming)
            // The refused call has no effect: the call before it is still the latest.
            #expect(await failure(processor, try sessionParameters(at: 5, mode: .sequentialReferencesUnchanged)) == nil)
        }
        try await run(processor, sessionParameters(at: 6, mode: .sequential))
        try await expectUsable(processor)
        #expect(
            (await failure(processor, try sessionParameters(at: -1, mode: .sequential)) as? FrameProcessorError)?
                .message
                == "the source frame at -1.000000 s is not later than the previous one at 0.000000 s; submit a jump as random"
        )
    }
}
