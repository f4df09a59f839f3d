import CLibAV
import FrameCore
import Glibc

/// An HEIC image, which libheif decodes: libavformat cannot open it.
enum HEICImage {
    /// Major and compatible brands of HEVC images (ISO/IEC 23008-12, annex B).
    private static let brands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]

    /// libheif; nil if it is not installed. Loaded once, and constant from then on.
    nonisolated(unsafe) private static let functions = vfx_load_heif()

    /// Whether a file starts like an HEIC image.
    static func isHEIC(_ head: [UInt8]) -> Bool {
        let reader = ByteReader(head)
        guard reader.hasText("ftyp", at: 4), let size = reader.big(0, as: UInt32.self) else { return false }
        let found = stride(from: 8, to: min(Int(size), head.count) - 3, by: 4).compactMap { place in
            place == 12 ? nil : reader.slice(place, 4).map { String(decoding: $0, as: UTF8.self) }
        }
        return found.contains { brands.contains($0) } && !found.contains("avif")
    }

    /// Decodes the main image of a local file and stores it, upright and uncompressed, as a PAM file in memory.
    ///
    /// - Returns: nil if the file is something else.
    /// - Throws: `FrameError` if libheif is not installed or cannot decode the image.
    static func decoded(_ path: String, maximumPixels: Int) throws(FrameError) -> MemoryFile? {
        guard let file = fopen(LocalFile.path(path), "rb") else { return nil }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 64)
        head.removeLast(head.count - fread(&head, 1, head.count, file))
        guard isHEIC(head) else { return nil }
        let location = FrameError.Location(file: path)
        guard let heif = Self.functions?.pointee else {
            throw FrameError(
                .unsupportedFormat,
                "this is an HEIC image, and libheif, which reads it, is not installed; install libheif1, or convert the image to JPEG or PNG",
                at: location)
        }
        guard let size = LocalFile(path)?.size, size <= StillCodec.maximumFileBytes else {
            throw FrameError(.input, "the HEIC image is too large", at: location)
        }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        rewind(file)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else {
            throw FrameError(.input, "the file cannot be read", at: location)
        }
        return try MemoryFile(pam(bytes, heif, maximumPixels, location))
    }

    private static func pam(
        _ bytes: [UInt8], _ heif: vfx_heif_functions, _ maximumPixels: Int, _ location: FrameError.Location
    ) throws(FrameError) -> [UInt8] {
        func check(_ error: vfx_heif_error) throws(FrameError) {
            guard error.code != 0 else { return }
            let reason = String(c: error.message).filter { !$0.isNewline }
            throw FrameError(
                .decode,
                "this HEIC image is damaged or of an unknown kind (\(reason)); convert it to JPEG or PNG",
                at: location)
        }
        guard let context = heif.context_alloc() else { throw FrameError(.allocation, "no memory for an HEIC image") }
        defer { heif.context_free(context) }
        let (handle, image) = try bytes.withUnsafeBufferPointer {
            memory throws(FrameError) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) in
            var handle: UnsafeMutableRawPointer?, image: UnsafeMutableRawPointer?
            guard let start = memory.baseAddress else { throw FrameError(.input, "the file is empty", at: location) }
            try check(heif.context_read(context, start, memory.count, nil))
            try check(heif.context_primary(context, &handle))
            guard let handle else { throw FrameError(.decode, "the HEIC file has no main image", at: location) }
            let (width, height) = (Int(heif.handle_width(handle)), Int(heif.handle_height(handle)))
            guard width > 0, height > 0, width * height <= maximumPixels else {
                heif.handle_release(handle)
                throw FrameError(
                    .unsupportedSize,
                    "the image size \(width)x\(height) is not supported; the limit is \(maximumPixels) pixels",
                    at: location)
            }
            let hasAlpha = heif.handle_has_alpha(handle) != 0, isDeep = heif.handle_bits(handle) > 8
            let chroma =
                isDeep
                ? hasAlpha ? vfx_heif_rgba16_big : vfx_heif_rgb16_big : hasAlpha ? vfx_heif_rgba8 : vfx_heif_rgb8
            do throws(FrameError) {
                try check(heif.decode(handle, &image, vfx_heif_rgb, chroma, nil))
            } catch {
                heif.handle_release(handle)
                throw error
            }
            return (handle, image)
        }
        defer {
            heif.image_release(image)
            heif.handle_release(handle)
        }
        var stride: Int32 = 0
        guard let image, let plane = heif.image_plane(image, vfx_heif_interleaved, &stride) else {
            throw FrameError(.decode, "libheif returned no image", at: location)
        }
        let width = Int(heif.image_width(image, vfx_heif_interleaved))
        let height = Int(heif.image_height(image, vfx_heif_interleaved))
        let channels = heif.handle_has_alpha(handle) != 0 ? 4 : 3, bits = max(8, Int(heif.handle_bits(handle)))
        let row = width * channels * (bits > 8 ? 2 : 1)
        guard width > 0, height > 0, Int(stride) >= row else {
            throw FrameError(.decode, "libheif returned no image", at: location)
        }
        var writer = ByteWriter(capacity: row * height + 128)
        writer.text(
            "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(channels)\nMAXVAL \((1 << bits) - 1)\nTUPLTYPE \(channels == 4 ? "RGB_ALPHA" : "RGB")\nENDHDR\n"
        )
        for y in 0..<height { writer.raw(UnsafeBufferPointer(start: plane + y * Int(stride), count: row)) }
        return writer.bytes
    }
}
