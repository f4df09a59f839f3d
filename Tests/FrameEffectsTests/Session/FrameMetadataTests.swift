import FrameEffects
import TestSupport
import Testing

/// The metadata of frames passes through a session.
@Suite struct FrameMetadataTests {
    private static let light = SideData.Entry(kind: "light", code: 1, bytes: [1])
    private static let caption = SideData.Entry(kind: "caption", code: 2, bytes: [2], isOfThisPictureOnly: true)
    private static let color = ColorDescription(
        matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq)

    private static func frame(_ time: Int64, dx: Int = 0) throws -> Frame {
        Frame(
            buffer: try GeneratedPicture.waves(.yuv420p8, width: 64, height: 48, dx: dx),
            presentationTime: MediaTime(value: time, timescale: 25), duration: MediaTime(value: 1, timescale: 25),
            color: color, sampleAspectRatio: Rational(8, 9), fieldOrder: .bottomFirst, isDamaged: true,
            sideData: SideData([light, caption]))
    }

    private static func target(
        _ time: MediaTime, duration: MediaTime? = nil, width: Int = 64, height: Int = 48
    ) throws -> FrameProcessorFrame {
        FrameProcessorFrame(
            Frame(
                buffer: try PixelBuffer(format: .yuv420p8, width: width, height: height), presentationTime: time,
                duration: duration))
    }

    private static func processed(
        _ configuration: any FrameProcessorConfiguration, _ parameters: any FrameProcessorParameters
    ) async throws -> [Frame] {
        let processor = FrameProcessor(context: .serial)
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        try await run(processor, parameters)
        return try parameters.destinationFrames.map { try $0.frame }
    }

    private static func expectSameMetadata(
        _ made: Frame, as source: Frame, _ sideData: SideData, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(made.color == source.color, sourceLocation: location)
        #expect(made.sampleAspectRatio == source.sampleAspectRatio, sourceLocation: location)
        #expect(made.fieldOrder == source.fieldOrder, sourceLocation: location)
        #expect(made.isDamaged == source.isDamaged, sourceLocation: location)
        #expect(made.sideData == sideData, sourceLocation: location)
    }

    @Test func aFrameComesBackAsItWas() throws {
        let frame = try Self.frame(3), wrapped = FrameProcessorFrame(frame), back = try wrapped.frame
        #expect(wrapped.presentationTimeStamp == frame.presentationTime && wrapped.duration == frame.duration)
        #expect(back.presentationTime == frame.presentationTime && back.duration == frame.duration)
        #expect(back.buffer.hasSameSamples(as: frame.buffer))
        Self.expectSameMetadata(back, as: frame, frame.sideData)
        let alone = FrameProcessorFrame(
            buffer: frame.buffer, presentationTimeStamp: frame.presentationTime, color: frame.color)
        #expect(try alone.frame.color == frame.color && alone.frame.sideData.isEmpty && alone.duration == nil)
    }

    @Test func framesBetweenCarryWhatIsNotOfOnePicture() async throws {
        let source = try Self.frame(0), next = try Self.frame(2, dx: 4)
        let time = MediaTime(value: 1, timescale: 25), duration = MediaTime(value: 1, timescale: 50)
        let made = try await Self.processed(
            FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48),
            FrameRateConversionParameters(
                sourceFrame: FrameProcessorFrame(source), nextFrame: FrameProcessorFrame(next),
                interpolationPhase: [0.5], submissionMode: .random,
                destinationFrames: [Self.target(time, duration: duration)]))
        #expect(made[0].presentationTime == time && made[0].duration == duration)
        Self.expectSameMetadata(made[0], as: source, SideData([Self.light]))
    }

    @Test func aFilteredFrameCarriesAll() async throws {
        let source = try Self.frame(1), before = try Self.frame(0)
        let made = try await Self.processed(
            TemporalNoiseFilterConfiguration(frameWidth: 64, frameHeight: 48, sourcePixelFormat: .yuv420p8),
            TemporalNoiseFilterParameters(
                sourceFrame: FrameProcessorFrame(source), nextFrames: [],
                previousFrames: [FrameProcessorFrame(before)], destinationFrame: Self.target(source.presentationTime)))
        Self.expectSameMetadata(made[0], as: source, source.sideData)
    }

    @Test func largerFramesKeepTheirShape() async throws {
        let source = try Self.frame(1)
        let made = try await Self.processed(
            SuperResolutionScalerConfiguration(
                frameWidth: 64, frameHeight: 48, outputWidth: 128, outputHeight: 48, inputType: .image),
            SuperResolutionScalerParameters(
                sourceFrame: FrameProcessorFrame(source), submissionMode: .random,
                destinationFrame: Self.target(source.presentationTime, width: 128)))
        #expect(made[0].sampleAspectRatio == Rational(4, 9) && made[0].sideData == source.sideData)
    }

    @Test func theLargerSourceFrameIsNoFrameBetween() async throws {
        let previous = try Self.frame(0), source = try Self.frame(2, dx: 4)
        let made = try await Self.processed(
            LowLatencyFrameInterpolationConfiguration(frameWidth: 64, frameHeight: 48, spatialScaleFactor: 2),
            LowLatencyFrameInterpolationParameters(
                sourceFrame: FrameProcessorFrame(source), previousFrame: FrameProcessorFrame(previous),
                interpolationPhase: [0.5],
                destinationFrames: [
                    Self.target(MediaTime(value: 1, timescale: 25), width: 128, height: 96),
                    Self.target(source.presentationTime, width: 128, height: 96),
                ]))
        Self.expectSameMetadata(made[0], as: source, SideData([Self.light]))
        Self.expectSameMetadata(made[1], as: source, source.sideData)
    }
}
