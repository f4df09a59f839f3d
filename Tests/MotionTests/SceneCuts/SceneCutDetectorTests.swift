import FrameCore
import Motion
import Testing

/// Returns all transitions of a clip, in order.
func transitions(_ pictures: [Picture], format: PixelFormat = .yuv420p8) throws -> [Transition] {
    var detector = SceneCutDetector()
    var all: [Transition] = []
    for picture in pictures { all += detector.append(FrameSignature(try picture.buffer(format))) }
    return all + detector.finish()
}

func positions(_ kind: Transition.Kind, in transitions: [Transition]) -> [Int] {
    transitions.filter { $0.kind == kind }.map(\.index)
}

@Suite struct SceneCutTests {
    @Test(arguments: [Float(0), 2, 6, 20])
    func `A cut is found at its frame whatever the motion on both sides`(speed: Float) throws {
        let clip =
            DrawnScene(seed: 1, speedX: speed).pictures(0..<12) + DrawnScene(seed: 2, speedX: -speed).pictures(0..<9)
            + DrawnScene(seed: 3, speedY: speed / 2).pictures(0..<10)
        #expect(positions(.cut, in: try transitions(clip)) == [12, 21])
    }

    @Test func `Cuts three frames apart are two cuts`() throws {
        let clip =
            DrawnScene(seed: 4).pictures(0..<10) + DrawnScene(seed: 5).pictures(0..<3)
            + DrawnScene(seed: 6).pictures(0..<10)
        #expect(positions(.cut, in: try transitions(clip)) == [10, 13])
    }

    @Test func `A cut between dark scenes is found`() throws {
        let clip =
            DrawnScene(seed: 7, base: 24, contrast: 8).pictures(0..<10)
            + DrawnScene(seed: 8, base: 24, contrast: 8).pictures(0..<10)
        #expect(positions(.cut, in: try transitions(clip.map { $0.noisy(1, seed: 3) })) == [10])
    }

    @Test func `A cut at the first and at the last pair is found`() throws {
        let clip =
            DrawnScene(seed: 9).pictures(0..<1) + DrawnScene(seed: 10).pictures(0..<9)
            + DrawnScene(seed: 11).pictures(0..<1)
        #expect(positions(.cut, in: try transitions(clip)) == [1, 10])
    }

    @Test(arguments: [1, 2, 3, 4])
    func `A flash is no cut, and its edges are marked`(length: Int) throws {
        for light in 0..<3 {
            var clip = DrawnScene(seed: 12, speedX: 2).pictures(0..<24)
            for k in 10..<10 + length {
                clip[k] =
                    light == 0
                    ? Picture(width: 192, height: 108, level: 235)
                    : light == 1 ? clip[k].lit(gain: 2, offset: 90) : clip[k].lit(gain: 0.05, offset: 0)
            }
            let found = try transitions(clip)
            #expect(positions(.cut, in: found) == [], "light \(light)")
            if light == 0 { #expect(found.filter(\.isFlash).map(\.index) == [10, 10 + length]) }
        }
    }

    @Test func `A flash beside a cut leaves one cut at the join`() throws {
        var after = DrawnScene(seed: 13).pictures(0..<12)
        after[0] = after[0].lit(gain: 1.5, offset: 60)
        #expect(positions(.cut, in: try transitions(DrawnScene(seed: 14).pictures(0..<12) + after)) == [12])
        var before = DrawnScene(seed: 14).pictures(0..<12)
        before[11] = before[11].lit(gain: 1.5, offset: 60)
        #expect(positions(.cut, in: try transitions(before + DrawnScene(seed: 13).pictures(0..<12))) == [12])
    }

    @Test(arguments: [6, 12, 24])
    func `Fades and dissolves hold no cut`(length: Int) throws {
        let (a, b) = (DrawnScene(seed: 15), DrawnScene(seed: 16))
        let black = Picture(width: 192, height: 108)
        var fade = a.pictures(0..<8)
        for k in 0..<length { fade.append(a.picture(8 + k).mixed(with: black, Float(k + 1) / Float(length))) }
        fade += [black, black]
        for k in 0..<length { fade.append(black.mixed(with: b.picture(k), Float(k + 1) / Float(length))) }
        fade += b.pictures(length..<length + 8)
        #expect(positions(.cut, in: try transitions(fade)) == [])

        var dissolve = a.pictures(0..<8)
        for k in 0..<length {
            dissolve.append(a.picture(8 + k).mixed(with: b.picture(k), Float(k + 1) / Float(length + 1)))
        }
        dissolve += b.pictures(length..<length + 8)
        #expect(positions(.cut, in: try transitions(dissolve)) == [])
    }

    @Test(arguments: [Float(0.15), 0.3, 0.5])
    func `A whip pan is no cut`(peak: Float) throws {
        let scene = DrawnScene(seed: 17, discSpeed: 0)
        var (clip, shift) = (scene.pictures(0..<8), Float(0))
        for k in 1...8 {
            let speed = peak * 192 * Float([0, 0.35, 0.65, 0.9, 1, 1, 0.9, 0.65, 0.35][k])
            var moving = scene
            moving.blur = speed * 0.8
            clip.append(moving.picture(8 + k, shiftX: shift))
            shift += speed
        }
        clip += (17..<28).map { scene.picture($0, shiftX: shift) }
        #expect(positions(.cut, in: try transitions(clip)) == [])
    }

    @Test func `Precision and recall on joined scenes are at least 0.95`() throws {
        var random = Random(seed: 2026)
        var (right, wrong, missed) = (0, 0, 0)
        for _ in 0..<12 {
            var (clip, cuts): ([Picture], [Int]) = ([], [])
            for part in 0..<6 {
                let scene = DrawnScene(
                    seed: random.next() % 100_000, speedX: Float.random(in: -9...9, using: &random),
                    speedY: Float.random(in: -4...4, using: &random),
                    discSpeed: Float.random(in: -6...6, using: &random),
                    base: Float.random(in: 60...160, using: &random),
                    contrast: Float.random(in: 15...80, using: &random))
                let length = Int.random(in: 8...22, using: &random)
                var pictures = scene.pictures(0..<length)
                if length > 14, Int.random(in: 0..<3, using: &random) == 0 {
                    let at = Int.random(in: 9..<length - 4, using: &random)
                    for k in at...at + Int.random(in: 0...1, using: &random) {
                        pictures[k] = pictures[k].lit(gain: 2, offset: 80)
                    }
                }
                if part > 0, Int.random(in: 0..<4, using: &random) == 0, let last = clip.last {
                    for k in 0..<7 { pictures[k] = last.mixed(with: pictures[k], Float(k + 1) / 8) }
                } else if part > 0 {
                    cuts.append(clip.count)
                }
                let sigma = Float.random(in: 0...4, using: &random)
                clip += pictures.map { $0.noisy(sigma, seed: random.next()) }
            }
            let found = Set(positions(.cut, in: try transitions(clip)))
            right += found.intersection(cuts).count
            wrong += found.subtracting(cuts).count
            missed += Set(cuts).subtracting(found).count
        }
        #expect(right > 30)
        #expect(Double(right) / Double(right + wrong) >= 0.95, "\(right) right, \(wrong) wrong")
        #expect(Double(right) / Double(right + missed) >= 0.95, "\(right) right, \(missed) missed")
    }
}

@Suite struct SceneCutDetectorTests {
    @Test func `Transitions come in order, one a pair, and late by the look-ahead at most`() throws {
        let clip = DrawnScene(seed: 20).pictures(0..<9) + DrawnScene(seed: 21).pictures(0..<8)
        var detector = SceneCutDetector()
        var all: [Transition] = []
        for (index, picture) in clip.enumerated() {
            all += detector.append(FrameSignature(try picture.buffer()))
            #expect(all.count >= index - SceneCutDetector.lookAhead)
        }
        all += detector.finish()
        #expect(all.map(\.index) == Array(1..<clip.count))
        #expect(detector.finish().isEmpty)
        // A finished detector can be reused.
        for picture in clip { all += detector.append(FrameSignature(try picture.buffer())) }
        all += detector.finish()
        #expect(Array(all.prefix(clip.count - 1)) == Array(all.suffix(clip.count - 1)))
    }

    @Test(arguments: [0, 1, 2, 3])
    func `A clip of very few frames ends well`(count: Int) throws {
        #expect(try transitions(DrawnScene(seed: 22).pictures(0..<count)).count == max(0, count - 1))
    }

    @Test func `Every format and depth sees the same cut`() throws {
        let clip = DrawnScene(seed: 23).pictures(0..<8) + DrawnScene(seed: 24).pictures(0..<8)
        for subsampling in ChromaSubsampling.allCases {
            for depth in 8...16 {
                let format = try PixelFormat(subsampling: subsampling, bitDepth: depth)
                let found = try transitions(clip, format: format)
                #expect(positions(.cut, in: found) == [8], "\(format)")
            }
        }
    }

    @Test(arguments: [(16, 16), (50, 50), (17, 33), (161, 121), (400, 16), (16, 400), (101, 257)])
    func `Small, odd and narrow pictures see the cut`(width: Int, height: Int) throws {
        let clip =
            DrawnScene(seed: 25, width: width, height: height).pictures(0..<8)
            + DrawnScene(seed: 26, width: width, height: height, base: 150).pictures(0..<8)
        #expect(positions(.cut, in: try transitions(clip)) == [8])
    }

    @Test(arguments: [(1, 1), (1, 40), (40, 1), (3, 5), (7, 8)])
    func `Pictures smaller than a block are taken`(width: Int, height: Int) throws {
        let found = try transitions(
            DrawnScene(seed: 27, width: width, height: height, speedX: 0, discSpeed: 0).pictures(0..<4))
        #expect(positions(.duplicate, in: found) == [1, 2, 3])
    }

    @Test func `A change of size is a cut`() throws {
        let clip = DrawnScene(seed: 28).pictures(0..<6) + DrawnScene(seed: 28, width: 96, height: 96).pictures(6..<12)
        #expect(positions(.cut, in: try transitions(clip)) == [6])
    }
}

@Suite struct DuplicateTests {
    @Test(arguments: [[2, 3], [1, 1, 1, 2], [2]])
    func `Pulldown is found, coding noise or not`(pattern: [Int]) throws {
        for noise in [Float(0), 0.4] {
            var (clip, repeated): ([Picture], [Int]) = ([], [])
            let scene = DrawnScene(seed: 30, speedX: 3)
            for k in 0..<16 {
                for copy in 0..<pattern[k % pattern.count] {
                    if copy > 0 { repeated.append(clip.count) }
                    clip.append(scene.picture(k).noisy(noise, seed: UInt64(clip.count)))
                }
            }
            #expect(positions(.duplicate, in: try transitions(clip)) == repeated, "noise \(noise)")
        }
    }

    @Test func `A moving pointer on a still screen is no duplicate, the still screen is`() throws {
        let screen = DrawnScene(seed: 31, width: 640, height: 360, speedX: 0, discSpeed: 0).picture(0)
        var clip = Array(repeating: screen, count: 6)
        for k in 0..<6 {
            var picture = screen
            picture.fill(x: 100 + 2 * k, y: 100, width: 7, height: 11, level: 235)
            clip.append(picture)
        }
        clip += Array(repeating: clip[11], count: 6)
        let found = try transitions(clip)
        #expect(positions(.duplicate, in: found) == Array(1...5) + Array(12...17))
        #expect(positions(.cut, in: found) == [])
    }

    @Test func `A slow fade and a slow pan are no duplicates`() throws {
        let scene = DrawnScene(seed: 32, speedX: 0, discSpeed: 0)
        let still = scene.picture(0)
        let black = Picture(width: 192, height: 108)
        let fade = (0..<30).map { still.mixed(with: black, Float($0) / 90) }
        #expect(positions(.duplicate, in: try transitions(fade)) == [])
        var slow = scene
        slow.speedX = 0.1
        #expect(positions(.duplicate, in: try transitions(slow.pictures(0..<30))) == [])
    }

    @Test func `New noise on a still picture is no duplicate`() throws {
        let still = DrawnScene(seed: 33, speedX: 0, discSpeed: 0).picture(0)
        let clip = (0..<12).map { still.noisy(3, seed: UInt64($0)) }
        #expect(positions(.duplicate, in: try transitions(clip)) == [])
    }
}
