import FrameCore
import Imaging
import TestSupport
import Testing

/// How the fields of telecined frames belong to pictures.
@Suite struct CadenceTrackerTests {
    private var scene = FieldScene()

    /// The places of successive frames.
    private func places(
        _ frames: [PixelBuffer], _ order: FieldOrder = .topFirst, usual: FieldStructure.Cadence = .threeTwo
    ) -> [CadenceTracker.Place] {
        let shown = zip(frames, frames.dropFirst()).map { FieldMeasurement(of: $1, after: $0, context: .serial) }
        var tracker = CadenceTracker(order, usual: usual)
        return frames.indices.map { index in
            tracker.next(
                index == 0 ? nil : shown[index - 1],
                following: Array(shown[index..<min(shown.count, index + CadenceTracker.lookAhead)]))
        }
    }

    private func isNew(_ frames: [PixelBuffer], _ order: FieldOrder = .topFirst) -> [Int] {
        places(frames, order).indices.filter { places(frames, order)[$0].isNew }
    }

    @Test(arguments: [FieldOrder.topFirst, .bottomFirst], 0..<5)
    func fourOfFiveFramesAreNew(order: FieldOrder, phase: Int) throws {
        let places = places(try scene.telecined(order, 20, phase: phase), order)
        let roles: [FieldRole] = [.whole, .whole, .straddling, .straddling, .continued]
        // What is before the first frame is not known.
        for (index, place) in places.enumerated().dropFirst(phase == 0 ? 0 : 5 - phase) {
            let number = (index + phase) % 5
            #expect(place.role == roles[number], "frame \(index)")
            #expect(place.isNew == (number != 2), "frame \(index)")
            #expect(place.length == 5 && place.delay == [0, 1, 0, -2, -1][number])
        }
    }

    @Test func advancedPulldownHasOneMixedFrame() throws {
        let places = places(try scene.telecined(.topFirst, 20, pattern: [2, 3, 3, 2]))
        for (index, place) in places.enumerated() {
            let roles: [FieldRole] = [.whole, .whole, .straddling, .continued, .whole]
            #expect(place.role == roles[index % 5] && place.isNew == (index % 5 != 2), "frame \(index)")
        }
    }

    /// The fields of each film frame are in two frames.
    @Test func shiftedFilmStraddles() throws {
        let places = places(try scene.telecined(.topFirst, 20, pattern: [2], shift: 1), usual: .twoTwo)
        #expect(places.dropFirst().allSatisfy { $0.role == .straddling && $0.isNew && $0.length == 4 })
    }

    @Test func aBreakIsFollowed() throws {
        let film = try scene.telecined(.topFirst, 60)
        // An edit of video: eight frames are missing.
        let places = places(Array(film[..<23]) + Array(film[31...]))
        for (index, place) in places.enumerated() where abs(index - 23) > 1 {
            #expect(place.isNew == ((index < 23 ? index : index + 8) % 5 != 2), "frame \(index)")
        }
    }

    @Test func interlacedAndProgressivePartsAreFound() throws {
        let film = try scene.telecined(.topFirst, 20), video = try scene.interlaced(.topFirst, 20)
        let mixed = places(film + video + film)
        #expect(mixed[22..<38].allSatisfy { $0.role == .separate })
        #expect(mixed[42...].count { $0.isNew } == 14 && mixed[..<18].count { $0.isNew } == 14)
        let plain = places(film + (try scene.progressive(20)))
        #expect(plain[22...].allSatisfy { $0.role == .whole && $0.isNew && $0.length == 4 })
    }

    /// Where nothing moves, the cadence goes on.
    @Test func stillPartsKeepTheCadence() throws {
        let film = try scene.telecined(.topFirst, 20)
        let still = [PixelBuffer](repeating: film[19], count: 30)
        let isNew = places(film + still + film).map(\.isNew)
        #expect(isNew.indices.allSatisfy { isNew[$0] == ($0 % 5 != 2) })
        // From the first frame on.
        #expect(places(still).count { $0.isNew } == 24)
    }

    @Test(arguments: [2, 4]) func noiseChangesNothing(level: Int) throws {
        var noisy = FieldScene()
        noisy.noise = Float(level)
        let isNew = places(try noisy.telecined(.topFirst, 30)).map(\.isNew)
        #expect(isNew.indices.allSatisfy { isNew[$0] == ($0 % 5 != 2) })
    }
}
