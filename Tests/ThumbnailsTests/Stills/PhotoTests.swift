import FrameCore
import MediaIO
import TestSupport
import Testing
import Thumbnails

@Suite struct PhotoTests {
    private let maker = PhotoMaker(encoder: StillCodec())

    private func picture(noisy: Bool = false, orientation: PictureOrientation = .up) throws -> StillPicture {
        let buffer =
            noisy
            ? try GeneratedPicture.texture(width: 2048, height: 1024)
            : try GeneratedPicture.waves(width: 640, height: 360)
        return StillPicture(
            frame: Frame(
                buffer: buffer, presentationTime: .zero,
                color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited)),
            orientation: orientation)
    }

    @Test func previewsKeepTheShape() throws {
        var settings = PhotoSettings(format: .jpeg)
        settings.previewFormat = .init(pixelFormat: .yuv420p8, maximumSize: (320, 320))
        let photo = try maker.photo(of: try picture(), settings: settings)
        let preview = try #require(photo.preview)
        #expect(preview.buffer.width == 320 && preview.buffer.height == 180)
        #expect(photo.embeddedThumbnailSize == nil)
        settings.previewFormat = .init(pixelFormat: try PixelFormat(subsampling: .yuv444, bitDepth: 12))
        #expect(throws: FrameError.self) { try maker.photo(of: try picture(), settings: settings) }
    }

    @Test func formatsAreListedWithTheLeastConversionFirst() throws {
        let deep = try PixelFormat(subsampling: .yuv422, bitDepth: 10)
        let formats = PhotoSettings.availablePreviewPixelFormats(for: deep)
        #expect(formats.first == deep)
        #expect(formats.dropFirst().first == (try PixelFormat(subsampling: .yuv422, bitDepth: 8)))
        #expect(formats.last?.subsampling == .monochrome)
        #expect(Set(formats).count == formats.count)
        #expect(PhotoSettings.availableEmbeddedThumbnailCodecs(for: .jpeg) == [.jpeg])
    }

    @Test func thumbnailsFitTheBoxAsShown() throws {
        var settings = PhotoSettings(format: .jpeg)
        settings.embeddedThumbnailFormat = .init(maximumSize: (160, 120))
        let photo = try maker.photo(of: try picture(), settings: settings)
        #expect(photo.embeddedThumbnailSize.map { $0 == (160, 90) } == true)
        #expect(photo.embeddedThumbnailQuality == 85)
        // Stored in landscape, displayed in portrait: the box applies to the displayed picture.
        let turned = try maker.photo(of: try picture(orientation: .right), settings: settings)
        #expect(turned.embeddedThumbnailSize.map { $0 == (120, 68) } == true)
    }

    @Test func thumbnailsThatAreTooBigLoseQualityAndThenAreRefused() throws {
        var settings = PhotoSettings(format: .jpeg)
        settings.embeddedThumbnailFormat = .init(maximumSize: (900, 900), quality: 100)
        let photo = try maker.photo(of: try picture(noisy: true), settings: settings)
        let quality = try #require(photo.embeddedThumbnailQuality)
        #expect(quality < 100)
        #expect(photo.notes.contains { $0.contains("lowered") })
        settings.embeddedThumbnailFormat = .init(maximumSize: (2000, 2000), quality: 100)
        let error = #expect(throws: FrameError.self) {
            try maker.photo(of: try picture(noisy: true), settings: settings)
        }
        #expect(error?.message.contains("60000") == true)
        settings.embeddedThumbnailFormat = .init(maximumSize: (8, 8))
        #expect(throws: FrameError.self) { try maker.photo(of: try picture(), settings: settings) }
    }
}
