import Foundation
import FrameCore
import MediaIO
import Storyboards
import TestSupport
import Testing
import Thumbnails

/// The code that the articles of Thumbnails show.
@Suite struct ThumbnailsSnippets {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func stills() async throws {
        let input = try folder.makeClip(), output = folder.path("out.jpg")
        // snippet
        let generator = ImageGenerator { try MediaReader(input, options: MediaReaderOptions(keepsOtherStreams: false)) }
        generator.maximumSize = (1280, 720)
        let image = try await generator.image(at: MediaTime(value: 3, timescale: 25))
        print(image.actualTime, image.picture.frame.buffer.width)
        // end
        #expect(image.actualTime == MediaTime(value: 3, timescale: 25))
        // snippet
        generator.requestedTimeToleranceBefore = nil
        generator.requestedTimeToleranceAfter = nil
        let times = (0..<4).map { MediaTime(value: $0, timescale: 25) }
        for await element in generator.images(for: times) {
            switch element {
            case .success(let image): print(image.requestedTime, image.actualTime)
            case .failure(let time, let error): print(time, error)
            }
        }
        // end
        // snippet
        var settings = PhotoSettings(format: .jpeg, metadata: StillMetadata(source: "in.mkv", software: "my program"))
        settings.embeddedThumbnailFormat = .init(maximumSize: (320, 180))
        settings.previewFormat = .init(pixelFormat: .yuv420p8, maximumSize: (32, 32))
        let photo = try PhotoMaker(encoder: StillCodec()).photo(of: image.picture, settings: settings)
        try SingleFile.write(Data(photo.fileDataRepresentation), to: output)
        // end
        #expect(photo.preview?.buffer.width == 32)
        #expect(try StillCodec().read(output).picture.frame.buffer.width == 64)
    }

    @Test func storyboards() async throws {
        let input = try folder.makeClip(), output = folder.path("board"), cache = folder.path("cache")
        // snippet
        let reader = try MediaReader(input, options: MediaReaderOptions(keepsOtherStreams: false, keyFramesOnly: true))
        let configuration = StoryboardConfiguration(
            interval: MediaTime(value: 5, timescale: 1), columns: 5, rows: 5, tileWidth: 160)
        let writer = try StoryboardWriter(configuration: configuration, encoder: StillCodec())
        let folder = try OutputFolder(output)
        let board = try writer.write(reader) { name, bytes in try folder.write(name, bytes) }
        try folder.publish()
        print(board.tileCount, board.sheetCount)
        // end
        #expect(board.tileCount == 1)
        // snippet
        let track = try await StoryboardTrack.load(
            output + "/storyboard.vtt", bytes: AddressReader(), decoder: StillCodec(), cacheDirectory: cache)
        if let thumbnail = try await track.thumbnail(at: MediaTime(value: 1, timescale: 25)) {
            print(thumbnail.start, thumbnail.end, thumbnail.picture.frame.buffer.width)
        }
        try track.deleteLocalCache()
        // end
        #expect(track.names == ["storyboard-1.jpg"])
    }

    @Test func lists() async throws {
        let input = try folder.makeClip(), cache = folder.path("cache")
        // snippet
        let loader = ThumbnailLoader(
            configuration: .init(memoryCount: 200, memoryBytes: 32 << 20, diskDirectory: cache),
            encoder: StillCodec(), decoder: StillCodec()
        ) { source in try MediaReader(source, options: MediaReaderOptions(keepsOtherStreams: false)) }
        let request = ThumbnailRequest(source: input, maximumWidth: 320, maximumHeight: 180)
        let picture = try await loader.thumbnail(for: request)
        print(picture.frame.buffer.width)
        // end
        #expect(picture.frame.buffer.width == 64)
        // snippet
        loader.load(request, into: "row 3") { token, delivery in
            switch delivery {
            case .placeholder: print("grey")
            case .picture(let picture): print(picture.frame.buffer.width)
            case .failure(let error): print(error)
            }
        }
        loader.prefetch([ThumbnailRequest(source: input, time: MediaTime(value: 1, timescale: 25))])
        // end
        #expect(loader.statistics.generated >= 1)
    }
}
