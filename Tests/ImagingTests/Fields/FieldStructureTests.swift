import Foundation
import FrameCore
import Imaging
import TestSupport
import Testing

@Suite struct FieldStructureTests {
    private static let depths = [8, 10]

    private func scene(_ depth: Int = 8) throws -> FieldScene {
        FieldScene(format: try PixelFormat(subsampling: .yuv420, bitDepth: depth))
    }

    @Test(arguments: FieldOrder.allCases, depths)
    func interlacedFramesHaveAnOrder(order: FieldOrder, depth: Int) throws {
        let fields = FieldStructure(of: try scene(depth).interlaced(order, 30))
        #expect(fields.kind == .interlaced(order))
        #expect(fields.isDecided && fields.order == order)
        #expect(fields.evidence.frames == 29 && fields.evidence.combedShare > 0.9)
        #expect(fields.note(onFlagsThatSay: true, order) == nil)
        let other: FieldOrder = order == .topFirst ? .bottomFirst : .topFirst
        #expect(
            fields.note(onFlagsThatSay: true, other)
                == "the frames are flagged as interlaced, \(other.words), but the pictures are interlaced, \(order.words)"
        )
        #expect(
            fields.note(onFlagsThatSay: false, nil)
                == "the frames are flagged as progressive, but the pictures are interlaced, \(order.words)")
        #expect(FieldStructure(of: try scene(depth).interlaced(order, 30), flag: other).kind == .interlaced(order))
    }

    @Test(arguments: depths)
    func progressiveFramesAreLeftAloneWhateverTheFlag(depth: Int) throws {
        let frames = try scene(depth).progressive(30)
        for flag in [nil, FieldOrder.topFirst, .bottomFirst] {
            let fields = FieldStructure(of: frames, flag: flag)
            #expect(fields.kind == .progressive && fields.isDecided && fields.order == nil)
            #expect(fields.evidence.combedFrames == 0)
            #expect(fields.note(onFlagsThatSay: false, nil) == nil)
            #expect(
                fields.note(onFlagsThatSay: true, flag)?.sentence.hasSuffix(", but the pictures are progressive")
                    == true)
        }
    }

    @Test(arguments: FieldOrder.allCases, 0..<5)
    func filmIsFoundAtEachPhase(order: FieldOrder, phase: Int) throws {
        let fields = FieldStructure(of: try scene().telecined(order, 40, phase: phase))
        #expect(fields.kind == .telecined(order, .threeTwo))
        #expect(fields.note(onFlagsThatSay: true, order) == nil)
        #expect(fields.note(onFlagsThatSay: false, nil)?.sentence.contains("telecined (3:2 pulldown)") == true)
        #expect(fields.cadence == .threeTwo)
    }

    @Test(arguments: FieldOrder.allCases)
    func partsOfBothKindsAreMixed(order: FieldOrder) throws {
        let fields = FieldStructure(of: try scene().progressive(40) + scene().interlaced(order, 40))
        #expect(fields.kind == .mixed(order))
        #expect(fields.evidence.progressiveGroups >= 3 && fields.evidence.interlacedGroups >= 3)
        #expect(fields.note(onFlagsThatSay: false, nil)?.contains("are in part interlaced") == true)
    }

    @Test func noiseChangesNothing() throws {
        var scene = FieldScene()
        scene.noise = 5
        #expect(FieldStructure(of: try scene.progressive(30), flag: .topFirst).kind == .progressive)
        #expect(FieldStructure(of: try scene.interlaced(.bottomFirst, 30)).kind == .interlaced(.bottomFirst))
        #expect(FieldStructure(of: try scene.telecined(.topFirst, 40)).kind == .telecined(.topFirst, .threeTwo))
    }

    @Test(arguments: [0, 5, 10] as [Float])
    func stillPicturesAreLeftAlone(noise: Float) throws {
        var scene = FieldScene(noise: noise)
        scene.level = { x, y, _ in FieldScene.pan(x, y, 7) }
        let fields = FieldStructure(of: try scene.progressive(30))
        #expect(fields.kind == .progressive)
        #expect(noise > 0 || !fields.isDecided)
        // Rows that differ, as in a still picture of two fields, and fine stripes.
        scene.level = { x, y, _ in y % 2 == 0 ? 60 : 180 }
        #expect(FieldStructure(of: try scene.progressive(30)).kind == .progressive)
        if noise == 0 { #expect(!FieldStructure(of: try scene.progressive(30), flag: .topFirst).isDecided) }
    }

    @Test(arguments: 1...7)
    func textThatScrollsIsProgressive(rows: Int) throws {
        var scene = FieldScene()
        scene.level = { x, y, time in FieldScene.text(x, y, scrolledBy: Int(time) / 2 * rows) }
        #expect(FieldStructure(of: try scene.progressive(30), flag: .topFirst).kind == .progressive)
    }

    @Test func stripesBesideMotionAreProgressive() throws {
        var scene = FieldScene()
        scene.level = { x, y, time in y < 48 ? (y % 2 == 0 ? 60 : 180) : FieldScene.pan(x, y, time) }
        #expect(FieldStructure(of: try scene.progressive(30), flag: .topFirst).kind == .progressive)
        #expect(FieldStructure(of: try scene.interlaced(.topFirst, 30)).kind == .interlaced(.topFirst))
    }

    @Test func cutsAndFlashesAreProgressive() throws {
        var scene = FieldScene()
        scene.level = { x, y, time in FieldScene.pan(x &+ Int(time) &* 71, y &+ Int(time) &* 37, 0) }
        #expect(FieldStructure(of: try scene.progressive(30), flag: .topFirst).kind == .progressive)
        scene.level = { x, y, time in FieldScene.pan(x, y, 0) * (Int(time) % 6 == 0 ? 1 : 0.6) }
        #expect(FieldStructure(of: try scene.progressive(30), flag: .topFirst).kind == .progressive)
    }

    @Test(arguments: [(16, 16), (17, 33), (33, 17), (161, 95)])
    func smallAndOddSizesAreMeasured(width: Int, height: Int) throws {
        var scene = FieldScene(width: width, height: height)
        scene.level = { x, y, time in FieldScene.pan(x + 40, y + 30, time) }
        for order in FieldOrder.allCases {
            #expect(FieldStructure(of: try scene.interlaced(order, 60)).kind == .interlaced(order))
        }
        #expect(FieldStructure(of: try scene.progressive(60), flag: .topFirst).kind == .progressive)
    }

    @Test func withoutBlocksOrNeighboursNothingIsDecided() throws {
        let small = FieldScene(width: 40, height: 15), scene = FieldScene()
        let clips = [try small.interlaced(.topFirst, 30), try scene.interlaced(.topFirst, 1), []]
        for clip in clips {
            let fields = FieldStructure(of: clip, flag: .topFirst)
            #expect(fields.kind == .progressive && !fields.isDecided)
            #expect(fields.note(onFlagsThatSay: true, .topFirst) == nil)
        }
        // Frames of another size follow.
        #expect(FieldMeasurement(of: clips[0][0], after: clips[1][0], context: .serial) == FieldMeasurement())
    }

    @Test func theResultDependsOnNeitherThreadsNorInstructions() throws {
        for depth in Self.depths {
            let frames = try scene(depth).interlaced(.topFirst, 4)
            let expected = FieldStructure(of: frames)
            #expect(FieldStructure(of: frames, context: ExecutionContext(threads: 3)) == expected)
            for table in KernelTable.all {
                #expect(FieldStructure(of: frames, context: ExecutionContext(kernels: table)) == expected)
            }
        }
    }

    @Test func itIsKeptAsJSON() throws {
        let kinds: [FieldStructure.Kind] = [
            .progressive, .interlaced(.topFirst), .telecined(.bottomFirst, .threeTwo), .mixed(.topFirst),
        ]
        for kind in kinds {
            let fields = FieldStructure(kind)
            let data = try JSONEncoder().encode(fields)
            #expect(try JSONDecoder().decode(FieldStructure.self, from: data) == fields)
        }
    }
}
