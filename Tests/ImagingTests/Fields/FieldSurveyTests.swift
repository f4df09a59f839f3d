import FrameCore
import Imaging
import TestSupport
import Testing

/// Decisions from measurements, without pictures.
@Suite struct FieldSurveyTests {
    private func frame(
        progressive: Int = 0, top: Int = 0, bottom: Int = 0, moving: Int = 100, repeatedTop: Int = 0,
        repeatedBottom: Int = 0, topWithEarlier: Int = 0
    ) -> FieldMeasurement {
        var frame = FieldMeasurement()
        (frame.blocks, frame.moving, frame.progressive) = (400, moving, progressive)
        (frame.topFirst, frame.bottomFirst) = (top, bottom)
        (frame.repeatedTop, frame.repeatedBottom) = (repeatedTop, repeatedBottom)
        frame.topWithEarlier = topWithEarlier
        return frame
    }

    private func group(_ frame: FieldMeasurement) -> [FieldMeasurement] { .init(repeating: frame, count: 10) }

    private var progressive: [FieldMeasurement] { group(frame(progressive: 90, top: 2, bottom: 2)) }
    private var interlaced: [FieldMeasurement] { group(frame(progressive: 40, top: 50, bottom: 3)) }
    private var still: [FieldMeasurement] { group(frame(moving: 0)) }

    private func kind(_ groups: [[FieldMeasurement]], flag: FieldOrder? = nil) -> FieldStructure.Kind {
        FieldStructure(of: groups, flag: flag).kind
    }

    @Test func aTenthOfTheGroupsCounts() {
        func groups(_ first: Int, _ second: Int) -> [[FieldMeasurement]] {
            [[FieldMeasurement]](repeating: progressive, count: first) + .init(repeating: interlaced, count: second)
        }
        #expect(kind(groups(12, 0)) == .progressive)
        #expect(kind(groups(11, 1)) == .progressive)
        #expect(kind(groups(10, 2)) == .mixed(.topFirst))
        #expect(kind(groups(2, 10)) == .mixed(.topFirst))
        #expect(kind(groups(1, 11)) == .interlaced(.topFirst))
        #expect(kind(groups(0, 12)) == .interlaced(.topFirst))
    }

    @Test func stillGroupsCountForNothing() {
        #expect(kind([still, still, interlaced, still]) == .interlaced(.topFirst))
        #expect(kind([still, still, progressive, still]) == .progressive)
        #expect(!FieldStructure(of: [still, still], flag: .topFirst).isDecided)
        #expect(kind([]) == .progressive)
    }

    @Test func combingThatFavoursNoOrderIsChance() {
        let noise = group(frame(progressive: 2, top: 12, bottom: 11))
        #expect(kind([noise, noise]) == .progressive)
        #expect(FieldStructure(of: [noise, noise]).evidence.combedFrames == 0)
    }

    @Test func aFlagDecidesWherePicturesLeanItsWay() {
        let hidden = group(frame(progressive: 20, top: 3, bottom: 5))
        #expect(kind([hidden]) == .progressive)
        #expect(kind([hidden], flag: .bottomFirst) == .interlaced(.bottomFirst))
        #expect(kind([hidden], flag: .topFirst) == .progressive)
        #expect(kind([hidden, progressive], flag: .bottomFirst) == .progressive)
    }

    @Test func filmWithAStillSceneIsFilm() {
        let cadence = [
            frame(progressive: 60), frame(progressive: 60), frame(top: 60, repeatedTop: 90, topWithEarlier: 60),
            frame(top: 50, bottom: 2, topWithEarlier: 48), frame(progressive: 3, repeatedBottom: 90),
        ]
        let film = cadence + cadence
        #expect(kind([film, still, film]) == .telecined(.topFirst, .threeTwo))
        // Soft pulldown, of which a part was made hard.
        #expect(kind([film, progressive, progressive]) == .telecined(.topFirst, .threeTwo))
        #expect(kind([film] + .init(repeating: progressive, count: 5)) == .mixed(.topFirst))
        // Repeats in another place are none of a cadence.
        #expect(kind([[cadence[0], cadence[2], cadence[1], cadence[4], cadence[3]] + film]) != .progressive)
    }
}
