import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

@Suite struct FlowDrawingTests {
    private static let full = ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .full)

    private func uniform(_ vector: SIMD2<Float>, width: Int = 160, height: Int = 120) throws -> DenseFlow {
        try DenseFlow(width: width, height: height, vectors: Array(repeating: vector, count: width * height))
    }

    private func drawing(_ maximum: Float = 10, hasLegend: Bool = false, threads: Int = 1) -> FlowDrawing {
        FlowDrawing(maximum: maximum, hasLegend: hasLegend, color: Self.full, context: .init(threads: threads))
    }

    /// Returns a pixel of a full-range BT.709 picture as red, green and blue, 0…255.
    private func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Float> {
        let code = (0..<3).map { plane in
            picture.withPlanes { Float($0[plane].row(y).load(fromByteOffset: x, as: UInt8.self)) }
        }
        let (cb, cr) = (code[1] - 128, code[2] - 128)
        let (r, b) = (code[0] + 1.5748 * cr, code[0] + 1.8556 * cb)
        return [r, (code[0] - 0.2126 * r - 0.0722 * b) / 0.7152, b]
    }

    private func isNear(_ a: SIMD3<Float>, _ b: SIMD3<Float>, within tolerance: Float = 4) -> Bool {
        let difference = a - b
        return max(abs(difference.x), abs(difference.y), abs(difference.z)) <= tolerance
    }

    /// Colours follow the Middlebury code: motion to the right is red, down yellow, left cyan, up blue.
    @Test(
        arguments: [
            (SIMD2(10, 0), SIMD3(255, 0, 0)), (SIMD2(0, 10), SIMD3(255, 229.5, 0)),
            (SIMD2(-10, 0), SIMD3(0, 208.6, 255)),
            (SIMD2(0, -10), SIMD3(88.3, 0, 255)), (SIMD2(0, 0), SIMD3(255, 255, 255)),
            (SIMD2(5, 0), SIMD3(255, 127.5, 127.5)), (SIMD2(100, 0), SIMD3(191.25, 0, 0)),
        ] as [(SIMD2<Float>, SIMD3<Float>)])
    func colorsTellDirectionAndLength(motion: SIMD2<Float>, color: SIMD3<Float>) throws {
        let picture = try drawing().wheel(uniform(motion))
        #expect(picture.format == (try PixelFormat(subsampling: .yuv444, bitDepth: 8)))
        for (x, y) in [(0, 0), (80, 60), (159, 119)] {
            #expect(isNear(pixel(picture, x, y), color), "\(pixel(picture, x, y))")
        }
    }

    @Test func unknownMotionIsBlack() throws {
        var vectors = try uniform([3, 0]).vectors
        vectors[0] = [1.7e9, 1.7e9]
        let picture = try drawing().wheel(DenseFlow(width: 160, height: 120, vectors: vectors))
        #expect(isNear(pixel(picture, 0, 0), .zero))
        #expect(pixel(picture, 1, 0).x > 200)
    }

    @Test func rangeAndMatrixAreKept() throws {
        let limited = FlowDrawing(
            maximum: 1, hasLegend: false,
            color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited)
        )
        let white = try limited.wheel(uniform([0, 0]))
        #expect(white.samples(ofPlane: 0).allSatisfy { $0 == 235 })
        #expect(white.samples(ofPlane: 1).allSatisfy { $0 == 128 })
        let red = try limited.wheel(uniform([1, 0]))
        #expect(red.samples(ofPlane: 0)[0] == 63 && red.samples(ofPlane: 2)[0] == 240)
    }

    /// An arrow points from its start in the direction of motion, with the length that the scale gives.
    @Test(arguments: [SIMD2<Float>(8, 0), [-8, 0], [0, 8], [0, -8], [6, 6]])
    func arrowsPointWhereThingsGo(motion: SIMD2<Float>) throws {
        let (width, height) = (160, 120)
        // A single vector at a lattice point: spacing 12 from (160 % 12 + 12) / 2 = 8 and (0 + 12) / 2 = 6.
        var vectors = [SIMD2<Float>](repeating: [1e10, 0], count: width * height)
        vectors[66 * width + 80] = motion
        let flow = try DenseFlow(width: width, height: height, vectors: vectors)
        let ground = try GeneratedPicture.flat(128, width: width, height: height)
        let picture = try drawing(8).arrows(flow, over: ground)
        var sum = SIMD2<Float>.zero, count: Float = 0, reach: Float = 0
        let length = (motion * motion).sum().squareRoot(), direction = motion / length
        for y in 0..<height {
            for x in 0..<width where !isNear(pixel(picture, x, y), [128, 128, 128], within: 40) {
                let away = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - SIMD2<Float>(80.5, 66.5)
                sum += away
                count += 1
                reach = max(reach, (away * direction).sum())
            }
        }
        #expect(count > 20)
        let mean = sum / count
        #expect((mean * direction).sum() > 4)
        #expect(abs(mean.x * direction.y - mean.y * direction.x) < 1)
        // At this scale, 8 pixels of motion are drawn 18 pixels long; longer arrows are clipped to that length.
        #expect(abs(reach - 18) < 2.5, "\(reach)")
    }

    @Test(arguments: [
        (ChromaSubsampling.yuv420, 8), (.yuv422, 10), (.yuv444, 12), (.monochrome, 16),
    ])
    func thePictureShowsThrough(subsampling: ChromaSubsampling, depth: Int) throws {
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
        let ground = try GeneratedPicture.waves(format, width: 53, height: 37)
        let picture = try FlowDrawing(maximum: 1, color: .unspecified).arrows(nil, over: ground)
        #expect(picture.width == 53 && picture.height == 37)
        #expect(picture.samples(ofPlane: 0) == ground.samples(ofPlane: 0).map { $0 >> (depth - 8) })
        if subsampling == .yuv444 {
            #expect(picture.samples(ofPlane: 2) == ground.samples(ofPlane: 2).map { $0 >> (depth - 8) })
        }
        if subsampling == .monochrome { #expect(picture.samples(ofPlane: 1).allSatisfy { $0 == 128 }) }
    }

    /// Spreading chroma keeps a ramp a ramp, and flat chroma flat.
    @Test func chromaIsSpreadEvenly() throws {
        let ground = try GeneratedPicture.draw(.yuv420p8, width: 64, height: 48) { plane, x, y in
            plane == 1 ? 40 + 4 * x : plane == 2 ? 77 : 100
        }
        let picture = try FlowDrawing(maximum: 1, color: .unspecified).arrows(nil, over: ground)
        #expect(picture.samples(ofPlane: 2).allSatisfy { $0 == 77 })
        let row = picture.samples(ofPlane: 1)[10 * 64..<10 * 64 + 62]
        #expect(Array(row) == (0..<62).map { UInt16(40 + 2 * $0) })
    }

    @Test func theLegendIsInItsCorner() throws {
        let flow = try uniform([0, 0], width: 400, height: 300)
        let plain = try drawing(5).wheel(flow), marked = try drawing(5, hasLegend: true).wheel(flow)
        var columns: [Int] = [], rows: [Int] = []
        for y in 0..<300 {
            for x in 0..<400 where !isNear(pixel(plain, x, y), pixel(marked, x, y)) {
                columns.append(x)
                rows.append(y)
            }
        }
        let left = try #require(columns.min()), right = try #require(columns.max())
        let top = try #require(rows.min()), bottom = try #require(rows.max())
        #expect(left > 300 && right < 399 && top > 200 && bottom < 299)
        // The colour of motion to the right is to the right of the wheel's centre.
        let middle = (left + right) / 2
        let east = pixel(marked, middle + 24, top + 33), west = pixel(marked, middle - 24, top + 33)
        #expect(east.x > 200 && east.y < 120)
        #expect(west.x < 120 && west.z > 200)
        // A picture that is too small has no legend.
        let small = try uniform([0, 0], width: 80, height: 60)
        #expect(try drawing(5, hasLegend: true).wheel(small).hasSameSamples(as: drawing(5).wheel(small)))
        // A different scale shows a different number.
        #expect(!(try drawing(8, hasLegend: true).wheel(flow).hasSameSamples(as: marked)))
    }

    @Test func threadsDoNotMatter() throws {
        let vectors = (0..<200 * 150).map { index -> SIMD2<Float> in
            let x = Float(index % 200 - 100), y = Float(index / 200 - 75)
            return SIMD2<Float>(x / 9, y / 7)
        }
        let flow = try DenseFlow(width: 200, height: 150, vectors: vectors)
        let one = try drawing(hasLegend: true).wheel(flow)
        #expect(try drawing(hasLegend: true, threads: 3).wheel(flow).hasSameSamples(as: one))
    }

    /// Drawing works for any vectors in a flow.
    @Test func wildNumbersAreTamed() throws {
        let wild: [(Float, Float)] = [
            (.infinity, .infinity), (-Float.infinity, .infinity), (.nan, 1), (0, -Float.infinity),
        ]
        for (x, y) in wild {
            let motion = SIMD2<Float>(x, y)
            #expect(FlowColorWheel.hue(motion) == .zero)
        }
        #expect(FlowColorWheel(maximum: 0.001).maximum == 0.01 && FlowColorWheel(maximum: 0.02).maximum == 0.02)
        let ground = try GeneratedPicture.flat(128, width: 160, height: 120)
        let maxima: [(Float, Float)] = [(4e-38, 0.01), (0, 1), (-3, 1), (.nan, 1), (.infinity, 1), (3e38, 3e38)]
        for (given, taken) in maxima {
            var late = drawing()
            late.maximum = given
            #expect(late.maximum == taken && drawing(given).maximum == taken)
            for motion in [SIMD2<Float>(5, -3), [1e8, 0], .zero] {
                let picture = try late.arrows(uniform(motion), over: ground)
                #expect(try picture.hasSameSamples(as: drawing(taken).arrows(uniform(motion), over: ground)))
            }
        }
    }

    @Test func sizesMustFit() throws {
        let ground = try GeneratedPicture.flat(128, width: 64, height: 48)
        let error = #expect(throws: FrameError.self) { try drawing().arrows(uniform([1, 0]), over: ground) }
        #expect(error?.message == "the flow is 160x120, the frame is 64x48; they must match")
        #expect(throws: FrameError.self) { try drawing().grey([1, 2, 3], width: 2, height: 2) }
        let grey = try drawing().grey([0, 128, 255, 64], width: 2, height: 2)
        #expect(grey.samples(ofPlane: 0) == [0, 128, 255, 64])
    }
}

@Suite struct FlowScaleTests {
    private func uniform(_ length: Float) throws -> DenseFlow {
        try DenseFlow(width: 32, height: 32, vectors: Array(repeating: [length, 0], count: 1024))
    }

    @Test(arguments: [(Float(0), Float(1)), (0.5, 1), (1, 1.5), (2, 3), (6.4, 8), (6.5, 10), (20, 30)])
    func figuresReadWell(length: Float, maximum: Float) throws {
        #expect(FlowScale.fitted(to: try uniform(length)) == maximum)
    }

    @Test func outliersDoNotCount() throws {
        var vectors = try uniform(4).vectors
        for index in 0..<4 { vectors[index * 200] = [300, 0] }
        vectors[5] = [1e10, 1e10]
        #expect(FlowScale.fitted(to: try DenseFlow(width: 32, height: 32, vectors: vectors)) == 5)
    }

    @Test func vectorsCountByTheirConfidence() throws {
        var vectors = try uniform(4).vectors
        for index in 0..<400 { vectors[index] = [300, 0] }
        let flow = try DenseFlow(width: 32, height: 32, vectors: vectors)
        let confidence = (0..<1024).map { UInt8($0 < 400 ? 3 : 200) }
        #expect(FlowScale.fitted(to: flow) == 400)
        #expect(FlowScale.fitted(to: flow, confidence: confidence) == 5)
        #expect(FlowScale.fitted(to: flow, confidence: Array(confidence.reversed())) == 400)
        // A confidence that does not match the vectors in size is ignored.
        #expect(FlowScale.fitted(to: flow, confidence: [0]) == 400)
        // A flow with zero confidence does not affect the scale, and after a cut the scale does not depend on the
        // previous scene.
        var scale = FlowScale()
        #expect(scale.fit(try uniform(4)) == 5)
        #expect(scale.fit(flow, confidence: Array(repeating: 0, count: 1024)) == 5)
        scale.cut()
        #expect(scale.fit(flow, confidence: Array(repeating: 0, count: 1024)) == 1)
        #expect(scale.fit(try uniform(20)) == 30)
    }

    @Test func itGrowsByAStepAtOnceAndShrinksWithPatience() throws {
        var scale = FlowScale()
        #expect(scale.fit(try uniform(4)) == 5)
        #expect(scale.fit(try uniform(4)) == 5)
        #expect(scale.fit(try uniform(4.5)) == 6)
        for _ in 1..<FlowScale.patience { #expect(scale.fit(try uniform(1)) == 6) }
        #expect(scale.fit(try uniform(1)) == 1.5)
        #expect(scale.largest == 6)
        scale = FlowScale()
        _ = scale.fit(try uniform(7))
        scale.cut()
        #expect(scale.fit(try uniform(1)) == 1.5)
    }

    /// One flow with extreme motion does not make all later ones look pale.
    @Test func itFollowsAnOutburstOnlyWhenItLasts() throws {
        var scale = FlowScale()
        #expect(scale.fit(try uniform(4)) == 5)
        #expect(scale.fit(try uniform(200)) == 5)
        #expect(scale.fit(try uniform(4)) == 5)
        for _ in 1..<FlowScale.conviction { #expect(scale.fit(try uniform(60)) == 5) }
        #expect(scale.fit(try uniform(200)) == 80)
    }

    /// Doubled motion also counts as an outlier: if two in a row were accepted, the scale would quadruple.
    @Test func outburstsDoNotChain() throws {
        var scale = FlowScale()
        #expect(scale.fit(try uniform(8)) == 10)
        for _ in 0..<10 {
            #expect(scale.fit(try uniform(16)) == 10)
            #expect(scale.fit(try uniform(32)) == 10)
            #expect(scale.fit(try uniform(8)) == 10)
        }
        #expect(scale.largest == 10)
    }

    /// The first flow of a scene may be the outlier.
    @Test func aScaleThatOneFlowAskedForIsGivenUpSoon() throws {
        var scale = FlowScale()
        #expect(scale.fit(try uniform(400)) == 500)
        for _ in 1..<FlowScale.conviction { #expect(scale.fit(try uniform(4)) == 500) }
        #expect(scale.fit(try uniform(4)) == 5)
    }
}

@Suite struct FlowLegendTests {
    @Test(arguments: [
        (Float(0.01), "0.01"), (1, "1"), (1.5, "1.5"), (9.999, "10"), (12.34, "12.3"), (100, "100"), (123.4, "123"),
        (1234.6, "1235"), (10_000, "10000"), (3e7, "30000000"),
    ])
    func figuresHaveNoExponent(value: Float, text: String) {
        #expect(FlowLegend.figure(value) == text)
    }
}
