import FrameCore
import FrameEffects
import Imaging
import Pipeline
import TestSupport
import Testing

@Suite struct KeptAreasTests {
    private static let (width, height) = (64, 48)

    /// A moving ground with a number on it that stands still: bars that differ from frame to frame.
    private static func pictures(_ count: Int, _ format: PixelFormat = .yuv420p8) throws -> [PixelBuffer] {
        try (0..<count).map { number in
            let ground = MovingScene.translation(3.1, 0.7, seed: 5)
            let moving = try ground.picture(Float(number), width: width, height: height)
            let samples = (0..<3).map { moving.samples(ofPlane: $0) }
            return try GeneratedPicture.draw(format, width: width, height: height) { plane, x, y in
                let shift = format.shift(plane).x
                let (across, down) = (x << shift, y << format.shift(plane).y)
                if plane == 0, (8..<24).contains(across), (6..<14).contains(down) {
                    return number >> ((across - 8) / 4) & 1 == 1 ? 235 : 16
                }
                guard plane > 0, plane < 3 else { return Int(samples[0][down * width + across]) }
                return Int(samples[plane][down / 2 * (width / 2) + across / 2])
            }
        }
    }

    private func run(
        _ effect: any ClipEffect, _ pictures: [PixelBuffer], cuts: [Int: Transition.Kind] = [:], from segment: Int = 0
    ) throws -> [Frame] {
        let sink = RecordingSink(from: segment)
        _ = try ConversionPipeline(
            source: GeneratedSource(
                times: pictures.indices.map { MediaTime(value: Int64($0), timescale: 24) },
                durations: pictures.map { _ in MediaTime(value: 1, timescale: 24) },
                stream: VideoStreamDescription(
                    format: pictures[0].format, width: pictures[0].width, height: pictures[0].height,
                    timeBase: Rational(1, 24), nominalFrameRate: Rational(24, 1), frameCount: pictures.count)
            ) { pictures[$0] }, sink: sink, finder: ScriptedTransitions(cuts), chain: EffectChain(effect)
        ).run()
        return sink.frames
    }

    private static let everything = "0,0,\(width),\(height)"

    private func effect(_ step: EffectStep, _ rectangles: String..., quality: QualityPrioritization = .normal) throws
        -> any ClipEffect
    {
        let areas = KeptAreas(rectangles: try rectangles.map { try KeptRectangle($0) })
        return try step.keeping(areas).effect(ConversionOptions(quality: quality))
    }

    private static let steps: [EffectStep] = [
        .slomo(phases: [Rational(1, 4), Rational(1, 2), Rational(3, 4)]), .smooth(depth: 2),
        .blur(strength: 80, isLinearLight: false), .denoise(.sigma(8)),
    ]

    /// Where everything is kept, each made frame is the nearest source frame, the earlier one of two.
    @Test(arguments: steps) func allOfAFrameIsKept(step: EffectStep) throws {
        for format in [
            PixelFormat.yuv420p8, try PixelFormat(subsampling: .yuv444, bitDepth: 10),
            try PixelFormat(subsampling: .monochrome, bitDepth: 16),
        ] {
            let pictures = try Self.pictures(6, format)
            let frames = try run(effect(step, Self.everything), pictures)
            let perFrame = frames.count > 6 ? 4 : 1
            #expect(frames.count == (pictures.count - 1) * perFrame + 1)
            for (index, frame) in frames.enumerated() {
                let nearest = index / perFrame + (index % perFrame > 2 ? 1 : 0)
                #expect(frame.buffer.hasSameSamples(as: pictures[nearest]), "\(step.name) \(format) \(index)")
            }
        }
    }

    /// Outside a rectangle, frames are those without it; inside, those of the source.
    @Test(arguments: steps) func onlyARectangleIsKept(step: EffectStep) throws {
        let pictures = try Self.pictures(5)
        let plain = try run(step.effect(ConversionOptions()), pictures)
        let kept = try run(effect(step, "8,6,16,8"), pictures)
        try #require(plain.count == kept.count)
        let perFrame = plain.count > 5 ? 4 : 1
        for (index, (a, b)) in zip(plain, kept).enumerated() {
            let nearest = pictures[index / perFrame + (index % perFrame > 2 ? 1 : 0)]
            for plane in 0..<3 {
                let scale = plane == 0 ? 1 : 2, columns = Self.width / scale
                let (without, with) = (a.buffer.samples(ofPlane: plane), b.buffer.samples(ofPlane: plane))
                let source = nearest.samples(ofPlane: plane)
                for place in with.indices {
                    let (x, y) = (place % columns * scale, place / columns * scale)
                    let isInside = (8..<24).contains(x) && (6..<14).contains(y)
                    #expect(with[place] == (isInside ? source : without)[place], "\(step.name) \(index) \(x),\(y)")
                }
            }
        }
    }

    /// Nothing passes a cut, except where both sides are mixed.
    @Test(arguments: [CutTreatment.hold, .blend]) func aCutStays(treatment: CutTreatment) throws {
        let pictures = try Self.pictures(6)
        let areas = KeptAreas(rectangles: [try KeptRectangle(Self.everything)])
        let step = EffectStep.slomo(phases: [Rational(1, 4), Rational(3, 4)]).keeping(areas)
        let frames = try run(step.effect(ConversionOptions(atCut: treatment)), pictures, cuts: [3: .cut])
        // The pair before the cut begins with frame 6.
        #expect(frames[7].buffer.hasSameSamples(as: pictures[2]))
        #expect(frames[8].buffer.hasSameSamples(as: pictures[treatment == .hold ? 2 : 3]))
    }

    /// The mean of moments is replaced by the source frame nearest to its time.
    @Test func aRampKeepsWhatIsNearest() throws {
        let pictures = try Self.pictures(12)
        let curve = try SpeedCurve(text: "0:3")
        let areas = KeptAreas(rectangles: [try KeptRectangle(Self.everything)])
        let step = EffectStep(SlomoStep(speed: .ramp(curve, rate: Rational(24, 1), blur: .auto))).keeping(areas)
        let frames = try run(step.effect(ConversionOptions()), pictures)
        #expect(frames.count == 4)
        for (index, frame) in frames.enumerated() {
            #expect(pictures.contains { $0.hasSameSamples(as: frame.buffer) }, "\(index)")
            #expect(frame.buffer.hasSameSamples(as: pictures[3 * index]), "\(index)")
        }
    }

    // MARK: - A mask for each frame

    /// Masks of which only every third is white.
    private struct Masks: MaskSequence {
        func reader(from number: Int) throws -> any MaskReader { Reader(number) }

        final class Reader: MaskReader {
            private var number: Int
            init(_ number: Int) { self.number = number }
            func next() throws -> PictureMask {
                defer { number += 1 }
                var mask = PictureMask(width: width, height: height)
                if number % 3 == 0 { mask.keep(columns: 0..<width, rows: 0..<height) }
                return mask
            }
        }
    }

    private func masked(_ step: EffectStep) throws -> EffectChain {
        let areas = KeptAreas(mask: "mask_%d.png")
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: Self.width, height: Self.height, timeBase: Rational(1, 24),
            nominalFrameRate: Rational(24, 1))
        return try EffectChain(step.keeping(areas).effect(ConversionOptions())).readingMasks(of: stream) {
            file, frames in
            #expect(file == "mask_%d.png" && frames.width == Self.width)
            return .sequence(Masks())
        }
    }

    /// Each frame has the mask of its source frame, wherever a run begins.
    @Test(arguments: steps) func eachFrameHasItsMask(step: EffectStep) throws {
        let count = ResetSchedule.interval + 10
        let base = try Self.pictures(40), pictures = (0..<count).map { base[$0 % 40] }
        let plain = try run(step.effect(ConversionOptions()), pictures)
        let whole = try run(masked(step).effects[0], pictures)
        let perFrame = plain.count > count ? 4 : 1
        for index in 0..<min(60, plain.count) {
            let nearest = index / perFrame + (index % perFrame > 2 ? 1 : 0)
            let wanted = nearest % 3 == 0 ? pictures[nearest] : plain[index].buffer
            #expect(whole[index].buffer.hasSameSamples(as: wanted), "\(step.name) \(index)")
        }
        let rest = try run(masked(step).effects[0], pictures, from: 1)
        #expect(!rest.isEmpty && rest.count < 50)
        for (a, b) in zip(rest.reversed(), whole.reversed()) {
            #expect(a.presentationTime == b.presentationTime && a.buffer.hasSameSamples(as: b.buffer))
        }
    }

    // MARK: - Errors

    @Test(arguments: ["60,40,5,1", "0,41,1,8", "0,0,65,1"])
    func aRectangleLiesInThePicture(text: String) throws {
        let pictures = try Self.pictures(2)
        let error = #expect(throws: FrameError.self) {
            try run(effect(.smooth(depth: 1), text), pictures)
        }
        #expect(
            error?.message
                == "the rectangle \(text) (x,y,width,height) reaches beyond the picture of 64x48 pixels")
    }

    @Test(arguments: ["", "1,2,3", "1,2,0,4", "-1,0,5,5", "a,b,c,d", "1,2,3,4,5", "1,2,3,99999"])
    func otherTextIsNoRectangle(text: String) {
        let error = #expect(throws: FrameError.self) { try EffectStep("blur", ["hold_rects": text]) }
        #expect(error?.message.hasPrefix("hold_rects '\(text)' is not a rectangle such as 20,10,200,80") == true)
    }

    @Test func whatKeepsNothingIsRefused() throws {
        let areas = KeptAreas(rectangles: [try KeptRectangle("0,0,8,8")])
        for step in [EffectStep.smooth(depth: 1, scale: 2), EffectStep(RateStep(rate: nil))] {
            let error = #expect(throws: FrameError.self) { try step.keeping(areas).effect(ConversionOptions()) }
            #expect(error?.message.contains("leave out the mask and the rectangles") == true)
        }
        #expect(EffectStep.upscale(.factor(Rational(2, 1))).canKeepAreas == false)
    }

    @Test func onlyJobsReadMasks() throws {
        let step = EffectStep.blur(strength: 50, isLinearLight: false).keeping(KeptAreas(mask: "mask.png"))
        let error = #expect(throws: FrameError.self) { try run(step.effect(ConversionOptions()), Self.pictures(3)) }
        #expect(error?.message.hasPrefix("only jobs read a mask") == true)
    }
}
