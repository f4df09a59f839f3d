import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct FieldSamplingTests {
    private func stream(frames: Int?) -> VideoStreamDescription {
        VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 1000), nominalFrameRate: Rational(25, 1),
            duration: frames.map { MediaTime(value: Int64($0), timescale: 25) })
    }

    /// Interlaced pictures that repeat after 40 frames.
    private func source(
        _ count: Int, keyInterval: Int, isSeekable: Bool = true, decoded: SeekableGeneratedSource.Counter = .init(),
        stream: VideoStreamDescription, order: FieldOrder = .bottomFirst
    ) throws -> SeekableGeneratedSource {
        let pictures = try FieldScene(width: 64, height: 48).interlaced(order, 40)
        return SeekableGeneratedSource(
            count: count, keyInterval: keyInterval, start: MediaTime(value: 3, timescale: 1), isSeekable: isSeekable,
            stream: stream, decoded: decoded
        ) { Frame(buffer: pictures[$0 % 40], presentationTime: .zero) }
    }

    @Test func allOfAShortClipIsLookedAt() throws {
        let source = try source(50, keyInterval: 10, stream: stream(frames: 50))
        let fields = try #require(try FieldStructure(of: source, context: .serial))
        #expect(fields.kind == .interlaced(.bottomFirst) && fields.evidence.frames == 49)
    }

    @Test func aLongClipIsSampled() throws {
        let decoded = SeekableGeneratedSource.Counter()
        let source = try source(3000, keyInterval: 30, decoded: decoded, stream: stream(frames: 3000))
        let fields = try #require(try FieldStructure(of: source, context: .serial))
        #expect(fields.kind == .interlaced(.bottomFirst))
        #expect(fields.evidence.frames == 120 && fields.evidence.groups == 12)
        #expect(decoded.count == 12 * 11 + 1)
    }

    /// Each place leads back to the beginning, so those that are too far from what was seen are left out.
    @Test func aLongClipWithoutKeyframesIsNotDecodedAgainAndAgain() throws {
        let decoded = SeekableGeneratedSource.Counter()
        let source = try source(3000, keyInterval: 3000, decoded: decoded, stream: stream(frames: 3000))
        let fields = try #require(try FieldStructure(of: source, context: .serial))
        #expect(fields.kind == .interlaced(.bottomFirst))
        #expect(fields.evidence.frames == 120)
        #expect(decoded.count < 12 * 312)
    }

    @Test func withoutALengthTheBeginningHasToDo() throws {
        let decoded = SeekableGeneratedSource.Counter()
        let source = try source(3000, keyInterval: 30, decoded: decoded, stream: stream(frames: nil))
        let fields = try #require(try FieldStructure(of: source, context: .serial))
        #expect(fields.kind == .interlaced(.bottomFirst) && decoded.count < 300)
    }

    @Test func whatIsReadOnceIsNotLookedAt() throws {
        let source = try source(50, keyInterval: 10, isSeekable: false, stream: stream(frames: 50))
        #expect(try FieldStructure(of: source, context: .serial) == nil)
        #expect(try source.nextFrame()?.presentationTime == MediaTime(value: 3, timescale: 1))
    }

    @Test func damagedFramesAreLeftOut() throws {
        let pictures = try FieldScene(width: 64, height: 48).interlaced(.topFirst, 20)
        let fields = try FieldStructure(
            sampling: stream(frames: 20), from: .zero, context: .serial
        ) { time, count, body in
            #expect(time == nil && count >= 20)
            for (index, picture) in pictures.enumerated() {
                try body(Frame(buffer: picture, presentationTime: .zero, isDamaged: index == 10))
            }
        }
        #expect(fields.kind == .interlaced(.topFirst) && fields.evidence.frames == 9 + 8)
    }

    @Test func placesThatCannotBeReadAreLeftOut() throws {
        let pictures = try FieldScene(width: 64, height: 48).interlaced(.topFirst, 40)
        let source = SeekableGeneratedSource(count: 3000, keyInterval: 30, stream: stream(frames: 3000)) { index in
            if (700..<1200).contains(index) { throw FrameError(.decode, "damaged") }
            return Frame(buffer: pictures[index % 40], presentationTime: .zero)
        }
        let fields = try #require(try FieldStructure(of: source, context: .serial))
        #expect(fields.kind == .interlaced(.topFirst))
        #expect((90...110).contains(fields.evidence.frames))
    }
}
