import Foundation
import FrameAnalysis
import FrameCore
import TestSupport
import Testing

@Suite struct DiverseCandidateTests {
    /// Pictures on a line: neighbours are alike, the outer two are not.
    private func candidates() -> [Candidate] {
        [(0, 0.9, 0), (1, 0.8, 90), (2, 0.7, 180)].map { (index: Int, score: Float, level: UInt8) in
            let bytes = [UInt8](repeating: level, count: 594)
            return Candidate(
                time: MediaTime(value: Int64(index), timescale: 1), score: AestheticsScore(overall: score),
                print: FeaturePrintObservation(time: .zero, duration: nil, revision: 1, bytes: bytes))
        }
    }

    /// The usual greedy loop: each frame replaces the first kept frame that it resembles if it is better.
    private func greedy(_ frames: [Candidate], count: Int, threshold: Double) -> Set<MediaTime> {
        var kept: [Candidate] = []
        for frame in frames {
            if let index = kept.firstIndex(where: { $0.print.comparableDistance(to: frame.print) <= threshold }) {
                if frame.rank > kept[index].rank { kept[index] = frame }
            } else {
                kept.append(frame)
            }
            kept.sort { $0.rank > $1.rank }
            if kept.count > count { kept.removeLast() }
        }
        return Set(kept.map(\.time))
    }

    @Test func theOrderOfArrivalPlaysNoPartUnlikeInTheGreedyLoop() throws {
        let frames = candidates()
        let near = frames[0].print.comparableDistance(to: frames[1].print)
        let far = frames[0].print.comparableDistance(to: frames[2].print)
        let threshold = 0.5 * (near + far)
        #expect(near < threshold && threshold < far)
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        var ours: Set<[MediaTime]> = [], theirs: Set<Set<MediaTime>> = []
        for order in orders {
            let shuffled = order.map { frames[$0] }
            ours.insert(Candidate.mostDiverse(shuffled, count: 2, threshold: threshold).map { shuffled[$0].time })
            theirs.insert(greedy(shuffled, count: 2, threshold: threshold))
        }
        #expect(ours == [[frames[0].time, frames[2].time]])
        #expect(theirs.count > 1)
    }

    @Test func fewerAreReturnedThanAreWantedWhereFewerDiffer() {
        let frames = candidates()
        #expect(Candidate.mostDiverse(frames, count: 9, threshold: 100).count == 1)
        #expect(Candidate.mostDiverse(frames, count: 9, threshold: 0).count == 3)
        #expect(Candidate.mostDiverse([], count: 3).isEmpty)
    }

    @Test func picturesOfNothingAreTakenOnlyWhereThereIsNothingElse() {
        var frames = candidates()
        frames[0].score = AestheticsScore(overall: 0.9, utility: .text)
        #expect(!Candidate.mostDiverse(frames, count: 3, threshold: 0).contains(0))
        for index in frames.indices { frames[index].score = AestheticsScore(overall: -0.9, utility: .black) }
        #expect(Candidate.mostDiverse(frames, count: 3, threshold: 0).count == 1)
    }
}

@Suite struct ThumbnailSelectorTests {
    /// Frames 0…29 scene 0, a dissolve to 59, scene 2 to 89, black to 104, scene 3 to 134, a fade to 159.
    private func clip(_ index: Int) throws -> PixelBuffer {
        let move = Float(index) * 0.3
        switch index {
        case ..<30: return try DrawnPicture.scene(0, shift: move)
        case ..<60:
            return try DrawnPicture.mixed(
                DrawnPicture.scene(0, shift: move), DrawnPicture.scene(2, shift: move), share: Float(index - 29) / 31)
        case ..<90: return try DrawnPicture.scene(2, shift: move)
        case ..<105: return try GeneratedPicture.flat(16, width: DrawnPicture.width, height: DrawnPicture.height)
        case ..<135: return try DrawnPicture.scene(3, shift: move)
        default: return try DrawnPicture.lit(DrawnPicture.scene(3, shift: move), gain: Float(160 - index) / 26)
        }
    }
    private let good = [0..<30, 60..<90, 105..<136]

    private func select(_ options: ThumbnailSelector.Options, count: Int = 160) throws -> ThumbnailSelection {
        var selector = try ThumbnailSelector(options)
        for index in 0..<count { try selector.append(DrawnPicture.frame(clip(index), index)) }
        return try selector.finish()
    }

    @Test func threeScenesAreFoundAndNothingBetween() throws {
        let duration = MediaTime(value: 160, timescale: 25)
        for options in [
            ThumbnailSelector.Options(capacity: 40, duration: duration), ThumbnailSelector.Options(capacity: 20),
        ] {
            let result = try select(options)
            #expect(result.notes.isEmpty)
            let scenes = result.picks.map { pick in good.firstIndex { $0.contains(Int(pick.time.value)) } }
            #expect(Set(scenes) == [0, 1, 2], "\(result.picks.map(\.time))")
            #expect(result.looks.map(\.time) == result.looks.map(\.time).sorted())
            // Hard cuts, into black and out of it.
            #expect(result.cuts.contains(MediaTime(value: 105, timescale: 25)))
        }
    }

    @Test func framesAreKeptWhenAskedForAndMemoryIsBounded() throws {
        let living = LivingPictures()
        var selector = try ThumbnailSelector(.init(capacity: 4, keepsFrames: true))
        for index in 0..<240 {
            let buffer = living.counted(try DrawnPicture.scene(index / 40, shift: Float(index)))
            try selector.append(DrawnPicture.frame(buffer, index))
        }
        let result = try selector.finish()
        #expect(result.picks.count == 3)
        #expect(try result.picks.allSatisfy { try $0.frame()?.presentationTime == $0.time })
        #expect(living.made == 240)
        #expect(living.peak <= 2 * 4 + 30)
        #expect(result.looks.count <= 8)
    }

    @Test func framesInAFileGiveTheSamePicksAndPictures() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vfx-spill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for duration in [nil, MediaTime(value: 160, timescale: 25)] {
            let options = ThumbnailSelector.Options(capacity: 12, duration: duration, keepsFrames: true)
            func run(_ store: FrameStore, _ living: LivingPictures) throws -> ThumbnailSelection {
                var selector = try ThumbnailSelector(options, store: store)
                for index in 0..<160 {
                    try selector.append(DrawnPicture.frame(living.counted(clip(index)), index))
                }
                return try selector.finish()
            }
            let (many, few) = (LivingPictures(), LivingPictures())
            let memory = try run(FrameStore(), many)
            let spilled = try run(FrameStore(folder: folder.path, memoryBytes: 0), few)
            #expect(spilled.picks.map(\.time) == memory.picks.map(\.time))
            #expect(spilled.looks.map(\.rank) == memory.looks.map(\.rank))
            for (a, b) in zip(spilled.picks, memory.picks) {
                let kept = try #require(try b.frame())
                #expect(try a.frame()?.buffer.hasSameSamples(as: kept.buffer) == true)
            }
            // One more is on its way into the store.
            #expect(few.peak <= 5 && many.peak > 12, "\(few.peak), \(many.peak)")
        }
    }

    /// Frames between those that are examined are not held, however many follow one another.
    @Test func onlyNeighboursOfExaminedFramesAreHeld() throws {
        let living = LivingPictures()
        var selector = try ThumbnailSelector(
            .init(capacity: 10, duration: MediaTime(value: 4000, timescale: 25)))
        for index in 0..<150 {
            try selector.append(DrawnPicture.frame(living.counted(DrawnPicture.scene(1, shift: Float(index))), index))
        }
        #expect(living.peak <= 16, "\(living.peak)")
        #expect(try selector.finish().picks.count == 1)
    }

    @Test func moreThanThereAreGivesFewerAndSaysSo() throws {
        let picture = try DrawnPicture.scene(1)
        var selector = try ThumbnailSelector(.init(count: 5))
        for index in 0..<40 { try selector.append(DrawnPicture.frame(picture, index)) }
        let result = try selector.finish()
        #expect(result.picks.count == 1)
        #expect(result.notes == ["1 of 5 frames picked: the others show the same or are far poorer"])
    }

    @Test func aPoorPickIsReported() throws {
        let blurred = try DrawnPicture.lit(
            DrawnPicture.blurred(DrawnPicture.scene(1), across: 12, down: 12), gain: 0.5)
        for (picture, isPoor) in [(blurred, true), (try DrawnPicture.scene(1), false)] {
            var selector = try ThumbnailSelector(.init(count: 1))
            for index in 0..<40 { try selector.append(DrawnPicture.frame(picture, index)) }
            let result = try selector.finish()
            #expect((try #require(result.picks.first).score < 0) == isPoor, "\(result.picks[0].score)")
            #expect(result.notes.contains { $0.contains("is poor (score -") } == isPoor, "\(result.notes)")
        }
    }

    @Test func aSingleFrameIsPicked() throws {
        var selector = try ThumbnailSelector()
        try selector.append(DrawnPicture.frame(DrawnPicture.scene(1)))
        #expect(try selector.finish().picks.count == 1)
        var empty = try ThumbnailSelector()
        #expect(try empty.finish().picks.isEmpty)
    }

    @Test func allBlackGivesOneAndSaysSo() throws {
        var selector = try ThumbnailSelector()
        for index in 0..<60 {
            try selector.append(DrawnPicture.frame(GeneratedPicture.flat(16, width: 64, height: 48), index))
        }
        let result = try selector.finish()
        #expect(result.picks.map(\.utilityKind) == [.black])
        #expect(result.notes.contains("nothing but black pictures were found"))
    }

    @Test func afterTheEndNothingIsTakenAndTheSameIsPicked() throws {
        var selector = try ThumbnailSelector(.init(keepsFrames: true))
        for index in 0..<40 { try selector.append(DrawnPicture.frame(DrawnPicture.scene(index / 20), index)) }
        let first = try selector.finish()
        #expect(throws: FrameError.self) { try selector.append(DrawnPicture.frame(DrawnPicture.scene(3), 40)) }
        let again = try selector.finish()
        #expect(again.picks.map(\.time) == first.picks.map(\.time))
        #expect(again.looks.map(\.time) == first.looks.map(\.time))
    }

    /// Pictures are encoded after the end, when the candidates that were not picked would only take memory.
    @Test func afterTheEndOnlyPickedFramesAreKept() throws {
        let store = FrameStore()
        var selector = try ThumbnailSelector(.init(keepsFrames: true), store: store)
        for index in 0..<60 { try selector.append(DrawnPicture.frame(DrawnPicture.scene(index / 20), index)) }
        #expect(store.frameCount > 3)
        let result = try selector.finish()
        #expect(result.picks.count == 3)
        #expect(store.frameCount == 3)
        #expect(try selector.finish().picks.map { try $0.frame()?.presentationTime } == result.picks.map(\.time))
    }

    /// Two hours and some microseconds, as in Matroska: bucket lengths are not simple fractions.
    @Test func lengthsOfManyDigitsKeepMemoryBounded() throws {
        let options = ThumbnailSelector.Options(
            capacity: 10, duration: MediaTime(value: 7_200_123_457, timescale: 1_000_000))
        var selector = try ThumbnailSelector(options)
        for index in 0..<200 {
            let buffer = try GeneratedPicture.waves(width: 64, height: 48, dx: index)
            try selector.append(
                Frame(buffer: buffer, presentationTime: MediaTime(value: 36 * Int64(index), timescale: 1)))
        }
        let result = try selector.finish()
        #expect((9...12).contains(result.looks.count), "\(result.looks.count)")
    }

    @Test func timesThatJumpFarAreBorne() throws {
        var selector = try ThumbnailSelector(.init(capacity: 1))
        for power in 0..<40 {
            let buffer = try GeneratedPicture.waves(width: 64, height: 48, dx: power)
            try selector.append(Frame(buffer: buffer, presentationTime: MediaTime(value: 3 << power, timescale: 1)))
        }
        let last = MediaTime(value: .max, timescale: 1)
        try selector.append(Frame(buffer: try GeneratedPicture.waves(width: 64, height: 48), presentationTime: last))
        let result = try selector.finish()
        #expect(!result.picks.isEmpty && result.looks.count <= 16)
    }

    @Test func framesThatShowDamageArePickedLast() throws {
        func select(_ isDamaged: (Int) -> Bool) throws -> ThumbnailSelection {
            var selector = try ThumbnailSelector(.init(count: 2))
            for index in 0..<60 {
                let sharp = try DrawnPicture.scene(index / 30)
                var frame = DrawnPicture.frame(
                    index < 30 ? sharp : try DrawnPicture.blurred(sharp, across: 1, down: 1), index)
                frame.isDamaged = isDamaged(index)
                try selector.append(frame)
            }
            return try selector.finish()
        }
        #expect(try select { _ in false }.picks.count == 2)
        let sound = try select { $0 < 30 }
        #expect(sound.picks.count == 1 && sound.picks.allSatisfy { $0.time.value >= 30 })
        // There are undamaged frames around each frame that is examined.
        let mostly = try select { $0 % 9 != 4 }
        #expect(
            mostly.picks.count == 2 && mostly.picks.allSatisfy { $0.time.value % 9 == 4 }, "\(mostly.picks.map(\.time))"
        )
        #expect(try select { _ in true }.picks.first?.reasons.contains("damaged") == true)
    }

    @Test func badInputIsRefused() throws {
        #expect(throws: FrameError.self) { try ThumbnailSelector(.init(count: 0)) }
        #expect(throws: FrameError.self) { try ThumbnailSelector(.init(capacity: 0)) }
        var selector = try ThumbnailSelector()
        try selector.append(DrawnPicture.frame(GeneratedPicture.flat(90), 3))
        #expect(throws: FrameError.self) { try selector.append(DrawnPicture.frame(GeneratedPicture.flat(90), 3)) }
        #expect(throws: FrameError.self) {
            try selector.append(DrawnPicture.frame(GeneratedPicture.flat(90, width: 32, height: 48), 4))
        }
    }
}
