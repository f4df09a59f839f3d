import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Motion blur: black bars stay as they are, and the picture inside them is blurred as if there were none.
@Suite struct BarsInBlurTests {
    private static func engine(_ frame: PixelBuffer, linearLight: Bool = false) throws -> MotionBlurEngine {
        try MotionBlurEngine(
            format: frame.format, width: frame.width, height: frame.height, quality: .normal, linearLight: linearLight,
            context: .init(threads: 2))
    }

    /// Blurs all frames of a clip.
    private static func blurred(_ frames: [PixelBuffer], linearLight: Bool = false) throws -> [PixelBuffer] {
        let engine = try engine(frames[0], linearLight: linearLight)
        return try frames.indices.map { index in
            try engine.blur(
                frames[index], previous: index > 0 ? frames[index - 1] : nil,
                next: index + 1 < frames.count ? frames[index + 1] : nil, color: ColorDescription(), strength: 90,
                relation: index > 0 ? .follows : .none)
        }
    }

    @Test(arguments: Bars.cases, [false, true])
    func thePictureIsBlurredAsWithoutBars(_ c: Bars.Case, linearLight: Bool) throws {
        let bars = Bars(left: c.left, top: c.top, right: c.right, bottom: c.bottom)
        let format = try PixelFormat(subsampling: c.subsampling, bitDepth: c.bitDepth)
        let pictures = try (0..<4).map { try Bars.scene.picture(Float($0), format, width: 222, height: 166) }
        let frames = try pictures.enumerated().map { try bars.round($1, seed: $0) }
        let wanted = try Self.blurred(pictures, linearLight: linearLight)
        for (index, made) in try Self.blurred(frames, linearLight: linearLight).enumerated() {
            #expect(!wanted[index].hasSameSamples(as: pictures[index]))
            #expect(made.hasSameSamples(as: try bars.round(wanted[index], seed: index)))
        }
    }

    /// A frame whose neighbours have other bars is blurred as a whole; after it, nothing is carried over.
    @Test func barsThatBegin() throws {
        let bars = Bars(top: 30, bottom: 30)
        let plain = try (0..<2).map { try Bars.scene.picture(Float($0), width: 222, height: 226) }
        let framed = try (2..<6).map {
            try bars.round(Bars.scene.picture(Float($0), width: 222, height: 166), seed: $0)
        }
        let frames = plain + framed, made = try Self.blurred(frames)
        let alone = try Self.engine(frames[0]).blur(
            frames[3], previous: frames[2], next: frames[4], color: ColorDescription(), strength: 90, relation: .follows
        )
        #expect(made[3].hasSameSamples(as: alone))
        func keepsBars(_ index: Int) -> Bool {
            PictureDifference(made[index], frames[index]) { _, y in !(30..<196 ~= y) }.largest == 0
        }
        #expect(!keepsBars(1) && !keepsBars(2) && keepsBars(3) && keepsBars(5))
    }

    /// The same frames once more have the same bars, also where a dark picture alone would not show them.
    @Test func sameFramesAgain() throws {
        let bars = Bars(top: 30, bottom: 30)
        let scene = MovingScene { plane, x, y, t in
            let level = Bars.scene.level(plane, x, y, t)
            return plane > 0 ? 128 : t < 1.5 ? level : 16 + level / 30
        }
        let frames = try (0..<4).map { try bars.round(scene.picture(Float($0), width: 222, height: 166), seed: $0) }
        let engine = try Self.engine(frames[0])
        func hasBars(_ index: Int, _ relation: PairRelation) throws -> Bool {
            _ = try engine.blur(
                frames[index], previous: frames[index - 1], next: frames[index + 1], color: ColorDescription(),
                strength: 90, relation: relation)
            return engine.previousFlow == nil
        }
        #expect(try hasBars(1, .none) && hasBars(2, .follows) && hasBars(2, .samePair))
        #expect(try !hasBars(2, .none))
    }

    /// Where motion is given, it is that of the whole frame.
    @Test func givenMotion() throws {
        let bars = Bars(top: 30, bottom: 30)
        let frames = try (0..<3).map {
            try bars.round(Bars.scene.picture(Float($0), width: 222, height: 166), seed: $0)
        }
        let engine = OpticalFlowEngine(
            width: 222, height: 226, quality: .normal, filtersEdges: false, context: .serial)
        let flows = try (0..<2).map { try engine.flow(from: frames[$0], to: frames[$0 + 1], relation: .none) }
        let blur = try Self.engine(frames[0])
        let made = try blur.blur(
            frames[1], previous: frames[0], next: frames[2], color: ColorDescription(), strength: 90, relation: .none,
            previousFlow: flows[0], nextFlow: flows[1])
        #expect(!made.hasSameSamples(as: frames[1]))
        #expect(blur.previousFlow != nil)
        _ = try blur.blur(
            frames[1], previous: frames[0], next: frames[2], color: ColorDescription(), strength: 90, relation: .none)
        #expect(blur.previousFlow == nil)
    }
}
