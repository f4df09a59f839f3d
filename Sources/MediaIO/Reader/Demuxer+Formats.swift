import CLibAV
import FrameCore

/// Which pixel formats the frames of the video may have.
extension Demuxer {
    /// Whether the container says that the frames of VP8 or VP9 have alpha beside them.
    var announcesAlpha: Bool {
        guard let codec = video.pointee.codecpar?.pointee.codec_id, AlphaDecoder.isNeeded(for: codec) else {
            return false
        }
        return OptionDictionary.entries(of: video.pointee.metadata).contains(where: MediaInfo.announcesAlpha)
    }

    /// Whether frames may be returned in a format of RGB or with alpha.
    func accepts(_ format: PixelFormat, _ options: MediaReaderOptions) -> Bool {
        options.accepts(format, MediaStreamInfo.codecName(video))
    }

    /// Returns what makes buffers of the decoded frames.
    func importer(_ options: MediaReaderOptions) -> PictureImporter {
        let codec = MediaStreamInfo.codecName(video), accepts = options.accepts, isOpaque = isOpaque
        return PictureImporter { !($0.hasAlpha && isOpaque) && accepts($0, codec) }
    }
}
