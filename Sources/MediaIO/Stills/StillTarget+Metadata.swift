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
        if format == .jpegXL, let conversion = ColorProfile(bytes).flatMap(ProfileConversion.init),
            !conversion.isGray || picture.frame.buffer.format.subsampling == .monochrome
        {
            self.conversion = conversion
            (color.primaries, color.transfer) = (.bt709, .sRGB)
            notes.append(
                Note(
                    "colors-converted",
                    "the colors are converted from the ICC profile to sRGB, since JPEG XL files are written without one; write AVIF, PNG, WebP or JPEG to keep them"
                ))
            return
        }
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
        if format == .png { extras.pngText = metadata.pngText }
        guard format == .jpeg else {
            return (extras, StillLosses.notes(on: metadata, keeping: extras, in: format.name))
        }
        extras.iptc = metadata.iptc
        var losses = StillLosses.notes(on: metadata, keeping: extras, in: format.name)
        if let size = extras.exif?.count, size > StillContainer.mostEXIFBytes {
            let (smaller, loss) = Self.smallerEXIF(size, metadata, image, hasThumbnail: options.thumbnail != nil)
            extras.exif = smaller
            losses.append(loss)
        }
        return (extras, losses)
    }

    /// Returns EXIF data that fits into a JPEG file, with the orientation at least, without which the picture would lie on
    /// its side.
    private static func smallerEXIF(
        _ size: Int, _ metadata: StillMetadata, _ image: ExifBlock.Image, hasThumbnail: Bool
    ) -> (bytes: [UInt8]?, loss: Note) {
        let code = "image-metadata-dropped", limit = StillContainer.mostEXIFBytes
        let plain = hasThumbnail ? ExifBlock.bytes(metadata: metadata, image: image, thumbnail: nil) : nil
        if let plain, plain.count <= limit {
            return (
                plain,
                .loss(code, "the EXIF data is too large for JPEG with the embedded thumbnail, which is left out")
            )
        }
        return (
            ExifBlock.bytes(metadata: StillMetadata(), image: image, thumbnail: nil),
            .loss(code, "the EXIF data of \(size) bytes is too large for JPEG and left out, but for the orientation")
        )
    }
}
