import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Paths that bend: with the frames before and after a pair, content that turns or changes its speed is where it belongs.
@Suite struct CurvedPathTests {
    /// A texture whose position is a polynomial of the third degree in time, and an object in front of it with another one.
    private static let scene: MovingScene = {
        let back = NoiseTexture.planes(21), front = NoiseTexture.planes(22)
        return MovingScene { plane, x, y, t in
            let u = t - 1.5
            let dx = x - 160 - 9 * u - 5 * u * u, dy = y - 100 + 4 * u * u
            if abs(dx) < 50, abs(dy) < 40 { return front[plane].value(dx, dy) }
            return back[plane].value(x + 7 * u - 3 * u * u + u * u * u, y - 2 * u)
        }
    }()

    private static func engine(
        _ picture: PixelBuffer, _ quality: QualityPrioritization = .normal, threads: Int = 2
    ) throws -> FrameRateConversionEngine {
        try FrameRateConversionEngine(
            format: picture.format, width: picture.width, height: picture.height, quality: quality,
            context: .init(threads: threads))
    }

    /// Makes the frames at the phases between the second and the third of four frames.
    private static func made(
        _ frames: [PixelBuffer], _ phases: [Float], _ neighbours: NeighbouringPairs,
        quality: QualityPrioritization = .normal, threads: Int = 2
    ) throws -> [PixelBuffer] {
        let engine = try engine(frames[0], quality, threads: threads)
        _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [], relation: .none)
        return try engine.interpolate(
            from: frames[1], to: frames[2], phases: phases, relation: .follows,
            upcoming: [UpcomingFrame(frames[3], .follows)], neighbours: neighbours
        ).pictures
    }

    private static let both = NeighbouringPairs(before: true, after: true)

    static let formats: [(ChromaSubsampling, Int, Int, Int)] = [
        (.yuv420, 8, 320, 200), (.yuv420, 10, 311, 203), (.yuv422, 12, 320, 201), (.yuv444, 16, 301, 200),
        (.monochrome, 8, 320, 200),
    ]

    @Test(arguments: formats, QualityPrioritization.allCases)
    func fourFramesTellWhereThingsAre(_ c: (ChromaSubsampling, Int, Int, Int), _ quality: QualityPrioritization) throws
    {
        let format = try PixelFormat(subsampling: c.0, bitDepth: c.1)
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), format, width: c.2, height: c.3) }
        func psnr(_ neighbours: NeighbouringPairs, _ phase: Float) throws -> [Double] {
            let made = try Self.made(frames, [phase], neighbours, quality: quality)[0]
            let truth = try Self.scene.picture(1 + phase, format, width: c.2, height: c.3)
            return (0..<format.planeCount).map { PictureDifference(made, truth, plane: $0).psnr }
        }
        for phase: Float in [0.25, 0.5] {
            let straight = try psnr(.none, phase), bent = try psnr(Self.both, phase)
            for plane in 0..<format.planeCount {
                #expect(bent[plane] > straight[plane] + (plane == 0 ? 3 : 2), "plane \(plane) at \(phase)")
            }
            // Three frames tell half of it.
            for one in [NeighbouringPairs(before: true, after: false), NeighbouringPairs(before: false, after: true)] {
                #expect(try psnr(one, phase)[0] > straight[0] + 1)
            }
        }
    }

    /// The larger pictures of `normal` are searched at half and at quarter size.
    @Test(arguments: [(720, 480), (2576, 1616)]) func coarserCells(_ size: (Int, Int)) throws {
        let texture = NoiseTexture.planes(33)
        let scene = MovingScene { plane, x, y, t in
            texture[plane].value(x - 20 * t - 6 * (t - 1.5) * (t - 1.5), y + 3 * t)
        }
        let frames = try (0..<4).map { try scene.picture(Float($0), width: size.0, height: size.1) }
        let truth = try scene.picture(1.5, width: size.0, height: size.1)
        func psnr(_ neighbours: NeighbouringPairs) throws -> Double {
            PictureDifference(try Self.made(frames, [0.5], neighbours)[0], truth).psnr
        }
        #expect(try psnr(Self.both) > psnr(.none) + 4)
    }

    /// Without the neighbouring pairs, or if they may not be used, the frames are those of two frames alone.
    @Test func whatIsNotKnownIsNotUsed() throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        let alone = try interpolate(frames[1], frames[2], [0.3], quality: .normal).pictures[0]
        let engine = try Self.engine(frames[0])
        let unknown = try engine.interpolate(
            from: frames[1], to: frames[2], phases: [0.3], relation: .none, neighbours: Self.both
        ).pictures[0]
        #expect(unknown.hasSameSamples(as: alone))
        let unrelated = try engine.interpolate(
            from: frames[1], to: frames[2], phases: [0.3], relation: .none,
            upcoming: [UpcomingFrame(frames[3], .none)], neighbours: Self.both
        ).pictures[0]
        #expect(unrelated.hasSameSamples(as: alone))
    }

    /// A repeated frame is repeated, however its neighbours move, and says nothing about the paths of the pairs beside it.
    @Test(arguments: QualityPrioritization.allCases) func repeatedFramesStay(_ quality: QualityPrioritization) throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        let repeated = [frames[0], frames[1], frames[1], frames[2]]
        for made in try Self.made(repeated, [0.25, 0.5], Self.both, quality: quality) {
            #expect(made.hasSameSamples(as: frames[1]))
        }
        let after = [frames[1], frames[1], frames[2], frames[2]]
        let bent = try Self.made(after, [0.5], Self.both, quality: quality)[0]
        let straight = try Self.made(after, [0.5], .none, quality: quality)[0]
        #expect(bent.hasSameSamples(as: straight))
    }

    /// Steady motion stays as it is, up to the errors of the estimate.
    @Test func steadyMotionIsStraight() throws {
        let scene = MovingScene.translation(7.3, -3.6, seed: 4)
        let frames = try (0..<4).map { try scene.picture(Float($0), width: 320, height: 200) }
        let truth = try scene.picture(1.5, width: 320, height: 200)
        func psnr(_ neighbours: NeighbouringPairs) throws -> Double {
            PictureDifference(try Self.made(frames, [0.5], neighbours)[0], truth) { x, y in
                16..<304 ~= x && 16..<184 ~= y
            }.psnr
        }
        #expect(try psnr(Self.both) > psnr(.none) - 0.2)
    }

    /// Threads, and calls for one phase at a time, make no difference.
    @Test(arguments: QualityPrioritization.allCases) func callsMakeNoDifference(_ quality: QualityPrioritization) throws
    {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 333, height: 241) }
        let phases: [Float] = [0.25, 0.5, 0.75]
        let wanted = try Self.made(frames, phases, Self.both, quality: quality, threads: 1)
        for threads in [2, 3] {
            let made = try Self.made(frames, phases, Self.both, quality: quality, threads: threads)
            #expect(zip(made, wanted).allSatisfy { $0.hasSameSamples(as: $1) })
        }
        let engine = try Self.engine(frames[0], quality)
        _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [0.5], relation: .none)
        for (index, phase) in phases.enumerated() {
            let made = try engine.interpolate(
                from: frames[1], to: frames[2], phases: [phase], relation: index == 0 ? .follows : .samePair,
                upcoming: [UpcomingFrame(frames[3], .follows)], neighbours: Self.both
            ).pictures[0]
            #expect(made.hasSameSamples(as: wanted[index]))
        }
        // What was found of the upcoming pair serves that pair, too.
        let next = try engine.interpolate(from: frames[2], to: frames[3], phases: [0.5], relation: .follows).pictures[0]
        let plain = try Self.engine(frames[0], quality)
        for pair in 0..<2 {
            _ = try plain.interpolate(
                from: frames[pair], to: frames[pair + 1], phases: [0.5], relation: pair == 0 ? .none : .follows)
        }
        let same = try plain.interpolate(from: frames[2], to: frames[3], phases: [0.5], relation: .follows).pictures[0]
        #expect(next.hasSameSamples(as: same))
    }

    /// Known motion gives the same frames in one call and in batches.
    @Test func batchesOfKnownMotion() throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        let finder = OpticalFlowEngine(width: 320, height: 200, quality: .normal, context: .init(threads: 2))
        let flows = try (0..<3).map {
            try finder.flow(from: frames[$0], to: frames[$0 + 1], relation: $0 == 0 ? .none : .follows)
        }
        func made(_ batches: [[Float]]) throws -> [PixelBuffer] {
            let engine = try Self.engine(frames[0])
            _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [], relation: .none, flow: flows[0])
            return try batches.enumerated().flatMap { index, phases in
                try engine.interpolate(
                    from: frames[1], to: frames[2], phases: phases, relation: index == 0 ? .follows : .samePair,
                    flow: flows[1], upcoming: [UpcomingFrame(frames[3], .follows, flow: flows[2])],
                    neighbours: Self.both
                ).pictures
            }
        }
        let whole = try made([[0.25, 0.5, 0.75]]), estimated = try Self.made(frames, [0.25, 0.5, 0.75], Self.both)
        for other in [try made([[0.25], [0.5, 0.75]]), estimated] {
            #expect(zip(whole, other).allSatisfy { $0.hasSameSamples(as: $1) })
        }
    }

    /// Frames are found along the motion that is handed on only if paths are straight.
    @Test func motionIsHandedOnIfPathsAreStraight() throws {
        let frames = try (0..<4).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        for neighbours in [Self.both, .none] {
            let engine = try Self.engine(frames[0])
            _ = try engine.interpolate(from: frames[0], to: frames[1], phases: [], relation: .none)
            var handed: [Bool] = []
            _ = try engine.make(
                from: frames[1], to: frames[2], phases: [0.25, 0.5], relation: .follows, flow: nil,
                upcoming: [UpcomingFrame(frames[3], .follows)], neighbours: neighbours
            ) { _, _, flow in
                handed.append(flow != nil)
                return true
            }
            #expect(handed == [neighbours == .none, neighbours == .none])
        }
    }

    /// An independent call does not depend on what came before, with an overlay, too.
    @Test func independentCallsForget() async throws {
        let scene = StillOverlayTests.Caption().scene([9, 0])
        let frames = try (0..<3).map { try scene.picture(Float($0), width: 320, height: 240) }
        func frame(_ index: Int) -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: frames[index], presentationTimeStamp: MediaTime(value: Int64(index), timescale: 25))
        }
        func made(_ pairs: [Int]) async throws -> PixelBuffer? {
            let processor = FrameProcessor(context: .init(threads: 2))
            try processor.startSession(
                configuration: FrameRateConversionConfiguration(frameWidth: 320, frameHeight: 240))
            defer { processor.endSession() }
            var last: PixelBuffer?
            for pair in pairs {
                let target = try FrameProcessorFrame(
                    buffer: PixelBuffer(format: .yuv420p8, width: 320, height: 240),
                    presentationTimeStamp: MediaTime(value: 50, timescale: 25))
                try await run(
                    processor,
                    FrameRateConversionParameters(
                        sourceFrame: frame(pair), nextFrame: frame(pair + 1),
                        previousFrame: pair > 0 ? frame(pair - 1) : nil, interpolationPhase: [0.5],
                        submissionMode: .random, destinationFrames: [target]))
                last = try target.buffer
            }
            return last
        }
        let alone = try #require(try await made([1])), later = try #require(try await made([0, 1]))
        #expect(alone.hasSameSamples(as: later))
    }

    /// A session with the frames around a pair makes the same frames, in order or one by one.
    @Test func sessionsTakeTheFramesAround() async throws {
        let frames = try (0..<5).map { try Self.scene.picture(Float($0), width: 320, height: 200) }
        func frame(_ index: Int) -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: frames[index], presentationTimeStamp: MediaTime(value: Int64(index), timescale: 25))
        }
        func made(_ pairs: [Int], _ mode: SubmissionMode, hasNeighbours: Bool = true) async throws -> [PixelBuffer] {
            let processor = FrameProcessor(context: .init(threads: 2))
            try processor.startSession(
                configuration: FrameRateConversionConfiguration(frameWidth: 320, frameHeight: 200))
            defer { processor.endSession() }
            var result: [PixelBuffer] = []
            for (index, pair) in pairs.enumerated() {
                let destination = try FrameProcessorFrame(
                    buffer: PixelBuffer(format: .yuv420p8, width: 320, height: 200),
                    presentationTimeStamp: MediaTime(value: 100, timescale: 25))
                try await run(
                    processor,
                    FrameRateConversionParameters(
                        sourceFrame: frame(pair), nextFrame: frame(pair + 1),
                        previousFrame: hasNeighbours && pair > 0 ? frame(pair - 1) : nil,
                        followingFrame: hasNeighbours && pair < 3 ? frame(pair + 2) : nil, interpolationPhase: [0.5],
                        submissionMode: index == 0 ? .random : mode, destinationFrames: [destination]))
                result.append(try destination.buffer)
            }
            return result
        }
        let wanted = try Self.made(Array(frames[0..<4]), [0.5], Self.both)[0]
        #expect(try await made([0, 1], .sequential)[1].hasSameSamples(as: wanted))
        #expect(try await made([1], .random)[0].hasSameSamples(as: wanted))
        #expect(try await made([3, 1], .random)[1].hasSameSamples(as: wanted))
        #expect(try await !made([1], .random, hasNeighbours: false)[0].hasSameSamples(as: wanted))
    }

    @Test func aSessionWithPrecomputedFlowTakesNoFramesAround() async throws {
        let flow = try FrameProcessorOpticalFlow(
            forwardFlow: FlowField(width: 64, height: 48), backwardFlow: FlowField(width: 64, height: 48))
        let processor = FrameProcessor(context: .serial)
        try processor.startSession(
            configuration: FrameRateConversionConfiguration(frameWidth: 64, frameHeight: 48, usePrecomputedFlow: true))
        let parameters = try FrameRateConversionParameters(
            sourceFrame: sessionFrame(1), nextFrame: sessionFrame(2), followingFrame: sessionFrame(3),
            opticalFlow: flow,
            interpolationPhase: [0.5], submissionMode: .random, destinationFrames: [sessionFrame(100)])
        #expect(code(await failure(processor, parameters)) == .invalidParameterError)
    }
}
