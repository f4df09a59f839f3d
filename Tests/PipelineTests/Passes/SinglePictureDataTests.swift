import FrameCore
import FrameEffects
import Pipeline
import TestSupport
import Testing

/// Captions, which belong to single frames, at another frame rate.
@Suite struct SinglePictureDataTests {
    /// Returns the captions of the output frames, each with the time of its frame; frame n of the source carries n.
    private func captions(
        at rate: Int32, from sourceRate: Int32 = 30, frames: Int = 31
    ) throws -> [(time: MediaTime, numbers: [UInt8])] {
        let times = (0..<frames).map { MediaTime(value: Int64($0), timescale: sourceRate) }
        let number = Lock(UInt8(0))
        let picture = try GeneratedPicture.waves(dx: 0)
        let source = TaggingSource(
            GeneratedSource(times: times, durations: times.map { _ in MediaTime(value: 1, timescale: sourceRate) }) {
                _ in
                picture
            }
        ) { frame in
            let own = number.withLock { number in
                defer { number += 1 }
                return number
            }
            frame.sideData = SideData([
                .init(kind: "captions", code: 1, bytes: [own], isOfThisPictureOnly: true),
                .init(kind: "light", code: 17, bytes: [own]),
            ])
        }
        let sink = RecordingSink()
        let options = ConversionOptions(quality: .normal, context: .serial)
        _ = try ConversionPipeline(
            source: source, sink: sink, plan: RateConversionPlan(rate: Rational(rate, 1)), options: options
        ).run()
        return sink.frames.map { frame in
            (
                frame.presentationTime,
                frame.sideData.entries.filter(\.isOfThisPictureOnly).compactMap(\.bytes.first)
            )
        }
    }

    @Test(arguments: [Int32(30), 24, 25, 60, 120, 15, 10, 7, 1])
    func everyCaptionComesOutOnceInOrderAtItsTime(rate: Int32) throws {
        let found = try captions(at: rate)
        #expect(found.flatMap(\.numbers) == (0..<31).map { UInt8($0) })
        let last = found.last?.time ?? .zero
        for (time, numbers) in found {
            for number in numbers {
                let own = MediaTime(value: Int64(number), timescale: 30)
                // After the last frame there is no later one.
                #expect(time >= own || time == last)
                #expect(time - own < MediaTime(value: 1, timescale: rate))
            }
        }
    }

    /// What describes how frames look is that of the nearer source frame.
    @Test func madeFramesLookLikeTheNearerFrame() throws {
        let times = [0, 1].map { MediaTime(value: $0, timescale: 10) }
        let picture = try GeneratedPicture.waves(dx: 0)
        let source = TaggingSource(GeneratedSource(times: times, durations: []) { _ in picture }) { frame in
            let bytes = [UInt8(frame.presentationTime == .zero ? 0 : 1)]
            frame.sideData = SideData([.init(kind: "light", code: 17, bytes: bytes)])
        }
        let sink = RecordingSink()
        _ = try ConversionPipeline(
            source: source, sink: sink, plan: RateConversionPlan(rate: Rational(50, 1)),
            options: ConversionOptions(quality: .normal, context: .serial)
        ).run()
        #expect(sink.frames.prefix(6).map { $0.sideData.entries.first?.bytes } == [[0], [0], [0], [1], [1], [1]])
    }
}
