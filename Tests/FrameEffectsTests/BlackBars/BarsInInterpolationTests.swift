import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Frames between two others: black bars stay as they are, and the picture inside them is made as if there were none.
@Suite struct BarsInInterpolationTests {
    /// Makes frames between the second and the third of four.
    private static func made(
        _ frames: [PixelBuffer], _ quality: QualityPrioritization, phases: [Float] = [0.25, 0.5]
    ) throws -> [PixelBuffer] {
        let engine = try FrameRateConversionEngine(
            format: frames[0].format, width: frames[0].width, height: frames[0].height, quality: quality,
            context: .init(threads: 2))
        _ = try engine.interpolate(
            from: frames[0], to: frames[1], phases: [], relation: .none, upcoming: [UpcomingFrame(frames[2], .follows)])
        return try engine.interpolate(
            from: frames[1], to: frames[2], phases: phases, relation: .follows,
            upcoming: [UpcomingFrame(frames[3], .follows)],
            neighbours: NeighbouringPairs(before: true, after: true)
        ).pictures
    }

    @Test(arguments: Bars.cases, QualityPrioritization.allCases)
    func thePictureIsMadeAsWithoutBars(_ c: Bars.Case, _ quality: QualityPrioritization) throws {
        let bars = Bars(left: c.left, top: c.top, right: c.right, bottom: c.bottom)
        let format = try PixelFormat(subsampling: c.subsampling, bitDepth: c.bitDepth)
        let pictures = try (0..<4).map { try Bars.scene.picture(Float($0), format, width: 222, height: 166) }
        let frames = try pictures.enumerated().map { try bars.round($1, seed: $0) }
        let phases: [Float] = [0.25, 0.75, 0, 1]
        let wanted = try Self.made(pictures, quality, phases: phases)
        for (index, made) in try Self.made(frames, quality, phases: phases).enumerated() {
            // The bars are those of the nearer frame.
            #expect(made.hasSameSamples(as: try bars.round(wanted[index], seed: phases[index] < 0.5 ? 1 : 2)))
        }
    }

    /// A sample of chroma that shows both a bar and the picture belongs to the picture.
    @Test func barsOfOddSizes() throws {
        let bars = Bars(left: 0, top: 31, right: 0, bottom: 33)
        let format = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        func frame(_ time: Float) throws -> PixelBuffer {
            let luma = try bars.round(Bars.scene.picture(time, format, width: 222, height: 166), seed: 3)
            var frame = try Bars.scene.picture(time, width: 222, height: 230)
            try frame.withMutablePlanes { planes in
                luma.withPlanes { luma in
                    for y in 0..<230 { planes[0].row(y).copyMemory(from: luma[0].row(y), byteCount: 222) }
                }
            }
            return frame
        }
        let made = try Self.made(try (0..<4).map { try frame(Float($0)) }, .normal, phases: [0.5])[0]
        let truth = try frame(1.5)
        #expect(PictureDifference(made, truth) { _, y in !(30..<198 ~= y) }.largest == 0)
        #expect(PictureDifference(made, truth) { _, y in 31..<197 ~= y }.psnr > 28)
    }

    /// A caption that stays in a bar stays, and so does a bar beside a picture that has become dark, all of it or beside the
    /// bar.
    @Test func captionsAndDarkPictures() throws {
        let bars = Bars(top: 30, bottom: 40, caption: 210)
        func darkened(_ isDark: @escaping @Sendable (Float) -> Bool) -> MovingScene {
            MovingScene { plane, x, y, t in
                let level = Bars.scene.level(plane, x, y, t)
                return plane > 0 ? 128 : t < 1.5 || !isDark(y) ? level : 16 + level / 30
            }
        }
        for scene in [Bars.scene, darkened { _ in true }, darkened { $0 < 40 }] {
            let pictures = try (0..<4).map { try scene.picture(Float($0), width: 222, height: 166) }
            let frames = try pictures.enumerated().map { try bars.round($1, seed: $0) }
            let wanted = try Self.made(pictures, .normal, phases: [0.4])[0]
            let made = try Self.made(frames, .normal, phases: [0.4])[0]
            let expected = try bars.round(wanted, seed: 1)
            #expect(made.hasSameSamples(as: expected))
        }
    }

    /// A caption that appears is shown from the middle on. If it is another in both frames, something may move in the bar,
    /// and the frame is made as a whole.
    @Test func captionsThatChange() throws {
        let pictures = try (0..<2).map { try Bars.scene.picture(Float($0), width: 222, height: 166) }
        func levels(_ first: Int, _ second: Int) throws -> [Int] {
            let frames = try [first, second].enumerated().map {
                try Bars(top: 30, bottom: 40, caption: 210, captionLevel: $1).round(pictures[$0], seed: $0)
            }
            return try interpolate(frames[0], frames[1], [0.4, 0.6], quality: .normal).pictures.map {
                $0.withPlanes { $0[0].sample(100, 210, bytes: 1) }
            }
        }
        #expect(try levels(17, 200) == [17, 200])
        #expect(try levels(120, 200) != [120, 200])
    }

    /// Threads, and calls for one phase at a time, make no difference; nor does the frame before given with each call.
    @Test func callsMakeNoDifference() throws {
        let bars = Bars(left: 12, top: 30, bottom: 40)
        let frames = try (0..<4).map {
            try bars.round(Bars.scene.picture(Float($0), width: 222, height: 166), seed: $0)
        }
        let phases: [Float] = [0.25, 0.5, 0.75], wanted = try Self.made(frames, .normal, phases: phases)
        let both = NeighbouringPairs(before: true, after: true)
        for threads in [1, 3] {
            func engine() throws -> FrameRateConversionEngine {
                try FrameRateConversionEngine(
                    format: .yuv420p8, width: frames[0].width, height: frames[0].height, quality: .normal,
                    context: .init(threads: threads))
            }
            let chain = try engine(), alone = try engine()
            _ = try chain.interpolate(from: frames[0], to: frames[1], phases: [0.5], relation: .none)
            for (index, phase) in phases.enumerated() {
                let upcoming = [UpcomingFrame(frames[3], .follows)]
                let one = try chain.interpolate(
                    from: frames[1], to: frames[2], phases: [phase], relation: index == 0 ? .follows : .samePair,
                    upcoming: upcoming, neighbours: both
                ).pictures[0]
                let other = try alone.interpolate(
                    from: frames[1], to: frames[2], previous: frames[0], phases: [phase],
                    relation: index == 0 ? .none : .samePair, upcoming: upcoming, neighbours: both
                ).pictures[0]
                #expect(one.hasSameSamples(as: wanted[index]) && other.hasSameSamples(as: wanted[index]))
            }
        }
    }

    /// Where bars begin or end, nothing is carried over.
    @Test func barsThatBegin() throws {
        let bars = Bars(top: 30, bottom: 30)
        let plain = try (0..<4).map { try Bars.scene.picture(Float($0), width: 222, height: 226) }
        let barred = try (0..<4).map {
            try bars.round(Bars.scene.picture(Float($0), width: 222, height: 166), seed: $0)
        }
        let sequences: [([PixelBuffer], [PairRelation])] = [
            ([plain[0], plain[1], barred[2], barred[3]], [.none, .none, .follows]),
            ([barred[0], barred[1], plain[2], plain[3]], [.none, .follows, .none]),
        ]
        for (frames, relations) in sequences {
            let engine = try FrameRateConversionEngine(
                format: .yuv420p8, width: 222, height: 226, quality: .normal, context: .init(threads: 2))
            for (pair, relation) in relations.enumerated() {
                let made = try engine.interpolate(
                    from: frames[pair], to: frames[pair + 1], phases: [0.5], relation: relation
                ).pictures[0]
                let alone = try interpolate(frames[pair], frames[pair + 1], [0.5], quality: .normal).pictures[0]
                #expect(made.hasSameSamples(as: alone))
            }
        }
    }
}
