import FrameCore
import FrameEffects
import Imaging
import Pipeline
import TestSupport
import Testing

/// Film whose frames were spread over fields comes out frame by frame.
@Suite struct TelecineTests {
    private let options = ConversionOptions()

    private func film(_ index: Int) throws -> PixelBuffer { try GeneratedPicture.waves(dx: 7 * index) }

    /// The film frames of the two fields of each frame.
    private func pairs(_ count: Int, _ pattern: [Int] = [2, 3]) -> [(Int, Int)] {
        let fields = (0..<count).flatMap { [Int](repeating: $0, count: pattern[$0 % pattern.count]) }
        return stride(from: 0, to: fields.count - 1, by: 2).map { (fields[$0], fields[$0 + 1]) }
    }

    /// Runs a chain over telecined frames at 30 frames/s, with the number of each as a caption.
    private func run(
        _ pairs: [(Int, Int)], _ kind: FieldStructure.Kind = .telecined(.topFirst, .threeTwo),
        cadence: FieldStructure.Cadence? = nil, pass: DeinterlacePass? = nil, then steps: [EffectStep] = [],
        evenly: Bool = false, finder: ScriptedTransitions = ScriptedTransitions(),
        film: ((Int) throws -> PixelBuffer)? = nil
    ) throws -> (frames: [Frame], report: ConversionReport) {
        var evidence = FieldStructure.Evidence()
        evidence.topFirstBlocks = 100
        let structure = FieldStructure(kind, cadence: cadence, evidence: evidence), order = structure.order ?? .topFirst
        let pictures = try pairs.map { first, second in
            let film = film ?? self.film
            return try film(first).replacingField(order == .topFirst ? 1 : 0, from: try film(second))
        }
        let number = Lock(0)
        let source = TaggingSource(
            GeneratedSource(
                times: pairs.indices.map { MediaTime(value: Int64($0), timescale: 30) },
                durations: pairs.map { _ in MediaTime(value: 1, timescale: 30) },
                stream: VideoStreamDescription(
                    format: pictures[0].format, width: pictures[0].width, height: pictures[0].height,
                    timeBase: Rational(1, 30), nominalFrameRate: Rational(30, 1), frameCount: pairs.count)
            ) { pictures[$0] }
        ) { frame in
            let own = number.withLock { number in
                defer { number += 1 }
                return number
            }
            frame.fieldOrder = order
            frame.sideData = SideData([.init(kind: "captions", code: 1, bytes: [UInt8(own)], isOfThisPictureOnly: true)]
            )
        }
        let sink = RecordingSink()
        var chain = try EffectChain(
            [(pass ?? DeinterlacePass(options: options)).knowing(structure)] + steps.map { try $0.effect(options) })
        if evenly { chain = try chain.spacingFilmEvenly(source.stream) }
        let report = try ConversionPipeline(source: source, sink: sink, finder: finder, chain: chain).run()
        return (sink.frames, report)
    }

    private func time(_ quarters: Int) -> MediaTime { MediaTime(value: Int64(quarters), timescale: 120) }

    @Test(arguments: [FieldOrder.topFirst, .bottomFirst])
    func filmFramesComeOutEvenly(order: FieldOrder) throws {
        let (frames, report) = try run(pairs(24), .telecined(order, .threeTwo))
        #expect(frames.count == 24)
        for (index, frame) in frames.enumerated() {
            #expect(frame.buffer.hasSameSamples(as: try film(index)), "film frame \(index)")
            #expect(frame.presentationTime == time(5 * index) && frame.fieldOrder == nil)
        }
        #expect(frames.dropLast().allSatisfy { $0.duration == time(5) })
        #expect(report.effects.first?.measurements.last == EffectMeasurement(name: "repeated frames", value: 6))
    }

    @Test func everyCadenceIsUndone() throws {
        let advanced = try run(pairs(24, [2, 3, 3, 2]), .telecined(.topFirst, .advanced)).frames
        #expect(try advanced.indices.allSatisfy { advanced[$0].buffer.hasSameSamples(as: try film($0)) })
        #expect(advanced.count == 24)
        // One field is missing, so every film frame is in two frames, and of the first and the last only one field.
        let fields = (0..<16).flatMap { [$0, $0] }.dropFirst().dropLast()
        let shifted = stride(from: fields.startIndex, to: fields.endIndex - 1, by: 2).map {
            (fields[$0], fields[$0 + 1])
        }
        let whole = try run(shifted, .telecined(.topFirst, .twoTwo)).frames
        #expect(whole.count == 15)
        #expect(try (1..<15).allSatisfy { whole[$0].buffer.hasSameSamples(as: try film($0)) })
    }

    @Test func brokenCadencesCanBeEvenlySpaced() throws {
        // The clip begins with the second half of a film frame, and two video frames are missing in the middle.
        let telecined = Array(pairs(50).dropFirst(2)), broken = Array(telecined[..<25] + telecined[27...])
        let uneven = try run(broken).frames, even = try run(broken, evenly: true).frames
        func steps(_ frames: [Frame]) -> Set<MediaTime> {
            Set(zip(frames.dropFirst(), frames).map { $0.presentationTime - $1.presentationTime })
        }
        #expect(steps(uneven).count > 1 && steps(even) == [time(5)])
        for frame in even {
            let nearest = uneven.filter { $0.buffer.hasSameSamples(as: frame.buffer) }
                .map { abs((frame.presentationTime - $0.presentationTime).seconds) }.min()
            // A picture that fills a gap is shown late.
            #expect(nearest ?? 1 < 0.042, "\(frame.presentationTime)")
        }
        let captions = even.flatMap(\.sideData.entries).filter(\.isOfThisPictureOnly).map { $0.bytes[0] }
        #expect(captions == broken.indices.map(UInt8.init))
        let chain = try EffectChain([DeinterlacePass(options: options)])
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 30), nominalFrameRate: Rational(30, 1))
        #expect(try chain.spacingFilmEvenly(stream).effects.count == 1)
    }

    @Test func captionsOfRepeatedFramesAreKept() throws {
        let pairs = pairs(16), (frames, _) = try run(pairs)
        let captions = frames.flatMap { $0.sideData.entries.filter(\.isOfThisPictureOnly).flatMap(\.bytes) }
        #expect(captions == pairs.indices.map(UInt8.init))
    }

    /// Rows that differ from each other in the film itself are no fields of different times.
    @Test func finePatternsAreKept() throws {
        func pattern(_ index: Int) throws -> PixelBuffer {
            try GeneratedPicture.draw(.yuv420p8, width: 96, height: 64) { plane, x, y in
                plane > 0 ? 128 : (((x + 7 * index) / 9 + y / 6) % 2 == 0 ? 60 : 190) + 16 * (y % 2)
            }
        }
        let (frames, _) = try run(pairs(24), film: pattern)
        #expect(frames.count == 24)
        for (index, frame) in frames.enumerated() {
            #expect(frame.buffer.hasSameSamples(as: try pattern(index)), "film frame \(index)")
            #expect(frame.presentationTime == time(5 * index))
        }
    }

    /// A run that begins with a reset point knows nothing of the frame before it.
    @Test func captionsAreNotHeldBackAcrossAResetPoint() throws {
        // Frame 239 repeats.
        let pairs = Array(pairs(203).dropFirst(3).prefix(248)), (frames, _) = try run(pairs)
        let captions = frames.map { $0.sideData.entries.filter(\.isOfThisPictureOnly).flatMap(\.bytes) }
        #expect(captions.flatMap(\.self) == pairs.indices.map(UInt8.init))
        #expect(captions.contains([238, 239]) && captions.contains([240]))
    }

    @Test func videoBetweenFilmBecomesFields() throws {
        let film = pairs(16), video = (0..<16).map { (20 + 2 * $0, 21 + 2 * $0) }
        let (frames, _) = try run(film + video + film, .mixed(.topFirst), cadence: .threeTwo)
        #expect(frames.count == 16 + 32 + 16)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
        for index in 0..<16 {
            let expected = try self.film(index)
            #expect(frames[index].buffer.hasSameSamples(as: expected))
            #expect(frames[48 + index].buffer.hasSameSamples(as: expected))
        }
        let single = DeinterlacePass(rate: .frame, options: options)
        #expect(try run(film + video + film, .mixed(.topFirst), cadence: .threeTwo, pass: single).frames.count == 48)
    }

    @Test func cutsInFilmAreKept() throws {
        let (frames, _) = try run(
            pairs(16), then: [.slomo(phases: [Rational(1, 2)])], finder: ScriptedTransitions([7: .cut]))
        // Nothing is made between the film frames before and after frame 7, which is part of a repeated picture.
        #expect(frames.count == 31)
        #expect(
            frames.count { frame in
                frames.contains {
                    $0.presentationTime < frame.presentationTime
                        && $0.buffer.hasSameSamples(as: frame.buffer)
                }
            } == 1)
    }

    @Test func itCanBeTurnedOff() throws {
        let pass = DeinterlacePass(cadence: .off, options: options)
        let (frames, _) = try run(pairs(8), pass: pass)
        #expect(frames.count == 2 * pairs(8).count)
    }

    @Test func theStreamHasTheRateOfFilm() throws {
        func stream(_ kind: FieldStructure.Kind, _ rate: FieldRate = .field) -> VideoStreamDescription {
            DeinterlacePass(rate: rate, options: options)
                .knowing(FieldStructure(kind, cadence: .threeTwo)).outputStream(
                    for: VideoStreamDescription(
                        format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1001, 30000),
                        nominalFrameRate: Rational(30000, 1001), frameCount: 100))
        }
        let film = stream(.telecined(.topFirst, .threeTwo))
        #expect(film.nominalFrameRate == Rational(24000, 1001) && film.timeBase == Rational(1001, 120_000))
        #expect(film.frameCount == 80)
        #expect(stream(.telecined(.topFirst, .twoTwo)).nominalFrameRate == Rational(30000, 1001))
        #expect(stream(.mixed(.topFirst)).nominalFrameRate == Rational(60000, 1001))
        #expect(stream(.mixed(.topFirst), .frame).nominalFrameRate == Rational(30000, 1001))
        let note = DeinterlacePass(options: options).knowing(FieldStructure(.telecined(.topFirst, .threeTwo)))
            .notes(
                over: VideoStreamDescription(
                    format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1001, 30000),
                    nominalFrameRate: Rational(30000, 1001)))
        #expect(
            note == [
                "the video is telecined film (3:2 pulldown, top field first); its frames are put together again, 24000/1001 frames/s"
            ])
    }
}
