import FrameCore
import Testing

@Suite struct ResumePointTests {
    private final class Store: SegmentStore {
        let finished: [FinishedSegment]

        init(_ finished: [FinishedSegment]) { self.finished = finished }
        func path(of index: Int) -> String { "" }
        func partPath(of index: Int) -> String { "" }
        func keep(_ segment: FinishedSegment) {}
        func willPublish(_ output: String) {}
    }

    /// After the last segment, nothing is left to make, and the number of the next one can still be counted on from there.
    @Test func afterTheLastSegmentComesNone() {
        func segment(_ index: Int, _ next: Int?) -> FinishedSegment {
            FinishedSegment(index: index, next: next, frames: 240, shift: .zero, step: .zero, bytes: 1, checksum: 0)
        }
        #expect(Store([]).resumePoint == .start)
        #expect(Store([segment(0, 1)]).resumePoint == ResumePoint(segment: 1, framesWritten: 240))
        let end = Store([segment(0, 1), segment(1, nil)]).resumePoint
        #expect(end.segment == ResetSchedule.noPoint && end.framesWritten == 480)
        #expect(ResetSchedule.frame(of: end.segment + ResetSchedule.noPoint) == ResetSchedule.frame(of: end.segment))
    }

    @Test func segmentsAreCounted() {
        #expect([0, 1, 240, 241, 500].map(ResetSchedule.segmentCount) == [1, 1, 1, 2, 3])
        #expect((0..<4).map { ResetSchedule.frameCount(of: $0, ofFrames: 500) } == [240, 240, 20, 0])
        #expect([0, 1, 2].map(ResetSchedule.latestStart) == [0, 176, 416])
        #expect([-1, 0, 239, 240].map(ResetSchedule.segment) == [0, 0, 0, 1])
        #expect([231, 232, 239, 240].map { ResetSchedule.place(of: $0, amongLast: 8) } == [-1, 0, 7, -232])
    }
}
