import FrameCore

extension StillTarget {
    /// Sets the profile if it describes the samples that are written and the format can hold it.
    mutating func setProfile(of picture: StillPicture, _ format: StillFormat) {
        guard let bytes = picture.frame.sideData.colorProfile else { return }
        guard let found = ColorProfile(bytes) else {
            return notes.append("the ICC profile is damaged and left out")
        }
        if color.transfer.isHighDynamicRange {
            return notes.append("the ICC profile is left out; the color tags describe the dynamic range")
        }
        // libav's encoder takes no profile.
        if format == .jpegXL {
            return notes.append(
                "JPEG XL files are written without an ICC profile, so viewers will assume sRGB; write AVIF, PNG, WebP or JPEG to keep it"
            )
        }
        let isMonochrome = picture.frame.buffer.format.subsampling == .monochrome
        switch found.space {
        case .rgb: profile = bytes
        case .gray where isMonochrome && (format == .png || format == .avif): profile = bytes
        case .gray:
            profile = found.forEqualComponents?.bytes
            if profile == nil {
                notes.append("the ICC profile for gray does not apply to \(format.name) and is left out")
            }
        case .other:
            notes.append(
                "the ICC profile is for \(found.spaceName), which was converted to RGB without it; it is left out, and colors are approximate"
            )
        }
    }

    /// Returns what is stored beside the samples, and one sentence for each thing that is left out.
    func extras(
        of picture: StillPicture, as format: StillFormat, _ options: StillOptions
    ) -> (extras: StillExtras, losses: [String]) {
        let metadata = options.metadata, buffer = picture.frame.buffer
        let image = ExifBlock.Image(
            orientation: picture.orientation, width: buffer.width, height: buffer.height,
            isSRGB: profile == nil && Self.isNearSRGB(picture.frame.color.resolved(height: buffer.height)))
        var extras = StillExtras(
            profile: profile, exif: ExifBlock.bytes(metadata: metadata, image: image, thumbnail: options.thumbnail),
            xmp: metadata.xmp.map { XMPPacket.adapted($0, to: image) })
        var losses: [String] = []
        if format == .jpeg {
            extras.iptc = metadata.iptc
        } else if metadata.iptc != nil {
            losses.append("the IPTC data is left out; \(format.name) cannot store it")
        }
        if format == .png {
            extras.pngText = metadata.pngText
        } else if metadata.pngText != nil {
            losses.append("the text chunks of the PNG file are left out; \(format.name) cannot store them")
        }
        return (extras, losses)
    }
}
