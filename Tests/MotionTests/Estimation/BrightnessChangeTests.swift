import FrameCore
import Motion
import TestSupport
import Testing

@Suite struct BrightnessChangeTests {
    private static let texture = NoiseTexture(seed: 51)

    private static func change(
        width: Int = 320, height: Int = 200, _ luma: @escaping @Sendable (Float, Float, Float) -> Float
    ) throws -> BrightnessChange? {
        let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
        let scene = MovingScene { _, x, y, t in luma(x, y, t) }
        func pyramid(_ t: Float) throws -> LumaPyramid {
            try LumaPyramid(scene.picture(t, gray, width: width, height: height), context: .init(threads: 2))
        }
        return BrightnessChange(from: try pyramid(0), to: try pyramid(1))
    }

    /// A texture that moves, between 50 and 152.
    @Sendable private static func moving(_ x: Float, _ y: Float, _ t: Float) -> Float {
        50 + 0.4 * texture.value(x - 7 * t, y + 4 * t)
    }

    @Test(arguments: [(Float(0.6), Float(6)), (0.8, 0), (1, -12), (1, 30), (1.5, -20)])
    func gainAndOffset(_ wanted: (gain: Float, offset: Float)) throws {
        let found = try #require(
            try Self.change { x, y, t in
                Self.moving(x, y, t) * (1 + (wanted.gain - 1) * t) + wanted.offset * t
            })
        #expect(abs(found.gain - wanted.gain) < 0.03 && abs(found.offset - wanted.offset) < 3, "\(found)")
    }

    @Test(arguments: [(320, 200), (1, 1), (2, 1), (33, 9)]) func flatFrames(_ size: (Int, Int)) throws {
        let found = try #require(try Self.change(width: size.0, height: size.1) { _, _, t in t == 0 ? 20 : 60 })
        #expect(found.gain == 1 && abs(found.offset - 40) < 0.01)
    }

    @Test func noChange() throws {
        #expect(try Self.change(Self.moving) == nil)
        #expect(try Self.change { x, y, t in Self.moving(x, y, t) + 3 * t } == nil)
    }

    /// Other changes than those of the whole frame are left to the motion.
    @Test func changeOfAPart() throws {
        #expect(try Self.change { x, y, t in Self.moving(x, y, t) + (x < 160 ? 60 * t : 0) } == nil)
        // A bright object comes into view.
        #expect(try Self.change { x, y, t in x < 320 * t - 200 ? 230 : Self.moving(x, y, t) } == nil)
    }

    /// From one frame to the other and back, values that do not clip stay the same; halfway, both meet.
    @Test(arguments: [8, 10, 16]) func tables(_ bitDepth: Int) throws {
        let change = try #require(
            try Self.change { x, y, t in Self.moving(x, y, t) * (1 - 0.25 * t) + 8 * t })
        let unit = 1 << (bitDepth - 8)
        let there = change.fromFirst(to: 1, bitDepth: bitDepth), back = change.fromSecond(to: 0, bitDepth: bitDepth)
        #expect(there.count == 256 * unit && back.count == 256 * unit)
        #expect(change.fromFirst(to: 0, bitDepth: bitDepth) == change.fromSecond(to: 1, bitDepth: bitDepth))
        let halfA = change.fromFirst(to: 0.5, bitDepth: bitDepth),
            halfB = change.fromSecond(to: 0.5, bitDepth: bitDepth)
        for value in stride(from: 60 * unit, through: 200 * unit, by: 7) {
            let other = Int(there[value])
            #expect(abs(Int(back[other]) - value) <= 1)
            #expect(abs(Int(halfA[value]) - Int(halfB[other])) <= 1)
            let grey = 128 * unit, away = Int(change.chromaFromFirst(to: 1, bitDepth: bitDepth)[value]) - grey
            #expect(abs(Float(away) - change.gain * Float(value - grey)) <= 1)
        }
    }
}
