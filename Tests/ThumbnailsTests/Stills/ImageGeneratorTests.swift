import FrameCore
import Imaging
import TestSupport
import Testing
import Thumbnails

@Suite struct ImageGeneratorTests {
    private func generator(
        _ count: Int = 100, start: MediaTime = .zero, isSeekable: Bool = true,
        decoded: SeekableGeneratedSource.Counter = .init()
    ) -> ImageGenerator {
        ImageGenerator {
            SeekableGeneratedSource.numbered(count, start: start, isSeekable: isSeekable, decoded: decoded)
        }
    }

    @Test(arguments: [true, false]) func exactFramesInAnyOrder(isSeekable: Bool) async throws {
        let generator = generator(isSeekable: isSeekable)
        for (time, expected) in [(0, 0), (40, 1), (79, 1), (3999, 99), (3000, 75), (3001, 75), (10, 0), (2000, 50)] {
            let image = try await generator.image(at: milliseconds(Int64(time)))
            #expect(number(image.picture) == expected)
            #expect(image.actualTime == milliseconds(Int64(expected) * 40))
            #expect(image.requestedTime == milliseconds(Int64(time)))
        }
    }

    @Test func endlessTolerancesTakeTheKeyFrameBefore() async throws {
        let decoded = SeekableGeneratedSource.Counter()
        let generator = generator(decoded: decoded)
        generator.requestedTimeToleranceBefore = nil
        generator.requestedTimeToleranceAfter = nil
        for (time, expected) in [(3999, 90), (2000, 50), (1999, 40), (0, 0)] {
            let image = try await generator.image(at: milliseconds(Int64(time)))
            #expect(number(image.picture) == expected)
        }
        // Two frames at opening and two after each seek: no frames were skipped by decoding.
        #expect(decoded.count <= 10)
    }

    @Test func tolerancesBoundHowFarAFrameLies() async throws {
        let generator = generator()
        generator.requestedTimeToleranceAfter = .zero
        // Keyframe 50 ends at 2.04 s; at 2.38 s it is more than 0.3 s but less than 0.4 s away.
        generator.requestedTimeToleranceBefore = milliseconds(400)
        #expect(number(try await generator.image(at: milliseconds(2380)).picture) == 50)
        generator.requestedTimeToleranceBefore = milliseconds(300)
        let image = try await generator.image(at: milliseconds(2380))
        #expect(number(image.picture) == 52)
        #expect(image.actualTime == milliseconds(2080))
    }

    @Test func whatWasAskedBeforeDoesNotMatter() async throws {
        let times = (0..<40).map { milliseconds(Int64($0 * 97 % 4000)) }
        let one = generator()
        for time in times {
            let fresh = try await generator().image(at: time), used = try await one.image(at: time)
            #expect(fresh.picture.frame.buffer.hasSameSamples(as: used.picture.frame.buffer))
        }
    }

    @Test func failuresAreElementsAndEndNothing() async throws {
        let generator = generator(50)
        let times = [milliseconds(100), milliseconds(2000), milliseconds(-1), milliseconds(500), milliseconds(99999)]
        var numbers: [Int?] = [], asked: [MediaTime] = []
        for await element in generator.images(for: times) {
            asked.append(element.requestedTime)
            numbers.append(try? number(element.image.picture))
        }
        #expect(asked == times)
        #expect(numbers == [2, nil, nil, 12, nil])
        await #expect(throws: FrameError.self) { try await generator.image(at: milliseconds(2000)) }
    }

    @Test func damageInTheMiddleFailsThereAlone() async throws {
        let generator = ImageGenerator {
            SeekableGeneratedSource(count: 40) { index in
                if index == 15 { throw FrameError(.decode, "damaged on purpose") }
                return Frame(
                    buffer: try GeneratedPicture.flat(20 + 2 * index, width: 64, height: 48), presentationTime: .zero)
            }
        }
        var found: [Int?] = []
        for await element in generator.images(for: [0, 10, 15, 25, 39].map { milliseconds(Int64($0 * 40)) }) {
            found.append(try? number(element.image.picture))
        }
        #expect(found == [0, 10, nil, 25, 39])
    }

    @Test func cancellingGivesEachPendingTimeAResult() async throws {
        let generator = generator()
        var iterator = generator.images(for: [0, 40, 80].map { milliseconds($0) }).makeAsyncIterator()
        let first = await iterator.next()
        #expect((try? first?.image) != nil)
        generator.cancelAllImageGeneration()
        for _ in 0..<2 {
            guard case .failure(_, let error) = await iterator.next() else {
                Issue.record("a cancelled time gave a picture")
                return
            }
            #expect(error is CancellationError)
        }
        #expect(await iterator.next() == nil)
        // Requests made afterwards are served.
        #expect(number(try await generator.image(at: .zero).picture) == 0)
    }

    @Test func theFirstPictureStandsFromZero() async throws {
        let generator = generator(start: milliseconds(500))
        #expect(try await generator.image(at: .zero).actualTime == milliseconds(500))
        #expect(number(try await generator.image(at: milliseconds(540)).picture) == 1)
        await #expect(throws: FrameError.self) { try await generator.image(at: milliseconds(-5)) }
    }

    private func shaped(
        _ aspect: Rational?, matrix: [Int32]? = nil, picture: PixelBuffer
    ) -> ImageGenerator {
        ImageGenerator {
            SeekableGeneratedSource(
                count: 3,
                stream: VideoStreamDescription(
                    format: picture.format, width: picture.width, height: picture.height, timeBase: Rational(1, 25),
                    displayMatrix: matrix)
            ) { _ in Frame(buffer: picture, presentationTime: .zero, sampleAspectRatio: aspect) }
        }
    }

    /// Players show the last picture until the sound ends.
    @Test(arguments: [true, false]) func theLastPictureStandsWhileSoundPlays(isSeekable: Bool) async throws {
        let generator = generator(50, isSeekable: isSeekable)
        generator.playingTime = milliseconds(60_000)
        #expect(number(try await generator.image(at: milliseconds(2000)).picture) == 49)
        #expect(number(try await generator.image(at: milliseconds(59_999)).picture) == 49)
        await #expect(throws: FrameError.self) { try await generator.image(at: milliseconds(60_000)) }
    }

    @Test func shapesFollowTheApertureMode() async throws {
        let generator = shaped(Rational(3, 2), picture: try GeneratedPicture.waves(width: 64, height: 48))
        func size() async throws -> [Int] {
            let buffer = try await generator.image(at: .zero).picture.frame.buffer
            return [buffer.width, buffer.height]
        }
        #expect(try await size() == [96, 48])
        generator.apertureMode = .encodedPixels
        #expect(try await size() == [64, 48])
        generator.apertureMode = .cleanAperture
        generator.cleanAperture = PictureRegion(x: 4, y: 2, width: 40, height: 44)
        #expect(try await size() == [60, 44])
        generator.apertureMode = .productionAperture
        #expect(try await size() == [96, 48])
        generator.maximumSize = (48, 0)
        #expect(try await size() == [48, 24])
        generator.maximumSize = (400, 12)
        #expect(try await size() == [24, 12])
        generator.maximumSize = (4000, 4000)
        #expect(try await size() == [96, 48])
        generator.apertureMode = .cleanAperture
        generator.cleanAperture = PictureRegion(x: 40, y: 0, width: 40, height: 48)
        await #expect(throws: FrameError.self) { try await generator.image(at: .zero) }
    }

    @Test func turnsAreAppliedOrTold() async throws {
        let quarter: [Int32] = [0, 65536, 0, -65536, 0, 0, 0, 0, 1 << 30]
        // Bright in the upper-left quarter, which a clockwise quarter turn moves to the upper right.
        let picture = try GeneratedPicture.draw(.yuv420p8, width: 64, height: 48) { plane, x, y in
            plane > 0 ? 128 : x < 32 && y < 24 ? 200 : 50
        }
        let generator = shaped(nil, matrix: quarter, picture: picture)
        let turned = try await generator.image(at: .zero).picture
        #expect(turned.frame.buffer.width == 48 && turned.frame.buffer.height == 64)
        #expect(turned.orientation == .up)
        let luma = turned.frame.buffer.samples(ofPlane: 0)
        #expect(luma[5 * 48 + 5] == 50 && luma[5 * 48 + 43] == 200 && luma[60 * 48 + 43] == 50)
        generator.appliesPreferredTrackTransform = false
        let told = try await generator.image(at: .zero).picture
        #expect(told.orientation == .right)
        #expect(told.frame.buffer.hasSameSamples(as: picture))
    }

    @Test func untouchedFramesAreHandedOn() async throws {
        let picture = try GeneratedPicture.texture()
        let image = try await shaped(nil, picture: picture).image(at: .zero)
        #expect(image.picture.frame.buffer.hasSameSamples(as: picture))
    }

    @Test func highDynamicRangeIsMappedUnlessKept() async throws {
        let deep = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        let bright = try GeneratedPicture.flat(150, deep, width: 64, height: 48)
        let color = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .limited)
        let generator = ImageGenerator {
            SeekableGeneratedSource(
                count: 2,
                stream: VideoStreamDescription(format: deep, width: 64, height: 48, timeBase: Rational(1, 25))
            ) { _ in Frame(buffer: bright, presentationTime: .zero, color: color) }
        }
        let mapped = try await generator.image(at: .zero).picture.frame
        #expect(mapped.color.transfer == .bt709)
        #expect(mapped.buffer.format.bitDepth == 8)
        generator.dynamicRangePolicy = .matchSource
        let kept = try await generator.image(at: .zero).picture.frame
        #expect(kept.color == color)
        #expect(kept.buffer.hasSameSamples(as: bright))
    }
}
