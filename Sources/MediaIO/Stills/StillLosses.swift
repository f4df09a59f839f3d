import FrameCore

/// The metadata of an image that an image file cannot store. All writers of images take profiles and notes from here.
enum StillLosses {
    /// Returns the notes on metadata that is not among what is stored.
    ///
    /// - Parameters:
    ///   - metadata: metadata of the source image.
    ///   - extras: what is stored beside the samples.
    ///   - format: the name of the image format.
    static func notes(on metadata: StillMetadata, keeping extras: StillExtras, in format: String) -> [Note] {
        var notes: [Note] = []
        if metadata.iptc != nil, extras.iptc == nil {
            notes.append(
                .loss("image-metadata-dropped", "the IPTC data is left out; \(format) cannot store it"))
        }
        if metadata.pngText != nil, extras.pngText == nil {
            notes.append(
                .loss(
                    "image-metadata-dropped",
                    "the text chunks of the PNG file are left out; \(format) cannot store them"))
        }
        return notes
    }

    /// Returns the ICC profile that describes the samples that are written, and why there is none.
    ///
    /// - Parameters:
    ///   - bytes: the profile of the source image; nil for none.
    ///   - isGray: whether gray samples are written.
    ///   - format: the name of the image format.
    static func profile(
        _ bytes: [UInt8]?, isGray: Bool, in format: String
    ) -> (bytes: [UInt8]?, note: Note?) {
        guard let bytes else { return (nil, nil) }
        func dropped(_ sentence: String) -> (bytes: [UInt8]?, note: Note?) {
            (nil, .loss("color-profile-dropped", sentence))
        }
        guard let profile = ColorProfile(bytes) else { return dropped("the ICC profile is damaged and left out") }
        switch profile.space {
        case .rgb where !isGray, .gray where isGray: return (bytes, nil)
        case .rgb: return dropped("the ICC profile for RGB does not describe gray samples and is left out")
        case .gray:
            guard let equal = profile.forEqualComponents else {
                return dropped("the ICC profile for gray does not apply to \(format) and is left out")
            }
            return (equal.bytes, nil)
        case .other:
            return dropped(
                "the ICC profile is for \(profile.spaceName), which was converted to RGB without it; it is left out, and colors are approximate"
            )
        }
    }
}
