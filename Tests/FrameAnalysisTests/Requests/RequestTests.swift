import FrameAnalysis
import FrameCore
import TestSupport
import Testing

@Suite struct AestheticsTests {
    private func score(_ buffer: PixelBuffer) throws -> ImageAestheticsScoresObservation {
        try CalculateImageAestheticsScoresRequest().perform(on: DrawnPicture.frame(buffer))
    }

    @Test(arguments: 0..<5)
    func aCleanFrameOutranksItsSpoiledCopies(seed: Int) throws {
        let clean = try DrawnPicture.scene(seed)
        let best = try score(clean)
        #expect(!best.isUtility)
        // The darkest scene needs more light before it clips.
        let spoiled = [
            "blurred": try DrawnPicture.blurred(clean, across: 3, down: 3),
            "motion-blurred": try DrawnPicture.blurred(clean, across: 9, down: 0),
            "noisy": try DrawnPicture.noisy(clean, sigma: 14), "dark": try DrawnPicture.lit(clean, gain: 0.25),
            "burnt": try DrawnPicture.lit(clean, gain: seed == 4 ? 4 : 2.4), "blocky": try DrawnPicture.blocky(clean),
        ]
        for (name, buffer) in spoiled {
            let other = try score(buffer).overallScore
            #expect(best.overallScore > other, "\(name) \(other) is not below \(best.overallScore)")
        }
    }

    @Test func picturesOfNothingAreUtility() throws {
        let pictures: [(PixelBuffer, UtilityKind)] = [
            (try GeneratedPicture.flat(17, width: 320, height: 192), .black),
            (try GeneratedPicture.flat(233, width: 320, height: 192), .white),
            (try GeneratedPicture.flat(120, width: 320, height: 192), .blank),
            (try DrawnPicture.bars(), .bars), (try DrawnPicture.text(), .text),
            (
                try DrawnPicture.mixed(
                    GeneratedPicture.flat(60, width: 320, height: 192), DrawnPicture.scene(1), share: 0.14), .faded
            ),
        ]
        for (buffer, kind) in pictures {
            let found = try score(buffer)
            #expect(found.utilityKind == kind)
            #expect(found.isUtility)
            #expect(found.overallScore <= -0.5)
        }
    }

    /// The ground of a title card is often a gradient.
    @Test(arguments: [0, 50, 70]) func lettersOnAGradientAreText(steepness: Int) throws {
        let letters = try DrawnPicture.text()
        let card = try DrawnPicture.changed(letters) { x, y, value in
            (60..<132).contains(y) && value(x, y) > 128 ? 235 : 20 + steepness * y / DrawnPicture.height + x / 12
        }
        #expect(try score(card).utilityKind == .text)
        let scene = try DrawnPicture.scene(1)
        #expect(try score(scene).utilityKind == nil)
    }

    /// Rows of bars, a ramp of each of three colors, and a chart.
    @Test(arguments: [320, 640]) func testPatternsAreUtility(width: Int) throws {
        let height = width * 9 / 16
        let colors = [
            (180, 128, 128), (162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198), (65, 100, 212),
            (35, 212, 114),
        ]
        func draw(_ color: (_ x: Double, _ y: Double) -> (Int, Int, Int)) throws -> PixelBuffer {
            try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, y in
                let scale = plane == 0 ? 1 : 2
                let (y, u, v) = color(Double(x * scale) / Double(width), Double(y * scale) / Double(height))
                return plane == 0 ? y : plane == 1 ? u : v
            }
        }
        let rows = try draw { x, y in
            let bar = min(6, Int(x * 7))
            if y < 0.67 { return colors[bar] }
            if y < 0.75 { return bar % 2 == 0 ? colors[6 - bar] : (16, 128, 128) }
            return x < 0.18 ? (35, 156, 97) : x < 0.36 ? (235, 128, 128) : x < 0.54 ? (35, 174, 152) : (16, 128, 128)
        }
        let ramps = try draw { x, y in
            let level = Int(112 * x)
            return y < 0.33
                ? (16 + level / 2, 128 - level / 3, 128 + level)
                : y < 0.67
                    ? (16 + level, 128 - level / 2, 128 - level / 2) : (16 + level / 5, 128 + level, 128 - level / 6)
        }
        let chart = try draw { x, y in colors[(Int(x * 6) + 3 * Int(y * 4)) % 6 + 1] }
        for pattern in [rows, ramps, chart] { #expect(try score(pattern).utilityKind == .bars) }
    }

    /// Flat saturated colors alone make no test pattern: animation has slanted and round edges, a slide has a ground.
    @Test func animationSlidesAndLogosAreNoTestPatterns() throws {
        let colors = [(162, 44, 142), (131, 156, 44), (112, 72, 58), (84, 184, 198), (65, 100, 212), (35, 212, 114)]
        func draw(_ color: (_ x: Float, _ y: Float) -> (Int, Int, Int)) throws -> PixelBuffer {
            try GeneratedPicture.draw(.yuv420p8, width: 640, height: 360) { plane, x, y in
                let scale = plane == 0 ? 1 : 2
                let (y, u, v) = color(Float(x * scale), Float(y * scale))
                return plane == 0 ? y : plane == 1 ? u : v
            }
        }
        let discs = try draw { x, y in
            let place = (0..<12).last { disc in
                let (dx, dy) = (x - Float(60 + disc * 97 % 560), y - Float(40 + disc * 61 % 300))
                return dx * dx + dy * dy < 8000
            }
            return colors[(place ?? 4) % 6]
        }
        let slanted = try draw { x, y in colors[(Int(x + 0.4 * y) / 120) % 6] }
        let slide = try draw { x, y in
            let box = Int(x / 107)
            return x.truncatingRemainder(dividingBy: 107) > 30 && y > 100 + 25 * Float(box) && y < 330
                ? colors[box] : (65, 190, 100)
        }
        for picture in [discs, slanted, slide] { #expect(try score(picture).utilityKind != .bars) }
    }

    @Test func scoresStayInRangeAtEverySize() throws {
        for (width, height) in [(16, 16), (17, 90), (400, 20), (33, 31), (1000, 700)] {
            for depth in [8, 10] {
                let format = try PixelFormat(subsampling: depth == 8 ? .monochrome : .yuv444, bitDepth: depth)
                let buffer = try GeneratedPicture.waves(format, width: width, height: height)
                let found = try score(buffer).overallScore
                #expect(found >= -1 && found <= 1)
            }
        }
    }

    @Test func weightsAddUpToOne() {
        #expect(abs(AestheticCue.allCases.reduce(0) { $0 + $1.weight } - 1) < 1e-5)
    }
}

@Suite struct FeaturePrintTests {
    private func print(_ buffer: PixelBuffer) throws -> FeaturePrintObservation {
        try GenerateImageFeaturePrintRequest().perform(on: DrawnPicture.frame(buffer))
    }

    @Test func alteredCopiesLieNearerThanOtherScenes() throws {
        let scenes = try (0..<5).map { try print(DrawnPicture.scene($0)) }
        for seed in 0..<5 {
            let clean = try DrawnPicture.scene(seed)
            for copy in [
                try DrawnPicture.lit(clean, gain: 0.75), try DrawnPicture.noisy(clean, sigma: 5),
                try DrawnPicture.blurred(clean, across: 1, down: 1),
            ] {
                let near = try scenes[seed].distance(to: print(copy))
                #expect(near < FeaturePrintObservation.sameThreshold)
                for other in 0..<5 where other != seed {
                    #expect(try scenes[seed].distance(to: scenes[other]) > near)
                }
            }
        }
    }

    @Test func distanceIsSymmetricAndZeroForTheSame() throws {
        let (a, b) = (try print(DrawnPicture.scene(0)), try print(DrawnPicture.scene(3)))
        #expect(try a.distance(to: a) == 0)
        #expect(try a.distance(to: b) == b.distance(to: a))
        #expect(try a.distance(to: b) > FeaturePrintObservation.sameThreshold)
    }

    @Test func printsOfOtherRevisionsAreRefused() throws {
        let a = try print(DrawnPicture.scene(0))
        let b = FeaturePrintObservation(time: .zero, duration: nil, revision: 2, bytes: [UInt8](a.data))
        #expect(throws: FrameError.self) { try a.distance(to: b) }
        #expect(throws: FrameError.self) { try FeaturePrintObservation(data: a.data, revision: 2, time: .zero) }
        #expect(throws: FrameError.self) {
            try FeaturePrintObservation(data: a.data.dropLast(), revision: 1, time: .zero)
        }
        let again = try FeaturePrintObservation(data: a.data, revision: 1, time: .zero)
        #expect(try again.distance(to: a) == 0)
        #expect(a.elementCount == a.data.count)
    }
}

@Suite struct SaliencyTests {
    /// Two equal discs at equal distances from the middle: one lies on its ground, the other touches the border.
    @Test func aSurroundedObjectIsHotterThanOneAtTheBorder() throws {
        let (width, height) = (256, 192)
        let picture = try GeneratedPicture.draw(.yuv420p8, width: width, height: height) { plane, x, y in
            let scale = plane == 0 ? 1 : 2
            let (px, py) = (Float(x * scale), Float(y * scale))
            func isInDisc(_ cx: Float) -> Bool { (px - cx) * (px - cx) + (py - 96) * (py - 96) < 24 * 24 }
            let isBand = px < 44 && abs(py - 96) < 16
            let isThing = isInDisc(44) || isBand || isInDisc(Float(width) - 44)
            return plane == 0 ? (isThing ? 190 : 80) : plane == 1 ? (isThing ? 90 : 128) : 128
        }
        let map = try GenerateAttentionBasedSaliencyImageRequest().perform(on: DrawnPicture.frame(picture)).heatMap
        func heat(_ x: Int) -> Float { map.values[map.height / 2 * map.width + x * map.width / width] }
        #expect(heat(width - 44) > 1.5 * heat(44), "\(heat(width - 44)) \(heat(44))")
    }

    @Test(arguments: 0..<5)
    func thePeakLiesOnTheThing(seed: Int) throws {
        let frame = DrawnPicture.frame(try DrawnPicture.scene(seed))
        let (cx, cy) = (100 + Double(seed * 37 % 120), 60 + Double(seed * 23 % 70))
        for found in [
            try GenerateAttentionBasedSaliencyImageRequest().perform(on: frame),
            try GenerateObjectnessBasedSaliencyImageRequest().perform(on: frame),
        ] {
            #expect(found.heatMap.values.count == found.heatMap.width * found.heatMap.height)
            #expect(found.heatMap.values.allSatisfy { $0 >= 0 && $0 <= 1 })
            let (x, y) = (found.heatMap.peak.x * 320, (1 - found.heatMap.peak.y) * 192)
            #expect((x - cx) * (x - cx) + (y - cy) * (y - cy) < 40 * 40)
            let box = try #require(found.salientObjects.first?.boundingBox.pixels(width: 320, height: 192))
            #expect(box.x < Int(cx) && box.x + box.width > Int(cx) && box.y < Int(cy) && box.y + box.height > Int(cy))
        }
    }

    @Test func boxesOfNoNumbersHaveNoPixels() {
        let box = NormalizedRect(x: .nan, y: .infinity, width: 1e300, height: -.infinity)
        let pixels = box.pixels(width: 100, height: 50)
        #expect(pixels.x == 0 && abs(pixels.y) <= 1_000_000_000)
        let half = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.5).pixels(width: 100, height: 50)
        #expect(half == (25, 0, 50, 25))
    }

    @Test func anEvenPictureHasNoHeat() throws {
        let frame = DrawnPicture.frame(try GeneratedPicture.flat(90, width: 200, height: 100))
        let found = try GenerateObjectnessBasedSaliencyImageRequest().perform(on: frame)
        #expect(found.heatMap.values.allSatisfy { $0 == 0 })
        #expect(found.salientObjects.isEmpty)
    }
}
