import CLibAV
import FrameCore
import Imaging

/// What the pixel format, codec and container of an output demand of the color encoding of its frames.
struct ColorDemands: Equatable {
    /// The only range that a reader of the output will assume; nil when the output can signal its range.
    var range: ColorDescription.Range?
    /// The only matrix that a reader of the output will assume; nil when the output can signal its matrix.
    var matrix: MatrixCoefficients?

    /// What a pixel format demands by itself.
    init(_ format: AVPixelFormat) {
        guard let layout = PixelFormatDescription(format) else { return }
        if layout.isRGB { (matrix, range) = (.identity, .full) }
        if layout.name.hasPrefix("yuvj") { range = .full }
    }

    /// What an image format demands: JPEG files are full-range BT.601, lossy WebP files and the TIFF files of libavcodec
    /// limited-range BT.601, and gray images have full range everywhere.
    ///
    /// - Parameters:
    ///   - encoder: libavcodec's name of the encoder.
    ///   - format: the encoder's pixel format.
    init(imagesOf encoder: String, _ format: AVPixelFormat) {
        self.init(format)
        guard let layout = PixelFormatDescription(format), !layout.isRGB else { return }
        let hasChroma = layout.chromaShifts != nil
        range = hasChroma && encoder != "mjpeg" ? .limited : .full
        if hasChroma { matrix = .bt470BG }
    }

    /// Returns the tags of frames that are encoded as demanded.
    func tags(of color: ColorDescription) -> ColorDescription {
        var tags = color
        if let range { tags.range = range }
        if let matrix { tags.matrix = matrix }
        return tags
    }

    /// Returns the color encoding into which samples are converted.
    ///
    /// - Parameter known: that of the samples; no property is unspecified.
    func encoding(of known: ColorDescription) -> ColorDescription {
        var encoding = known
        if let range { encoding.range = range }
        // RGB has no matrix: that of the samples is undone.
        if let matrix, matrix != .identity,
            known.matrix == .identity || LumaCoefficients(matrix) != LumaCoefficients(known.matrix)
        {
            encoding.matrix = matrix
        }
        return encoding
    }
}
