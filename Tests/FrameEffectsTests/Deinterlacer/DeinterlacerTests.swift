import FrameCore
import FrameEffects
import TestSupport
import Testing

/// Properties of every deinterlaced picture.
@Suite struct DeinterlacerTests {
    /// Whether the rows of a field are those of the interlaced picture.
    private func keepsField(_ made: PixelBuffer, of frame: PixelBuffer, parity: Int) -> Bool {
        (0..<frame.format.planeCount).allSatisfy { plane in
            let width = frame.format.planeWidth(plane, width: frame.width)
            let a = made.samples(ofPlane: plane), b = frame.samples(ofPlane: plane)
            return a.indices.allSatisfy { $0 / width & 1 != parity || a[$0] == b[$0] }
        }
    }

    @Test(arguments: FieldOrder.allCases, [QualityPrioritization.normal, .quality])
    func rowsOfTheFieldAreKept(_ order: FieldOrder, _ quality: QualityPrioritization) throws {
        var scene = InterlacedScene(scene: .translation(3, 1.5, seed: 2))
        scene.order = order
        let made = try scene.deinterlaced(quality: quality), frame = try scene.frame(1)
        let first = order == .topFirst ? 0 : 1
        try #require(made.count == 2)
        #expect(keepsField(made[0], of: frame, parity: first))
        #expect(keepsField(made[1], of: frame, parity: 1 - first))
    }

    /// Where nothing moves, not a bit changes, at the ends of a scene too.
    @Test(arguments: [QualityPrioritization.normal, .quality]) func stillPicturesAreCopied(
        _ quality: QualityPrioritization
    ) throws {
        for (format, width, height) in [
            (PixelFormat.yuv420p8, 64, 48), (try PixelFormat(subsampling: .yuv422, bitDepth: 10), 97, 61),
            (try PixelFormat(subsampling: .yuv444, bitDepth: 16), 33, 17),
        ] {
            let picture = try GeneratedPicture.texture(format, width: width, height: height)
            for (previous, next) in [(true, true), (true, false), (false, true)] {
                let engine = try DeinterlacerEngine(
                    format: format, width: width, height: height, quality: quality, context: .init(threads: 2))
                let made = try engine.pictures(
                    of: picture, previous: previous ? picture : nil, next: next ? picture : nil, order: .topFirst,
                    count: 2)
                #expect(made.count == 2 && made.allSatisfy { $0.hasSameSamples(as: picture) })
            }
        }
    }

    /// Far from moving objects, not a single bit changes.
    @Test func stillAreasAreCopied() throws {
        let scene = InterlacedScene(scene: BlurScene.square(4, 0).scene), frame = try scene.frame(1)
        for made in try scene.deinterlaced() {
            let difference = PictureDifference(made, frame) { x, y in x < 40 || x >= 160 || y < 20 || y >= 124 }
            #expect(difference.largest == 0)
        }
    }

    /// A field has half of the rows. Motion must give back more of the others than the field itself, unless it is by an odd
    /// number of rows from field to field: then all fields hold the same rows.
    @Test(
        arguments: [(0, 1), (0, 2), (0, 0.5), (0, 3.25), (4, 0), (2.5, -1), (-7, 4)] as [(Float, Float)],
        [QualityPrioritization.normal, .quality])
    func movingPicturesComeBack(_ motion: (Float, Float), _ quality: QualityPrioritization) throws {
        let scene = InterlacedScene(scene: .translation(motion.0, motion.1, seed: 4))
        let gain = abs(motion.1.truncatingRemainder(dividingBy: 2)) == 1 ? 0.0 : 1.0
        let made = try scene.deinterlaced(2, quality: quality)
        let alone = try scene.deinterlaced(2, quality: quality, hasPrevious: false, hasNext: false)
        for (index, picture) in made.enumerated() {
            let truth = try scene.truth(4 + index)
            func psnr(_ picture: PixelBuffer) -> Double {
                PictureDifference(picture, truth) { x, y in (16..<176).contains(x) && (16..<128).contains(y) }.psnr
            }
            #expect(psnr(picture) > psnr(alone[index]) + gain, "\(motion): \(psnr(picture)), \(psnr(alone[index]))")
        }
    }

    /// A camera that shakes from field to field does not go half of the way that lies between two fields of the same parity.
    @Test(arguments: [QualityPrioritization.normal, .quality])
    func shakingPicturesComeBack(_ quality: QualityPrioritization) throws {
        let steady = MovingScene.translation(2, 0, seed: 4).level
        let scene = InterlacedScene(
            scene: MovingScene { plane, x, y, t in
                let sign: Float = Int(t) & 1 == 0 ? 1 : -1
                return steady(plane, x - 1.5 * sign, y - sign, t)
            })
        let made = try scene.deinterlaced(2, quality: quality)
        let alone = try scene.deinterlaced(2, quality: quality, hasPrevious: false, hasNext: false)
        for (index, picture) in made.enumerated() {
            let truth = try scene.truth(4 + index)
            func psnr(_ picture: PixelBuffer) -> Double {
                PictureDifference(picture, truth) { x, y in (16..<176).contains(x) && (16..<128).contains(y) }.psnr
            }
            #expect(psnr(picture) > psnr(alone[index]) + 1, "\(psnr(picture)), \(psnr(alone[index]))")
        }
    }

    @Test(arguments: ChromaSubsampling.allCases, [8, 10, 12, 16])
    func formats(_ subsampling: ChromaSubsampling, _ depth: Int) throws {
        for (width, height) in [(128, 96), (131, 75), (16, 16), (17, 19), (34, 18)] {
            var scene = InterlacedScene(scene: .translation(3, 1, seed: 6))
            scene.format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
            (scene.width, scene.height) = (width, height)
            for (previous, next) in [(true, true), (true, false), (false, true), (false, false)] {
                let made = try scene.deinterlaced(hasPrevious: previous, hasNext: next)
                for (index, picture) in made.enumerated() {
                    #expect(picture.format == scene.format && picture.width == width && picture.height == height)
                    #expect(isWithinRange(picture))
                    guard width > 100 else { continue }
                    let truth = try scene.truth(2 + index)
                    for plane in 0..<scene.format.planeCount {
                        let difference = PictureDifference(picture, truth, plane: plane)
                        #expect(difference.psnr > 22, "plane \(plane) of \(width)x\(height): \(difference.psnr)")
                    }
                }
            }
        }
    }

    /// The same samples at another bit depth have the same motion, so the results differ only by rounding.
    @Test func depthsAgree() throws {
        let scene = InterlacedScene(scene: .translation(5, 2, seed: 9)),
            wide = try PixelFormat(subsampling: .yuv420, bitDepth: 16)
        let frames = try (0..<3).map { try scene.frame($0) }
        let widened = try frames.map { frame in
            let samples = (0..<3).map { frame.samples(ofPlane: $0) }
            return try GeneratedPicture.draw(wide, width: 192, height: 144) { plane, x, y in
                Int(samples[plane][y * (plane == 0 ? 192 : 96) + x])
            }
        }
        let engine = try DeinterlacerEngine(
            format: wide, width: 192, height: 144, quality: .normal, context: .init(threads: 2))
        let made = try scene.deinterlaced()
        let others = try engine.pictures(
            of: widened[1], previous: widened[0], next: widened[2], order: .topFirst, count: 2)
        for (picture, other) in zip(made, others) {
            for plane in 0..<3 {
                let distances = zip(picture.samples(ofPlane: plane), other.samples(ofPlane: plane)).map {
                    abs(Int($0) << 8 - Int($1))
                }
                #expect((distances.max() ?? 0) <= 3 << 8)
            }
        }
    }

    @Test(arguments: [QualityPrioritization.normal, .quality]) func threadsMakeTheSame(
        _ quality: QualityPrioritization
    ) throws {
        let scene = InterlacedScene(scene: BlurScene.square(6, 3).scene)
        let one = try scene.deinterlaced(quality: quality, threads: 1)
        let many = try scene.deinterlaced(quality: quality, threads: 5)
        #expect(zip(one, many).allSatisfy { $0.hasSameSamples(as: $1) })
    }

    /// The first picture is the same whether or not the second is wanted.
    @Test func onePictureOfEachFrame() throws {
        let scene = InterlacedScene(scene: .translation(3, 1, seed: 3)), both = try scene.engine(),
            first = try scene.engine()
        let frames = try (0..<5).map { try scene.frame($0) }
        for index in 1..<4 {
            func pictures(_ engine: DeinterlacerEngine, _ count: Int) throws -> [PixelBuffer] {
                try engine.pictures(
                    of: frames[index], previous: frames[index - 1], next: frames[index + 1], order: .topFirst,
                    count: count)
            }
            let one = try pictures(first, 1)
            #expect(one.count == 1)
            #expect(try one[0].hasSameSamples(as: pictures(both, 2)[0]))
        }
    }

    /// A scene that ends between the two fields of a picture: each keeps its own rows and shows nothing of the other's.
    @Test func cutBetweenFieldsStaysSharp() throws {
        let before = NoiseTexture.planes(3), after = NoiseTexture.planes(4)
        let scene = InterlacedScene(
            scene: MovingScene { plane, x, y, t in t < 3 ? before[plane].value(x, y) : after[plane].value(x, y) })
        let made = try scene.deinterlaced(1), alone = try scene.deinterlaced(1, hasPrevious: false, hasNext: false)
        for index in 0..<2 {
            let truth = try scene.truth(2 + index)
            let psnr = PictureDifference(made[index], truth).psnr, least = PictureDifference(alone[index], truth).psnr
            #expect(psnr > least - 3, "picture \(index): \(psnr), the field alone \(least)")
        }
    }

    /// A lamp that is on in every second field is on or off as a whole, and what stands still around it stays.
    @Test func flickerMakesNoStripes() throws {
        let ground = NoiseTexture.planes(7)
        let scene = InterlacedScene(
            scene: MovingScene { plane, x, y, t in
                guard plane == 0, abs(x - 96) < 24, abs(y - 72) < 16 else { return ground[plane].value(x, y) }
                return Int(t) % 2 == 0 ? 200 : 60
            })
        for (index, made) in try scene.deinterlaced().enumerated() {
            let truth = try scene.truth(2 + index)
            let inside = PictureDifference(made, truth) { x, y in abs(x - 96) < 23 && abs(y - 72) < 12 }
            #expect(inside.largest <= 1)
            let outside = PictureDifference(made, truth) { x, y in abs(x - 96) > 34 || abs(y - 72) > 24 }
            #expect(outside.largest == 0)
        }
    }

    @Test func sessionsMakeWhatTheEngineMakes() async throws {
        let scene = InterlacedScene(scene: .translation(4, 1, seed: 5))
        let processor = FrameProcessor(context: .init(threads: 2))
        try processor.startSession(configuration: DeinterlacerConfiguration(frameWidth: 192, frameHeight: 144))
        defer { processor.endSession() }
        func frame(_ index: Int, _ time: Int64) throws -> FrameProcessorFrame {
            FrameProcessorFrame(
                buffer: try scene.frame(index), presentationTimeStamp: MediaTime(value: time, timescale: 50))
        }
        let targets = try [frame(0, 2), frame(0, 3)]
        let parameters = try DeinterlacerParameters(
            sourceFrame: frame(1, 2), nextFrame: frame(2, 4), previousFrame: frame(0, 0), fieldOrder: .topFirst,
            submissionMode: .random, destinationFrame: targets[0], secondDestinationFrame: targets[1])
        try await run(processor, parameters)
        let wanted = try scene.deinterlaced()
        for (target, picture) in zip(targets, wanted) { #expect(try target.buffer.hasSameSamples(as: picture)) }
    }
}
