import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Properties of every frame that the engine makes.
@Suite struct EngineRuleTests {
    static let sizes = [(16, 16), (17, 33), (50, 50), (64, 16), (131, 67)]

    /// A texture that contains every code value of the format and changes from sample to sample.
    private static func texture(_ format: PixelFormat, _ width: Int, _ height: Int, seed: Int) throws -> PixelBuffer {
        let scene = MovingScene { plane, x, y, _ in
            let hash = (Int(x) &* 73_856_093) ^ (Int(y) &* 19_349_663) ^ ((plane + 3 * seed) &* 83_492_791)
            return Float((hash >> 5) & 0xFFFF) / 256
        }
        return try scene.picture(0, format, width: width, height: height)
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 12, 16])
    func identicalFramesStayBitExact(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        for (width, height) in Self.sizes {
            for quality in QualityPrioritization.allCases {
                let checkers = try GeneratedPicture.draw(format, width: width, height: height) { _, x, y in
                    (x / 3 + y / 3) & 1 * 255
                }
                for picture in [try Self.texture(format, width, height, seed: 1), checkers] {
                    // Equal samples in different memory.
                    var copy = picture
                    try copy.withMutablePlanes { _ in }
                    let engine = try FrameRateConversionEngine(
                        format: format, width: width, height: height, quality: quality, context: .serial)
                    for relation in [PairRelation.none, .follows, .samePair] {
                        let outcome = try engine.interpolate(
                            from: picture, to: copy, phases: [0.1, 0.5, 0.77], relation: relation)
                        #expect(outcome.pictures.count == 3)
                        #expect(
                            outcome.pictures.allSatisfy { $0.hasSameSamples(as: picture) },
                            "\(width)x\(height) \(format), \(quality)")
                    }
                }
            }
        }
    }

    /// Motion that is estimated early changes no frame, whether or not the announced pair comes next.
    @Test(arguments: [2, 3]) func upcomingPairsChangeNothing(threads: Int) throws {
        let scene = MovingScene.translation(5, 3)
        let frames = try (0..<5).map { try scene.picture(Float($0), width: 96, height: 80) }
        func engine() throws -> FrameRateConversionEngine {
            try FrameRateConversionEngine(
                format: frames[0].format, width: 96, height: 80, quality: .normal, context: .init(threads: threads))
        }
        func pictures(_ engine: FrameRateConversionEngine, announced: (Int) -> [UpcomingFrame]) throws -> [PixelBuffer]
        {
            try (0..<4).flatMap { index in
                try engine.interpolate(
                    from: frames[index], to: frames[index + 1], phases: [0.25, 0.5],
                    relation: index == 0 ? .none : .follows, upcoming: announced(index)
                ).pictures
            }
        }
        let plain = try pictures(try engine()) { _ in [] }
        let announcements: [(Int) -> [UpcomingFrame]] = [
            { $0 < 3 ? [UpcomingFrame(frames[$0 + 2], .follows)] : [] },
            // None of these comes.
            { [UpcomingFrame(frames[$0], .follows)] },
            { $0 < 3 ? [UpcomingFrame(frames[$0 + 2], .none)] : [] },
            { $0 == 1 ? [UpcomingFrame(frames[3], .follows)] : [] },
        ]
        for announced in announcements {
            let early = try pictures(try engine(), announced: announced)
            #expect(zip(early, plain).allSatisfy { $0.hasSameSamples(as: $1) })
        }
    }

    /// Frames depend on the next pair, and not on whether the one after it is announced.
    @Test(arguments: [1, 2, 3]) func secondUpcomingPairChangesNothing(threads: Int) throws {
        let scene = MovingScene.translation(5, 3)
        let frames = try (0..<7).map { try scene.picture(Float($0), width: 96, height: 80) }
        func pictures(_ second: (Int) -> UpcomingFrame?) throws -> [PixelBuffer] {
            let engine = try FrameRateConversionEngine(
                format: frames[0].format, width: 96, height: 80, quality: .normal, context: .init(threads: threads))
            var made: [PixelBuffer] = []
            for index in 0..<5 {
                var upcoming = [UpcomingFrame(frames[index + 2], .follows)]
                if let second = second(index) { upcoming.append(second) }
                let first: PairRelation = index == 0 ? .none : .follows
                for relation in [first, .samePair] {
                    made += try engine.interpolate(
                        from: frames[index], to: frames[index + 1], phases: [0.25, 0.5], relation: relation,
                        upcoming: upcoming, neighbours: NeighbouringPairs(before: index > 0, after: true)
                    ).pictures
                }
            }
            return made
        }
        let plain = try pictures { _ in nil }
        let announcements: [(Int) -> UpcomingFrame?] = [
            { $0 < 4 ? UpcomingFrame(frames[$0 + 3], .follows) : nil },
            // None of these comes.
            { UpcomingFrame(frames[$0], .follows) },
            { $0 < 4 ? UpcomingFrame(frames[$0 + 3], .none) : nil },
        ]
        for announced in announcements {
            let early = try pictures(announced)
            #expect(zip(early, plain).allSatisfy { $0.hasSameSamples(as: $1) })
        }
    }

    @Test func endsAreTheNeighbours() throws {
        let scene = MovingScene.translation(6, 2)
        let a = try scene.picture(0, width: 80, height: 60), b = try scene.picture(1, width: 80, height: 60)
        let outcome = try interpolate(a, b, [1, 0.5, 0, 0.25, 1])
        #expect(outcome.pictures.count == 5)
        for (index, wanted) in [(0, b), (2, a), (4, b)] {
            #expect(outcome.pictures[index].hasSameSamples(as: wanted))
        }
        #expect(!outcome.pictures[1].hasSameSamples(as: outcome.pictures[3]))
        // Each picture is the same as when requested on its own.
        #expect(outcome.pictures[3].hasSameSamples(as: try interpolate(a, b, [0.25]).pictures[0]))
    }

    /// A phase close to an end gives nearly that neighbour.
    @Test(arguments: [Float(0.0001), 0.9999]) func phasesNearTheEnds(_ phase: Float) throws {
        let scene = MovingScene.translation(9, -4)
        let a = try scene.picture(0, width: 120, height: 90), b = try scene.picture(1, width: 120, height: 90)
        let made = try interpolate(a, b, [phase]).pictures[0]
        #expect(PictureDifference(made, phase < 0.5 ? a : b).psnr > 45)
    }

    @Test(arguments: QualityPrioritization.allCases, [(333, 241), (700, 500)])
    func threadsMakeNoDifference(_ quality: QualityPrioritization, _ size: (Int, Int)) throws {
        let front = NoiseTexture(seed: 8), behind = NoiseTexture(seed: 9)
        let scene = MovingScene { plane, x, y, t in
            let inside = abs(x - 160 - 13 * t) < 50 && abs(y - 120 + 7 * t) < 40
            return (inside ? front.value(x - 13 * t, y + 7 * t) : behind.value(x + 6 * t, y))
                + 2 * sampleNoise(x, y, seed: Int(t) + 10 * plane)
        }
        let pictures = try (0..<3).map { try scene.picture(Float($0), width: size.0, height: size.1) }
        func run(_ threads: Int) throws -> [FrameRateConversionEngine.Outcome] {
            let engine = try FrameRateConversionEngine(
                format: .yuv420p8, width: size.0, height: size.1, quality: quality, context: .init(threads: threads))
            return try (0..<2).map {
                try engine.interpolate(
                    from: pictures[$0], to: pictures[$0 + 1], phases: [0.3, 0.5], relation: $0 > 0 ? .follows : .none)
            }
        }
        let wanted = try run(1)
        for threads in [2, 5] {
            for (outcome, reference) in zip(try run(threads), wanted) {
                #expect(outcome.modes == reference.modes)
                for (picture, same) in zip(outcome.pictures, reference.pictures) {
                    #expect(picture.hasSameSamples(as: same), "\(threads) threads")
                }
            }
        }
    }

    /// The same 8-bit scene at a higher bit depth gives the same picture, up to rounding.
    @Test(arguments: [10, 12, 16]) func depthMakesNoDifference(_ depth: Int) throws {
        let scene = MovingScene.translation(7.3, -3.6, seed: 4)
        let plain = try [0, 1].map { try scene.picture($0, width: 160, height: 120) }
        let format = try PixelFormat(subsampling: .yuv420, bitDepth: depth)
        let deep = try plain.map { picture in
            let planes = (0..<3).map { picture.samples(ofPlane: $0) }
            return try GeneratedPicture.draw(format, width: 160, height: 120) { plane, x, y in
                Int(planes[plane][y * format.planeWidth(plane, width: 160) + x])
            }
        }
        let (a, b) = (try interpolate(plain[0], plain[1]), try interpolate(deep[0], deep[1]))
        #expect(a.modes == b.modes)
        let step = 1 << (depth - 8)
        for plane in 0..<3 {
            let low = a.pictures[0].samples(ofPlane: plane), high = b.pictures[0].samples(ofPlane: plane)
            let worst = zip(low, high).map { abs(Int($0) * step - Int($1)) }.max() ?? 0
            #expect(worst <= step * 3 / 2, "plane \(plane)")
        }
    }

    /// Black and white edges make the filter overshoot; values must stay in range instead of wrapping around.
    @Test(arguments: ChromaSubsampling.allCases, [8, 9, 10, 12, 16])
    func extremeValuesDoNotWrap(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let (dx, dy): (Float, Float) = (3, 2)
        // Squares of different sizes, so that there is only one way to match them.
        let scene = MovingScene { plane, x, y, t in
            let (u, v) = (Int(x - dx * t + 640), Int(y - dy * t + 640))
            let hash = ((u / 16) &* 7919) ^ ((v / 16) &* 104_729 &+ plane)
            return (hash >> 3) & 1 == 0 ? 0 : 256
        }
        let (a, b) = (
            try scene.picture(0, format, width: 144, height: 112), try scene.picture(1, format, width: 144, height: 112)
        )
        let phase: Float = 0.5
        let outcome = try interpolate(a, b, [phase])
        let made = outcome.pictures[0]
        #expect(isWithinRange(made))
        for plane in 0..<format.planeCount {
            // Areas that are flat black or white, away from all edges at this phase.
            let (sx, sy) = plane == 0 ? (0, 0) : (subsampling.horizontalShift, subsampling.verticalShift)
            let samples = made.samples(ofPlane: plane), width = format.planeWidth(plane, width: 144)
            var judged = 0, wrong = 0
            for (index, sample) in samples.enumerated() {
                let (x, y) = (Float((index % width) << sx), Float((index / width) << sy))
                guard x > 24, y > 24, x < 120, y < 88 else { continue }
                let u = Int(x - dx * phase + 640) % 16, v = Int(y - dy * phase + 640) % 16
                guard (5...10).contains(u), (5...10).contains(v) else { continue }
                judged += 1
                let wanted = scene.level(plane, x, y, phase) > 0 ? format.maximumValue : 0
                if abs(Int(sample) - wanted) > format.maximumValue / 8 { wrong += 1 }
            }
            #expect(judged > 100 && wrong * 100 <= judged, "plane \(plane): \(wrong) of \(judged)")
        }
    }

    @Test func picturesAreDeliveredAsTheyAreMade() throws {
        let a = try GeneratedPicture.waves(), b = try GeneratedPicture.waves(dx: 4)
        let engine = try FrameRateConversionEngine(
            format: a.format, width: a.width, height: a.height, quality: .normal, context: .serial)
        let phases: [Float] = [1, 0.5, 0, 0.25]
        let whole = try engine.interpolate(from: a, to: b, phases: phases, relation: .none).pictures
        for wanted in 1...4 {
            var seen: [PixelBuffer] = []
            let outcome = try engine.interpolate(from: a, to: b, phases: phases, relation: .none) { index, picture in
                #expect(index == seen.count)
                seen.append(picture)
                return seen.count < wanted
            }
            #expect(seen.count == wanted)
            #expect(outcome.pictures.count == wanted)
            for (made, expected) in zip(seen, whole) { #expect(made.hasSameSamples(as: expected)) }
        }
    }
}
