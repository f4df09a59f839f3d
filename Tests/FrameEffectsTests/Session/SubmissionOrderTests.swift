import FrameCore
import FrameEffects
import Testing

@Suite struct SubmissionOrderTests {
    private func frames(_ previous: Int64?, _ source: Int64, _ next: Int64?) throws -> CallFrames {
        CallFrames(
            source: try sessionFrame(source), previous: try previous.map { [try sessionFrame($0)] } ?? [],
            next: try next.map { [try sessionFrame($0)] } ?? [])
    }

    /// Returns the relation of a call to the one before it.
    private func relation(_ first: CallFrames, _ second: CallFrames, _ mode: SubmissionMode = .sequential) throws
        -> PairRelation
    {
        var order = SubmissionOrder()
        #expect(try order.relation(.sequential, of: first) == .none)
        order.succeeded(first)
        return try order.relation(mode, of: second)
    }

    @Test func linksOfEachKindOfEffect() throws {
        // Frame-rate conversion and flow use the next frame, upscaling the previous one, motion blur both.
        #expect(try relation(frames(nil, 0, 1), frames(nil, 1, 2)) == .follows)
        #expect(try relation(frames(nil, 0, nil), frames(0, 1, nil)) == .follows)
        #expect(try relation(frames(nil, 0, 1), frames(0, 1, 2)) == .follows)
        #expect(try relation(frames(0, 1, 2), frames(1, 2, nil)) == .follows)
        #expect(try relation(frames(nil, 0, 1), frames(nil, 1, 2), .random) == .none)
    }

    @Test func gapsAreNotBridged() throws {
        #expect(try relation(frames(nil, 0, 1), frames(nil, 2, 3)) == .none)
        #expect(try relation(frames(nil, 0, nil), frames(1, 2, nil)) == .none)
    }

    @Test func unchangedMeansAllFrames() throws {
        let mode = SubmissionMode.sequentialReferencesUnchanged
        #expect(try relation(frames(nil, 0, 1), frames(nil, 0, 1), mode) == .samePair)
        for other in try [frames(nil, 0, 2), frames(nil, 1, 2), frames(-1, 0, 1), frames(nil, 0, nil)] {
            #expect(throws: FrameProcessorError.self) { try relation(frames(nil, 0, 1), other, mode) }
        }
        let error = #expect(throws: FrameProcessorError.self) {
            try SubmissionOrder().relation(mode, of: frames(nil, 0, 1))
        }
        #expect(error?.code == .invalidFrameTiming)
    }

    @Test func timesMustGrow() throws {
        for source: Int64 in [5, 4, -100, .min] {
            let error = #expect(throws: FrameProcessorError.self) {
                try relation(frames(nil, 5, 6), frames(nil, source, nil))
            }
            #expect(error?.code == .invalidFrameTiming)
        }
    }

    @Test func nothingIsBuiltOnAfterAReset() throws {
        var order = SubmissionOrder()
        order.succeeded(try frames(nil, 5, 6))
        order.reset()
        #expect(try order.relation(.sequential, of: frames(nil, 1, 2)) == .none)
    }

    @Test func equalTimesMatchOnAnyTimescale() throws {
        func frame(_ value: Int64, _ scale: Int32) throws -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: try sessionFrame(0).buffer, presentationTimeStamp: MediaTime(value: value, timescale: scale))
        }
        let first = CallFrames(source: try frame(0, 1), next: [try frame(1001, 24000)])
        let second = CallFrames(source: try frame(2002, 48000), next: [try frame(2002, 24000)])
        #expect(try relation(first, second) == .follows)
    }

    @Test func modesOfEffectsWithoutPhases() throws {
        try SubmissionMode.random.checkWithoutUnchanged()
        try SubmissionMode.sequential.checkWithoutUnchanged()
        let error = #expect(throws: FrameProcessorError.self) {
            try SubmissionMode.sequentialReferencesUnchanged.checkWithoutUnchanged()
        }
        #expect(error?.code == .invalidParameterError)
    }
}
