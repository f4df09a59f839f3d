import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

@Suite struct RevisionChecksumTests {
    /// Two objects with different motion, one of which covers part of the other.
    private static let scene: MovingScene = {
        let back = NoiseTexture.planes(5), front = NoiseTexture.planes(8)
        return MovingScene { plane, x, y, t in
            let fx = x - 40 - 6 * t, fy = y - 30 - 2.5 * t
            return fx >= 0 && fx < 48 && fy >= 0 && fy < 36
                ? front[plane].value(fx, fy) : back[plane].value(x + 1.75 * t, y - 0.5 * t)
        }
    }()

    /// One size on each side of 640×480, above which `normal` uses a smaller picture.
    private static let sizes = [FrameDimensions(width: 176, height: 121), FrameDimensions(width: 720, height: 500)]

    private static func frame(_ time: Int64, _ format: PixelFormat, _ size: FrameDimensions) throws
        -> FrameProcessorFrame
    {
        FrameProcessorFrame(
            buffer: try scene.picture(Float(time), format, width: size.width, height: size.height),
            presentationTimeStamp: MediaTime(value: time, timescale: 25))
    }

    /// The checksum of the pictures that a session makes between three drawn frames, in order.
    private func frameRateConversion(
        _ revision: FrameRateConversionConfiguration.Revision, _ quality: QualityPrioritization, _ format: PixelFormat,
        _ size: FrameDimensions, threads: Int
    ) async throws -> UInt64 {
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(
            configuration: FrameRateConversionConfiguration(
                frameWidth: size.width, frameHeight: size.height, qualityPrioritization: quality, revision: revision))
        defer { processor.endSession() }
        func frame(_ time: Int64) throws -> FrameProcessorFrame { try Self.frame(time, format, size) }
        let sources = try (0..<3).map { try frame($0) }
        var sum: UInt64 = 0
        for pair in 0..<2 {
            let targets = try (0..<2).map { try frame(Int64($0)) }
            let parameters = try FrameRateConversionParameters(
                sourceFrame: sources[pair], nextFrame: sources[pair + 1], interpolationPhase: [0.25, 0.5],
                submissionMode: pair == 0 ? .random : .sequential, destinationFrames: targets)
            try await run(processor, parameters)
            for target in targets { sum = sum &* 31 &+ (try target.buffer.checksum) }
        }
        return sum
    }

    /// The checksum of the flow file for two drawn frames and the next two.
    private func opticalFlow(
        _ revision: OpticalFlowConfiguration.Revision, _ quality: QualityPrioritization, _ size: FrameDimensions,
        threads: Int
    ) async throws -> UInt64 {
        let configuration = try OpticalFlowConfiguration(
            frameWidth: size.width, frameHeight: size.height, qualityPrioritization: quality, revision: revision)
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let frames = try (0..<3).map { try Self.frame($0, .yuv420p8, size) }
        var sum: UInt64 = 0
        for pair in 0..<2 {
            let destination = try configuration.makeDestination()
            let parameters = try OpticalFlowParameters(
                sourceFrame: frames[pair], nextFrame: frames[pair + 1],
                submissionMode: pair == 0 ? .random : .sequential, destinationOpticalFlow: destination)
            try await run(processor, parameters)
            for byte in try destination.opticalFlow.encoded() { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return sum
    }

    /// The checksum of a noisy frame filtered with two neighbours on each side.
    private func noiseFilter(
        _ revision: TemporalNoiseFilterConfiguration.Revision, _ quality: QualityPrioritization, _ format: PixelFormat,
        _ size: FrameDimensions, threads: Int
    ) async throws -> UInt64 {
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(
            configuration: TemporalNoiseFilterConfiguration(
                frameWidth: size.width, frameHeight: size.height, sourcePixelFormat: format,
                qualityPrioritization: quality, revision: revision))
        defer { processor.endSession() }
        let clip = try NoisyClip(Self.scene, sigma: 9, count: 5, format, width: size.width, height: size.height)
        let frames = clip.noisy.enumerated().map {
            FrameProcessorFrame(buffer: $1, presentationTimeStamp: MediaTime(value: Int64($0), timescale: 25))
        }
        let target = try Self.frame(9, format, size)
        let parameters = try TemporalNoiseFilterParameters(
            sourceFrame: frames[2], nextFrames: Array(frames[3...]), previousFrames: Array(frames[..<2]),
            destinationFrame: target)
        try await run(processor, parameters)
        return try target.buffer.checksum
    }

    /// The checksum of three drawn frames blurred at full strength.
    private func motionBlur(
        _ revision: MotionBlurConfiguration.Revision, _ quality: QualityPrioritization, _ format: PixelFormat,
        _ size: FrameDimensions, threads: Int
    ) async throws -> UInt64 {
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(
            configuration: MotionBlurConfiguration(
                frameWidth: size.width, frameHeight: size.height, qualityPrioritization: quality, revision: revision))
        defer { processor.endSession() }
        let frames = try (0..<3).map { try Self.frame($0, format, size) }
        var sum: UInt64 = 0
        for index in 0..<3 {
            let target = try Self.frame(Int64(10 + index), format, size)
            let parameters = try MotionBlurParameters(
                sourceFrame: frames[index], nextFrame: index < 2 ? frames[index + 1] : nil,
                previousFrame: index > 0 ? frames[index - 1] : nil, motionBlurStrength: 100,
                submissionMode: index == 0 ? .random : .sequential, destinationFrame: target)
            try await run(processor, parameters)
            sum = sum &* 31 &+ (try target.buffer.checksum)
        }
        return sum
    }

    /// The checksum of both frames of each of three drawn frames, which are taken for interlaced.
    private func deinterlacer(
        _ revision: DeinterlacerConfiguration.Revision, _ quality: QualityPrioritization, _ format: PixelFormat,
        _ size: FrameDimensions, threads: Int
    ) async throws -> UInt64 {
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(
            configuration: DeinterlacerConfiguration(
                frameWidth: size.width, frameHeight: size.height, qualityPrioritization: quality, revision: revision))
        defer { processor.endSession() }
        let frames = try (0..<3).map { try Self.frame($0, format, size) }
        var sum: UInt64 = 0
        for index in 0..<3 {
            let targets = try (0..<2).map { try Self.frame(Int64(10 + 2 * index + $0), format, size) }
            let parameters = try DeinterlacerParameters(
                sourceFrame: frames[index], nextFrame: index < 2 ? frames[index + 1] : nil,
                previousFrame: index > 0 ? frames[index - 1] : nil, fieldOrder: .topFirst,
                submissionMode: index == 0 ? .random : .sequential, destinationFrame: targets[0],
                secondDestinationFrame: targets[1])
            try await run(processor, parameters)
            for target in targets { sum = sum &* 31 &+ (try target.buffer.checksum) }
        }
        return sum
    }

    /// The checksum of three upscaled drawn frames: as a video with previous and next frames, or as independent images.
    private func superResolution(
        _ revision: SuperResolutionScalerConfiguration.Revision, _ quality: QualityPrioritization,
        _ type: SuperResolutionScalerConfiguration.InputType, _ factor: Rational, _ format: PixelFormat, threads: Int
    ) async throws -> UInt64 {
        let size = Self.sizes[0]
        let configuration = try SuperResolutionScalerConfiguration(
            frameWidth: size.width, frameHeight: size.height, scaleFactor: factor, inputType: type,
            qualityPrioritization: quality, revision: revision)
        let large = FrameDimensions(width: configuration.outputWidth, height: configuration.outputHeight)
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let frames = try (0..<3).map { try Self.frame($0, format, size) }
        var sum: UInt64 = 0, latest: FrameProcessorFrame?
        for (index, source) in frames.enumerated() {
            let target = try Self.frame(Int64(10 + index), format, large)
            let parameters = try SuperResolutionScalerParameters(
                sourceFrame: source, previousFrame: latest == nil ? nil : frames[index - 1],
                previousOutputFrame: latest, nextFrame: type == .video && index < 2 ? frames[index + 1] : nil,
                submissionMode: index == 0 ? .random : .sequential, destinationFrame: target)
            try await run(processor, parameters)
            if type == .video { latest = target }
            sum = sum &* 31 &+ (try target.buffer.checksum)
        }
        return sum
    }

    /// Effects without revisions: the package version fixes their output bits.
    private func lowLatencyScaler(_ factor: Float, _ format: PixelFormat, threads: Int) async throws -> UInt64 {
        let size = Self.sizes[0]
        let configuration = try LowLatencySuperResolutionScalerConfiguration(
            frameWidth: size.width, frameHeight: size.height, scaleFactor: factor)
        let attributes = configuration.destinationPixelBufferAttributes
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let target = try Self.frame(9, format, FrameDimensions(width: attributes.width, height: attributes.height))
        try await run(
            processor,
            LowLatencySuperResolutionScalerParameters(
                sourceFrame: Self.frame(0, format, size), destinationFrame: target))
        return try target.buffer.checksum
    }

    private func lowLatencyInterpolation(
        _ configuration: LowLatencyFrameInterpolationConfiguration, _ format: PixelFormat, threads: Int
    ) async throws -> UInt64 {
        let size = FrameDimensions(width: configuration.frameWidth, height: configuration.frameHeight)
        let attributes = configuration.destinationPixelBufferAttributes
        let large = FrameDimensions(width: attributes.width, height: attributes.height)
        let processor = FrameProcessor(context: .init(threads: threads))
        try processor.startSession(configuration: configuration)
        defer { processor.endSession() }
        let frames = try (0..<3).map { try Self.frame($0, format, size) }
        let phases = configuration.interpolationPhases
        var sum: UInt64 = 0
        for pair in 0..<2 {
            let count = phases.count + (configuration.spatialScaleFactor > 1 ? 1 : 0)
            let targets = try (0..<count).map { try Self.frame(Int64($0), format, large) }
            try await run(
                processor,
                LowLatencyFrameInterpolationParameters(
                    sourceFrame: frames[pair + 1], previousFrame: frames[pair], interpolationPhase: phases,
                    destinationFrames: targets))
            for target in targets { sum = sum &* 31 &+ (try target.buffer.checksum) }
        }
        return sum
    }

    @Test func eachRevisionKeepsItsBits() async throws {
        var found: [(key: String, value: UInt64)] = []
        // The bits do not depend on the number of threads, so each is tried in turn.
        func note(_ key: String, _ value: (_ threads: Int) async throws -> UInt64) async throws {
            found.append((key, try await value(1 + found.count % 3)))
        }
        let formats = [PixelFormat.yuv420p8, try PixelFormat(subsampling: .yuv422, bitDepth: 10)]
        for (size, quality) in Self.sizes.flatMap({ size in QualityPrioritization.allCases.map { (size, $0) } }) {
            let suffix = size == Self.sizes[0] ? "" : " \(size.width)x\(size.height)"
            for revision in FrameRateConversionConfiguration.supportedRevisions {
                for format in formats {
                    try await note("frameRateConversion \(revision) \(quality) \(format)\(suffix)") { threads in
                        try await frameRateConversion(revision, quality, format, size, threads: threads)
                    }
                }
            }
            for revision in MotionBlurConfiguration.supportedRevisions {
                for format in formats {
                    try await note("motionBlur \(revision) \(quality) \(format)\(suffix)") { threads in
                        try await motionBlur(revision, quality, format, size, threads: threads)
                    }
                }
            }
            for revision in TemporalNoiseFilterConfiguration.supportedRevisions {
                for format in formats {
                    try await note("temporalNoiseFilter \(revision) \(quality) \(format)\(suffix)") { threads in
                        try await noiseFilter(revision, quality, format, size, threads: threads)
                    }
                }
            }
            for revision in DeinterlacerConfiguration.supportedRevisions {
                for format in formats {
                    try await note("deinterlacer \(revision) \(quality) \(format)\(suffix)") { threads in
                        try await deinterlacer(revision, quality, format, size, threads: threads)
                    }
                }
            }
            for revision in OpticalFlowConfiguration.supportedRevisions {
                try await note("opticalFlow \(revision) \(quality)\(suffix)") { threads in
                    try await opticalFlow(revision, quality, size, threads: threads)
                }
            }
        }
        for format in formats {
            for revision in SuperResolutionScalerConfiguration.supportedRevisions {
                for quality in QualityPrioritization.allCases {
                    for type in SuperResolutionScalerConfiguration.InputType.allCases {
                        for factor in [Rational(2, 1), Rational(5, 3)] {
                            let name = "\(revision) \(quality) \(type) \(factor) \(format)"
                            try await note("superResolution \(name)") { threads in
                                try await superResolution(revision, quality, type, factor, format, threads: threads)
                            }
                        }
                    }
                }
            }
            for factor in [1.5, 2] as [Float] {
                try await note("lowLatencyScaler \(factor) \(format)") { threads in
                    try await lowLatencyScaler(factor, format, threads: threads)
                }
            }
            for size in Self.sizes {
                let suffix = "\(format) \(size.width)x\(size.height)"
                try await note("lowLatencyInterpolation depth 2 \(suffix)") { threads in
                    try await lowLatencyInterpolation(
                        LowLatencyFrameInterpolationConfiguration(
                            frameWidth: size.width, frameHeight: size.height, numberOfInterpolatedFrames: 2), format,
                        threads: threads)
                }
            }
            try await note("lowLatencyInterpolation twice as large \(format)") { threads in
                try await lowLatencyInterpolation(
                    LowLatencyFrameInterpolationConfiguration(
                        frameWidth: Self.sizes[0].width, frameHeight: Self.sizes[0].height, spatialScaleFactor: 2),
                    format, threads: threads)
            }
        }
        let isKept = found.allSatisfy { RevisionChecksums.table[$0.key] == $0.value }
        let lines = found.map { "        \"\($0.key)\": 0x\(String($0.value, radix: 16, uppercase: true))," }
        #expect(
            isKept && RevisionChecksums.table.count == found.count,
            "these bits are new:\n\(lines.joined(separator: "\n"))")
    }

    @Test func theChecksumSeesEachSample() throws {
        let picture = try GeneratedPicture.waves()
        for plane in 0..<3 {
            var other = picture
            try other.withMutablePlanes { planes in
                let last = planes[plane].row(planes[plane].height - 1) + planes[plane].width - 1
                last.storeBytes(of: last.load(as: UInt8.self) ^ 1, as: UInt8.self)
            }
            #expect(other.checksum != picture.checksum)
        }
    }
}
