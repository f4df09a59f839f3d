import FrameCore
import Imaging
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// What the deinterlacer makes of which frames, whatever its engine does.
@Suite struct DeinterlacePassTests {
    private let options = ConversionOptions()

    /// Runs the pass over frames with these field orders and the number of each as a caption.
    private func run(
        _ orders: [FieldOrder?], _ pass: DeinterlacePass, _ finder: ScriptedTransitions = ScriptedTransitions(),
        picture: @escaping @Sendable (Int) throws -> PixelBuffer
    ) throws -> (frames: [Frame], report: ConversionReport) {
        let number = Lock(0), first = try picture(0)
        let source = TaggingSource(
            GeneratedSource(
                times: orders.indices.map { MediaTime(value: Int64($0), timescale: 25) },
                durations: orders.map { _ in MediaTime(value: 1, timescale: 25) },
                stream: VideoStreamDescription(
                    format: first.format, width: first.width, height: first.height, timeBase: Rational(1, 25),
                    nominalFrameRate: Rational(25, 1), frameCount: orders.count), picture: picture)
        ) { frame in
            let own = number.withLock { number in
                defer { number += 1 }
                return number
            }
            frame.fieldOrder = orders[own]
            frame.sideData = SideData([
                .init(kind: "captions", code: 1, bytes: [UInt8(own)], isOfThisPictureOnly: true),
                .init(kind: "light", code: 17, bytes: [UInt8(own)]),
            ])
        }
        let sink = RecordingSink()
        let report = try ConversionPipeline(source: source, sink: sink, finder: finder, chain: EffectChain(pass)).run()
        return (sink.frames, report)
    }

    private func moving(_ index: Int) throws -> PixelBuffer { try GeneratedPicture.waves(dx: 5 * index) }

    /// Whether every row of a field is the source's.
    private func keeps(_ parity: Int, of source: PixelBuffer, in made: PixelBuffer) -> Bool {
        source.withPlanes { a in
            made.withPlanes { b in
                (0..<a.count).allSatisfy { plane in
                    stride(from: parity, to: a[plane].height, by: 2).allSatisfy { y in
                        (0..<a[plane].width).allSatisfy {
                            a[plane].sample($0, y, bytes: a.format.bytesPerSample)
                                == b[plane].sample($0, y, bytes: b.format.bytesPerSample)
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [FieldOrder.topFirst, .bottomFirst])
    func eachFieldKeepsItsRows(order: FieldOrder) throws {
        let (frames, report) = try run(Array(repeating: order, count: 5), DeinterlacePass(options: options)) {
            try moving($0)
        }
        #expect(frames.count == 10)
        let first = order == .topFirst ? 0 : 1
        for index in 0..<5 {
            let source = try moving(index)
            #expect(keeps(first, of: source, in: frames[2 * index].buffer))
            #expect(keeps(1 - first, of: source, in: frames[2 * index + 1].buffer))
            #expect(!frames[2 * index].buffer.hasSameSamples(as: source))
        }
        #expect(frames.allSatisfy { $0.fieldOrder == nil && !$0.isInterlaced })
        #expect(report.effects.first?.measurements == [EffectMeasurement(name: "interlaced frames", value: 5)])
        #expect(report.sourceFramesShown == 0)
    }

    @Test func captionsComeOutOnce() throws {
        let (frames, _) = try run(Array(repeating: .topFirst, count: 4), DeinterlacePass(options: options)) {
            try moving($0)
        }
        let captions = frames.map { $0.sideData.entries.filter(\.isOfThisPictureOnly).flatMap(\.bytes) }
        #expect(captions == [[0], [], [1], [], [2], [], [3], []])
        #expect(frames.map { $0.sideData.entries.last?.bytes.first } == [0, 0, 1, 1, 2, 2, 3, 3])
    }

    /// Frames that do not say that they are interlaced stay as they are, unless all are declared interlaced.
    @Test func progressiveFramesAreShownTwice() throws {
        let orders: [FieldOrder?] = [nil, .topFirst, nil, .bottomFirst, .topFirst]
        let (frames, report) = try run(orders, DeinterlacePass(options: options)) { try moving($0) }
        #expect(frames.count == 10)
        for (index, order) in orders.enumerated() {
            let source = try moving(index), made = frames[2 * index...2 * index + 1].map(\.buffer)
            guard let order else {
                #expect(made.allSatisfy { $0.hasSameSamples(as: source) })
                continue
            }
            #expect(keeps(order == .topFirst ? 0 : 1, of: source, in: made[0]))
            #expect(keeps(order == .topFirst ? 1 : 0, of: source, in: made[1]))
            #expect(!made[0].hasSameSamples(as: source))
        }
        #expect(report.effects.first?.measurements.first?.value == 3)
        let (forced, _) = try run(orders, DeinterlacePass(fields: .bottomFirst, options: options)) { try moving($0) }
        for index in orders.indices {
            #expect(keeps(1, of: try moving(index), in: forced[2 * index].buffer))
            #expect(!forced[2 * index].buffer.hasSameSamples(as: try moving(index)))
        }
    }

    @Test func oneFrameOfEachFrame() throws {
        let orders: [FieldOrder?] = [.bottomFirst, nil, .topFirst]
        let pass = DeinterlacePass(rate: .frame, options: options)
        let (frames, _) = try run(orders, pass) { try moving($0) }
        #expect(frames.map(\.presentationTime) == (0..<3).map { MediaTime(value: $0, timescale: 25) })
        #expect(keeps(1, of: try moving(0), in: frames[0].buffer))
        #expect(frames[1].buffer.hasSameSamples(as: try moving(1)))
        #expect(keeps(0, of: try moving(2), in: frames[2].buffer))
        #expect(frames.map { $0.sideData.entries.count } == [2, 2, 2])
    }

    /// The fields of 4:2:0 chroma differ in height if that of the frame is no multiple of 4.
    @Test(arguments: [48, 50, 47, 33, 17], [ChromaSubsampling.yuv420, .yuv422, .yuv444, .monochrome])
    func anyHeightWorks(height: Int, subsampling: ChromaSubsampling) throws {
        for depth in [8, 10] {
            let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
            let (frames, _) = try run([.topFirst, .topFirst, .bottomFirst], DeinterlacePass(options: options)) {
                try GeneratedPicture.texture(format, width: 35, height: height, seed: $0)
            }
            #expect(frames.count == 6)
            for index in 0..<3 {
                let source = try GeneratedPicture.texture(format, width: 35, height: height, seed: index)
                #expect(keeps(index == 2 ? 1 : 0, of: source, in: frames[2 * index].buffer))
                #expect(keeps(index == 2 ? 0 : 1, of: source, in: frames[2 * index + 1].buffer))
            }
        }
    }

    /// Cuts and holds of the source separate the frames of its fields, too.
    @Test func laterEffectsSeeTheCutsOfTheSource() throws {
        let scenes = [try GeneratedPicture.flat(30), try GeneratedPicture.flat(200)]
        let sink = RecordingSink()
        let source = GeneratedSource(count: 6) { scenes[$0 / 3] }
        _ = try ConversionPipeline(
            source: source, sink: sink, finder: ScriptedTransitions([3: .cut]),
            chain: try EffectChain([
                DeinterlacePass(fields: .topFirst, options: options),
                EffectStep.slomo(phases: [Rational(1, 2)]).effect(options),
            ])
        ).run()
        #expect(sink.frames.count == 23)
        let last = MediaTime(value: 12, timescale: 50)
        for frame in sink.frames {
            #expect(frame.buffer.hasSameSamples(as: scenes[frame.presentationTime < last ? 0 : 1]))
        }
    }

    // MARK: - What is known of the clip

    private func notes(_ pass: DeinterlacePass, rate: Rational? = Rational(25, 1)) -> [String] {
        pass.notes(
            over: VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: rate))
    }

    @Test func aNoteSaysWhatIsDone() {
        let pass = DeinterlacePass(options: options)
        #expect(notes(pass).isEmpty)
        #expect(
            notes(pass.knowing(FieldStructure(.interlaced(.topFirst))))
                == ["the video is interlaced (top field first); its fields become 50 frames/s"])
        #expect(
            notes(pass.knowing(FieldStructure(.interlaced(.bottomFirst))), rate: Rational(30000, 1001))
                == ["the video is interlaced (bottom field first); its fields become 60000/1001 frames/s"])
        let single = DeinterlacePass(rate: .frame, options: options).knowing(FieldStructure(.interlaced(.topFirst)))
        #expect(notes(single) == ["the video is interlaced (top field first); each frame becomes a progressive one"])
        let forced = DeinterlacePass(fields: .bottomFirst, options: options).knowing(FieldStructure(.progressive))
        #expect(
            notes(forced) == ["the video is taken for interlaced (bottom field first); its fields become 50 frames/s"])
    }

    @Test func aProgressiveClipKeepsItsRate() throws {
        let pass = DeinterlacePass(options: options).knowing(FieldStructure(.progressive))
        #expect(notes(pass) == ["the video is progressive, so its frames stay as they are"])
        let (frames, _) = try run([nil, nil, nil], pass) { try moving($0) }
        #expect(frames.count == 3)
        #expect(try frames.indices.allSatisfy { frames[$0].buffer.hasSameSamples(as: try moving($0)) })
        #expect(!pass.hidesCompression && DeinterlacePass(options: options).hidesCompression)
    }

    /// Effects at low latency must not wait for the search for cuts.
    @Test func theSearchForCutsIsThatOfTheOtherEffects() throws {
        let pass = DeinterlacePass(options: options), structure = FieldStructure(.interlaced(.topFirst))
        let live = EffectChain(try LowLatencyFrameInterpolationPass(depth: 1, options: options))
        #expect(live.deinterlaced(pass, structure).cuts == .live)
        let usual = EffectChain(try MotionBlurPass(strength: 50, options: options))
        #expect(usual.deinterlaced(pass, structure).cuts == .lookingAhead)
        #expect(EffectChain(pass).knowing(structure).cuts == .lookingAhead)
    }
}
