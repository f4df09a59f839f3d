import FrameEffects
import Testing

/// Checks whether the effect is supported, configures it, and starts and ends a session.
@Suite struct CreateSession {
    /// The ported program.
    private func startSession(_ processor: FrameProcessor, frameWidth: Int, frameHeight: Int) throws {
        guard FrameRateConversionConfiguration.isSupported else { return }
        let configuration = try FrameRateConversionConfiguration(
            frameWidth: frameWidth, frameHeight: frameHeight, usePrecomputedFlow: false, qualityPrioritization: .normal,
            revision: .revision1)
        try processor.startSession(configuration: configuration)
    }

    @Test func startsEndsAndStartsAgain() async throws {
        let processor = FrameProcessor()
        try startSession(processor, frameWidth: 640, frameHeight: 360)
        let second = #expect(throws: FrameProcessorError.self) {
            try startSession(processor, frameWidth: 320, frameHeight: 180)
        }
        #expect(second?.code == .sessionAlreadyActive)
        processor.endSession()
        try startSession(processor, frameWidth: 320, frameHeight: 180)
        processor.endSession()
    }

    /// Where VideoToolbox's initialiser returns nil, ours throws an error that gives the reason.
    @Test func aRefusalHasAReason() throws {
        let refusal = #expect(throws: FrameProcessorError.self) {
            try startSession(FrameProcessor(), frameWidth: 8, frameHeight: 360)
        }
        #expect(refusal?.code == .unsupportedResolution)
        #expect(refusal?.message.contains("8x360") == true)
    }
}
