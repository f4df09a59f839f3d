import FrameCore
import MediaIO

extension FuzzTarget {
    /// Image orientation: EXIF data on its own, and in JPEG, PNG, WebP and AVIF files.
    static let exif = FuzzTarget("exif") { bytes in
        _ = StillCodec.orientation(bytes)
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8((bytes.count + 8) >> 8), UInt8((bytes.count + 8) & 255)]
        _ = StillCodec.orientation(head + Array("Exif\0\0".utf8) + bytes)
    }

    /// Whole image files, decoded.
    static let still = FuzzTarget("still", longestInput: 8192) { bytes in
        let picture = try StillCodec(maximumPixels: 1 << 18).decode(bytes)
        let buffer = picture.frame.buffer
        if let alpha = picture.alpha {
            require(alpha.width == buffer.width && alpha.height == buffer.height, "the alpha plane has another size")
        }
    }
}
