import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(30))) struct ThumbnailLoaderTests {
    /// Opens "videos" whose names are numbers, counts them, and blocks until told to continue.
    private final class Videos: Sendable {
        let opened = Lock<[String: Int]>([:])
        private let gate = Lock(true)

        var count: Int { opened.withLock { $0.values.reduce(0, +) } }
        func close() { gate.withLock { $0 = false } }
        func open() { gate.withLock { $0 = true } }

        func source(_ name: String) throws -> any SeekableFrameSource {
            while !gate.withLock({ $0 }) { usleep(500) }
            opened.withLock { $0[name, default: 0] += 1 }
            guard let number = Int(name) else {
                throw FrameError(.input, "there is no such file", at: .init(file: name))
            }
            return SeekableGeneratedSource(count: 3) { _ in
                Frame(
                    buffer: try GeneratedPicture.flat(16 + number % 220, width: 160, height: 90),
                    presentationTime: .zero,
                    color: ColorDescription(matrix: .smpte170M, primaries: .bt709, transfer: .bt709, range: .limited))
            }
        }
    }

    private func loader(
        _ videos: Videos, _ configuration: ThumbnailLoader.Configuration = .init()
    ) -> ThumbnailLoader {
        ThumbnailLoader(configuration: configuration, encoder: StillCodec(), decoder: StillCodec()) {
            try videos.source($0)
        }
    }

    private func luma(_ picture: StillPicture) -> Int { Int(picture.frame.buffer.samples(ofPlane: 0)[0]) }

    /// Waits without a timeout: how soon other threads are scheduled says nothing about the loader.
    private func wait(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(2)) }
    }

    @Test func oneGenerationHoweverManyAsk() async throws {
        let videos = Videos()
        let loader = loader(videos)
        videos.close()
        let all = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let picture = try await loader.thumbnail(for: ThumbnailRequest(source: "7", maximumWidth: 80))
                        return picture.frame.buffer.width
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        try await wait { loader.statistics.waiting == 50 }
        videos.open()
        #expect(try await all.value == Array(repeating: 80, count: 50))
        #expect(videos.count == 1)
        #expect(loader.statistics.generated == 1)
        _ = try await loader.thumbnail(for: ThumbnailRequest(source: "7", maximumWidth: 80))
        _ = try await loader.thumbnail(for: ThumbnailRequest(source: "7", maximumWidth: 40))
        #expect(videos.count == 2)
    }

    @Test func memoryIsBoundedByCountAndBytes() async throws {
        let videos = Videos()
        let few = loader(videos, .init(memoryCount: 5))
        for number in 0..<20 { _ = try await few.thumbnail(for: ThumbnailRequest(source: "\(number)")) }
        #expect(few.statistics.memoryCount == 5)
        // The last ones are cached, the first are not.
        _ = try await few.thumbnail(for: ThumbnailRequest(source: "19"))
        #expect(few.statistics.generated == 20)
        _ = try await few.thumbnail(for: ThumbnailRequest(source: "0"))
        #expect(few.statistics.generated == 21)
        let small = loader(videos, .init(memoryBytes: 100_000))
        for number in 0..<20 {
            _ = try await small.thumbnail(for: ThumbnailRequest(source: "\(number)"))
            #expect(small.statistics.memoryBytes <= 100_000)
        }
        #expect((2...6).contains(small.statistics.memoryCount))
        let none = loader(videos, .init(memoryBytes: 100))
        _ = try await none.thumbnail(for: ThumbnailRequest(source: "1"))
        #expect(none.statistics.memoryCount == 0)
    }

    @Test func theDiskServesAnotherLoader() async throws {
        let folder = try TemporaryFolder(), videos = Videos()
        let configuration = ThumbnailLoader.Configuration(diskDirectory: folder.path("cache"))
        let first = try await loader(videos, configuration).thumbnail(for: ThumbnailRequest(source: "100"))
        let second = loader(videos, configuration)
        let again = try await second.thumbnail(for: ThumbnailRequest(source: "100"))
        #expect(videos.count == 1)
        #expect(second.statistics.diskHits == 1)
        // JPEG uses full range.
        #expect(abs(luma(again) - (luma(first) - 16) * 255 / 219) <= 2)
        try second.clearCache()
        _ = try await second.thumbnail(for: ThumbnailRequest(source: "100"))
        #expect(videos.count == 2)
    }

    @Test func changedFilesAreOtherFiles() async throws {
        let folder = try TemporaryFolder(), counter = Lock(0)
        let path = try folder.write(Data([1]), to: "video")
        let loader = ThumbnailLoader(encoder: StillCodec(), decoder: StillCodec()) { _ in
            counter.withLock { $0 += 1 }
            return SeekableGeneratedSource.numbered(3)
        }
        for _ in 0..<3 { _ = try await loader.thumbnail(for: ThumbnailRequest(source: path)) }
        #expect(counter.withLock { $0 } == 1)
        _ = try folder.write(Data([1, 2]), to: "video")
        _ = try await loader.thumbnail(for: ThumbnailRequest(source: path))
        #expect(counter.withLock { $0 } == 2)
    }

    @Test func failuresReachAllAndAreTriedAgain() async throws {
        let videos = Videos()
        let loader = loader(videos)
        for _ in 0..<2 {
            await #expect(throws: FrameError.self) {
                try await loader.thumbnail(for: ThumbnailRequest(source: "nowhere"))
            }
        }
        #expect(videos.count == 2)
    }

    @Test func whatIsWantedGoesBeforePrefetching() async throws {
        let videos = Videos(), order = Lock<[String]>([])
        let loader = ThumbnailLoader(
            configuration: .init(concurrency: 1), encoder: StillCodec(), decoder: StillCodec()
        ) { name in
            let source = try videos.source(name)
            order.withLock { $0.append(name) }
            return source
        }
        videos.close()
        loader.prefetch((0..<10).map { ThumbnailRequest(source: "\($0)") })
        async let wanted = loader.thumbnail(for: ThumbnailRequest(source: "99"))
        async let promoted = loader.thumbnail(for: ThumbnailRequest(source: "8"))
        try await wait { loader.statistics.waiting == 2 }
        videos.open()
        _ = try await (wanted, promoted)
        try await wait { order.withLock { $0.count } == 11 }
        // The first had already started.
        #expect(order.withLock { Set($0[1...2]) } == ["99", "8"])
        // Prefetched thumbnails are in memory.
        _ = try await loader.thumbnail(for: ThumbnailRequest(source: "5"))
        #expect(videos.count == 11)
    }

    @Test func cancelledRequestsAreNotBegun() async throws {
        let videos = Videos()
        let loader = loader(videos, .init(concurrency: 1))
        videos.close()
        let first = Task { try await loader.thumbnail(for: ThumbnailRequest(source: "1")) }
        try await wait { loader.statistics.waiting == 1 }
        let second = Task { try await loader.thumbnail(for: ThumbnailRequest(source: "2")) }
        try await wait { loader.statistics.waiting == 2 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        videos.open()
        _ = try await first.value
        // Jobs run one at a time and in order: if the second were still queued, it would have run before this one.
        _ = try await loader.thumbnail(for: ThumbnailRequest(source: "3"))
        #expect(videos.opened.withLock { $0 } == ["1": 1, "3": 1])
        #expect(loader.statistics.cancelled == 1)
    }

    /// 500 videos scroll through a window of 12 reused slots: no slot gets a thumbnail requested for its previous use.
    @Test func scrollingNeverShowsAnothersPicture() async throws {
        let videos = Videos()
        let loader = loader(videos, .init(memoryCount: 100, concurrency: 4))
        struct Slot: Sendable {
            var token: ThumbnailToken?
            var number = -1
            var shown: Int?
        }
        let slots = Lock<[Int: Slot]>([:]), wrong = Lock(0)
        // Held back at first, so that some are scrolled past before their turn.
        videos.close()
        for number in 0..<500 {
            let slot = number % 12
            loader.load(ThumbnailRequest(source: "\(number)"), into: slot) { token, delivery in
                guard case .picture(let picture) = delivery else {
                    slots.withLock { $0[slot] = Slot(token: token, number: number) }
                    return
                }
                let luma = Int(picture.frame.buffer.samples(ofPlane: 0)[0])
                let isRight = slots.withLock { slots in
                    // A delivery that had started when the slot was reused is identified by its token.
                    guard slots[slot]?.token == token else { return true }
                    slots[slot]?.shown = luma
                    return slots[slot]?.number == number && luma == 16 + number % 220
                }
                if !isRight { wrong.withLock { $0 += 1 } }
            }
            if number == 50 { videos.open() }
            if number % 25 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
        try await wait { slots.withLock { all in all.values.allSatisfy { $0.shown != nil } } }
        #expect(wrong.withLock { $0 } == 0)
        let statistics = loader.statistics
        #expect(statistics.mostAtOnce <= 4)
        #expect(statistics.memoryCount <= 100)
        // Requests that were scrolled past were cancelled.
        #expect(statistics.cancelled > 0)
        #expect(videos.count < 500)
        for number in 488..<500 {
            #expect(slots.withLock { $0[number % 12]?.shown } == 16 + number % 220)
        }
    }

    /// Nothing is kept of slots that have their thumbnail, and of requests that were cancelled.
    @Test func tablesShrink() async throws {
        let videos = Videos(), loader = loader(videos, .init(memoryCount: 10))
        let delivered = Lock(0)
        for number in 0..<300 {
            loader.load(ThumbnailRequest(source: "\(number)"), into: "slot \(number)") { _, delivery in
                if case .picture = delivery { delivered.withLock { $0 += 1 } }
            }
        }
        try await wait { delivered.withLock { $0 } == 300 }
        try await wait { loader.statistics.jobs == 0 }
        #expect(loader.statistics.slots == 0)
        loader.load(ThumbnailRequest(source: "299"), into: "another") { _, _ in }
        #expect(loader.statistics.slots == 0)
        videos.close()
        for number in 1000..<3000 {
            loader.load(ThumbnailRequest(source: "\(number)"), into: "one") { _, _ in }
        }
        #expect(loader.statistics.slots == 1 && loader.statistics.jobs < 200)
        videos.open()
        try await wait { loader.statistics.jobs == 0 && loader.statistics.slots == 0 }
    }

    @Test func theDiskIsBounded() async throws {
        let folder = try TemporaryFolder(), videos = Videos()
        let loader = loader(videos, .init(diskDirectory: folder.path("cache"), diskBytes: 8000))
        for number in 0..<60 { _ = try await loader.thumbnail(for: ThumbnailRequest(source: "\(number)")) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
        let bytes = try files.reduce(0) {
            try $0 + Data(contentsOf: URL(fileURLWithPath: folder.path("cache/" + $1))).count
        }
        #expect(bytes <= 8000 && files.count > 2 && files.count < 60)
    }

    @Test func allOfFiveHundredAreMadeOnce() async throws {
        let videos = Videos()
        let loader = loader(videos)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask { _ = try await loader.thumbnail(for: ThumbnailRequest(source: "\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(videos.count == 500)
        #expect(loader.statistics.memoryCount == 500)
        for number in 0..<500 {
            let picture = try await loader.thumbnail(for: ThumbnailRequest(source: "\(number)"))
            #expect(luma(picture) == 16 + number % 220)
        }
        #expect(videos.count == 500)
    }

    @Test func slotsGetAPlaceholderAndThenThePicture() async throws {
        let videos = Videos()
        let loader = loader(videos)
        let got = Lock<[String]>([])
        let request = ThumbnailRequest(source: "3")
        let note: @Sendable (ThumbnailToken, ThumbnailDelivery) -> Void = { _, delivery in
            got.withLock {
                switch delivery {
                case .placeholder: $0.append("placeholder")
                case .picture: $0.append("picture")
                case .failure: $0.append("failure")
                }
            }
        }
        loader.load(request, into: "slot", deliver: note)
        try await wait { got.withLock { $0.count } == 2 }
        loader.load(request, into: "slot", deliver: note)
        loader.load(ThumbnailRequest(source: "nowhere"), into: "slot", deliver: note)
        try await wait { got.withLock { $0.count } == 5 }
        #expect(got.withLock { $0 } == ["placeholder", "picture", "picture", "placeholder", "failure"])
        videos.close()
        let token = loader.load(ThumbnailRequest(source: "4"), into: "slot", deliver: note)
        loader.cancel(token)
        videos.open()
        try await Task.sleep(for: .milliseconds(100))
        #expect(got.withLock { $0.count } == 6)
    }

    @Test func videosComeOverHTTP() async throws {
        let folder = try TemporaryFolder()
        let stream = VideoStreamDescription(
            format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 25), nominalFrameRate: Rational(25, 1))
        let sink = try openSink(folder.path("clip.mp4"), stream: stream, source: nil)
        for index in 0..<50 {
            try sink.write(
                Frame(
                    buffer: try GeneratedPicture.waves(dx: index), presentationTime: milliseconds(Int64(index * 40)),
                    duration: milliseconds(40)))
        }
        try sink.finish()
        let server = try LocalServer(folder.url)

        let loader = ThumbnailLoader(encoder: StillCodec(), decoder: StillCodec()) {
            try MediaReader($0, options: MediaReaderOptions(keepsOtherStreams: false))
        }
        let picture = try await loader.thumbnail(
            for: ThumbnailRequest(source: server.address + "clip.mp4", time: milliseconds(1000), isExact: true))
        #expect(picture.frame.buffer.width == 64)
        let before = server.requests
        _ = try await loader.thumbnail(
            for: ThumbnailRequest(source: server.address + "clip.mp4", time: milliseconds(1000), isExact: true))
        #expect(server.requests == before)
        await #expect(throws: FrameError.self) {
            try await loader.thumbnail(for: ThumbnailRequest(source: server.address + "none.mp4"))
        }

        // An HLS stream segmented by ffmpeg.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-i", folder.path("clip.mp4"), "-c", "copy", "-f", "hls", "-hls_time", "1",
            "-hls_list_size", "0", folder.path("clip.m3u8"),
        ]
        try process.run()
        process.waitUntilExit()
        // Its times start at that of the first segment.
        let playlist = server.address + "clip.m3u8"
        let start = try #require(try MediaReader(playlist, options: .init(keepsOtherStreams: false)).nextFrame())
        let streamed = try await loader.thumbnail(
            for: ThumbnailRequest(
                source: playlist, time: start.presentationTime + milliseconds(1000), isExact: true))
        #expect(streamed.frame.buffer.hasSameSamples(as: picture.frame.buffer))
    }
}
