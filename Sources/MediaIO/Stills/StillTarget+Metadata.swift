import FrameCore

extension StillTarget {
    /// Sets the profile if it describes the samples that are written and the format can hold it.
    mutating func setProfile(of picture: StillPicture, _ format: StillFormat) {
        guard let bytes = picture.frame.sideData.colorProfile else { return }
        if color.transfer.isHighDynamicRange {
            notes.append(
                .loss(
                    "color-profile-dropped", "the ICC profile is left out; the color tags describe the dynamic range"))
            return
        }
        // libav's encoder takes no profile.
        if format == .jpegXL {
            notes.append(
                .loss(
                    "color-profile-dropped",
                    "JPEG XL files are written without an ICC profile, so viewers will assume sRGB; write AVIF, PNG, WebP or JPEG to keep it"
                ))
            return
        }
        // With a profile for RGB, gray samples are written as RGB.
        let isGray =
            picture.frame.buffer.format.subsampling == .monochrome && (format == .png || format == .avif)
            && ColorProfile(bytes)?.space != .rgb
        let found = StillLosses.profile(bytes, isGray: isGray, in: format.name)
        profile = found.bytes
        notes += [found.note].compactMap(\.self)
    }

    /// Returns what is stored beside the samples, and one note for each thing that is left out.
    func extras(
        of picture: StillPicture, as format: StillFormat, _ options: StillOptions
    ) -> (extras: StillExtras, losses: [Note]) {
        let metadata = options.metadata, buffer = picture.frame.buffer
        let image = ExifBlock.Image(
            orientation: picture.orientation, width: buffer.width, height: buffer.height,
            isSRGB: profile == nil && Self.isNearSRGB(picture.frame.color.resolved(height: buffer.height)))
        var extras = StillExtras(
            profile: profile, exif: ExifBlock.bytes(metadata: metadata, image: image, thumbnail: options.thumbnail),
            xmp: metadata.xmp.map { XMPPacket.adapted($0, to: image) })
        if format == .jpeg { extras.iptc = metadata.iptc }
        if format == .png { extras.pngText = metadata.pngText }
        return (extras, StillLosses.notes(on: metadata, keeping: extras, in: format.name))
    }
}
