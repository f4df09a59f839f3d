import CLibAV
public import FrameCore
import Glibc

extension StillCodec {
    /// Size of the largest image file that is decoded, in bytes.
    static let maximumFileBytes = 512 << 20

    public func decode(_ bytes: [UInt8]) throws(FrameError) -> StillPicture {
        try decode(bytes, name: nil).picture
    }

    /// Reads an image file.
    ///
    /// - Parameter path: a local file, or an `http:` or `https:` URL.
    /// - Returns: the image with its alpha plane and orientation, and one note for each thing that could not be
    ///   kept.
    /// - Throws: `FrameError` when the file cannot be read or is not an image.
    public func read(_ path: String) throws(FrameError) -> (picture: StillPicture, notes: [Note]) {
        let bytes = try AddressReader(allowsNetwork: allowsNetwork).bytes(at: path, limit: Self.maximumFileBytes)
        do throws(FrameError) {
            return try decode(bytes, name: path)
        } catch {
            // Formats without a signature, such as Targa, are recognised only by their extension.
            guard LocalFile(path)?.isRegular == true, StillFormat(bytes: bytes) == nil,
                let found = try? decode(bytes, name: path, opening: path)
            else { throw error }
            return found
        }
    }

    private func decode(
        _ bytes: [UInt8], name: String?, opening path: String? = nil
    ) throws(FrameError) -> (picture: StillPicture, notes: [Note]) {
        let location = FrameError.Location(file: name)
        guard !bytes.isEmpty else { throw FrameError(.input, "the file is empty", at: location) }
        let file = try MemoryFile(bytes)
        do throws(FrameError) {
            var options = MediaReaderOptions(
                decoderThreads: 1, keepsOtherStreams: false, allowsNetwork: false,
                maximumPixels: maximumPixels)
            // A playlist with the name of an image could open other files.
            options.allowedFormats = InputAddress.pictureFormats
            let opened = try OpenedInput(path ?? file.path, options: options)
            let demuxer = try Demuxer(opened, options: options)
            let decoder = try VideoDecoder(demuxer, options: options)
            let box = try Self.first(decoder)
            var importer = PictureImporter()
            var color = ColorDescription(frame: box.pointer.pointee)
            let alpha = try Self.alpha(box.pointer.pointee)
            let buffer = try importer.buffer(from: box, color: &color)
            let aspect = Rational(box.pointer.pointee.sample_aspect_ratio)?.reduced
            var sideData = SideData(frame: box.pointer.pointee)
            demuxer.embedded.complete(&color, &sideData)
            let frame = Frame(
                buffer: buffer, presentationTime: .zero, color: color, sampleAspectRatio: aspect,
                fieldOrder: FieldOrder(box.pointer), sideData: sideData)
            let notes = importer.notes.filter { $0.code != "alpha-dropped" }
            var picture = StillPicture(frame: frame, alpha: alpha, orientation: demuxer.embedded.orientation)
            picture.metadata = demuxer.embedded.metadata
            picture.quantizerStep = demuxer.embedded.quantizerStep
            picture.isLoopFiltered = demuxer.embedded.isLoopFiltered
            return (picture, notes + demuxer.embedded.notes)
        } catch {
            var named = error
            named.location.file = name
            throw named
        }
    }

    private static func first(_ decoder: VideoDecoder) throws(FrameError) -> FrameHandle {
        switch try decoder.next() {
        case .frame(let box): return box
        case .lost(let error): throw FrameError(.decode, "the image is damaged", cause: error)
        case .end: throw FrameError(.decode, "the file contains no image")
        }
    }

    /// Returns the alpha plane of a decoded image; nil when it has none or is fully opaque.
    private static func alpha(_ frame: AVFrame) throws(FrameError) -> PixelBuffer? {
        let width = Int(frame.width), height = Int(frame.height)
        let format = AVPixelFormat(rawValue: frame.format)
        let palette = format == AV_PIX_FMT_PAL8 ? frame.data.1 : nil
        guard palette != nil || AlphaChannel(format) != nil else { return nil }
        let channel = AlphaChannel(format)
        let depth = min(16, channel?.depth ?? 8)
        var plane = try PixelBuffer(
            format: PixelFormat(subsampling: .monochrome, bitDepth: depth), width: width, height: height)
        var isOpaque = true
        try plane.withOverwrittenPlanes { planes throws(FrameError) in
            let target = planes[0]
            for y in 0..<height {
                for x in 0..<width {
                    var value = channel?.get(x, y, frame) ?? 255
                    if let palette, let indices = frame.data.0 {
                        // Palette entries are native-endian words with alpha in the highest byte.
                        value = Int(palette[4 * Int(indices[y * Int(frame.linesize.0) + x]) + 3])
                    }
                    if value != (1 << depth) - 1 { isOpaque = false }
                    if depth == 8 {
                        target.row(y).storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: x, as: UInt8.self)
                    } else {
                        target.row(y).storeBytes(
                            of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * x, as: UInt16.self)
                    }
                }
            }
        }
        return isOpaque ? nil : plane
    }

    /// Returns the orientation that an image file specifies; `up` when it specifies none or an invalid one.
    package static func orientation(_ bytes: [UInt8]) -> PictureOrientation { EmbeddedMetadata(bytes).orientation }
}

extension AVIFFile {
    /// Returns the orientation that the properties of a picture specify.
    static func orientation(of properties: [ISOBoxes.Box], in boxes: ISOBoxes) -> PictureOrientation {
        func value(_ kind: String) -> UInt8? {
            properties.first { $0.kind == kind }.flatMap { boxes.reader.big($0.body.lowerBound, as: UInt8.self) }
        }
        let quarters = (value("irot") ?? 0) & 3, axis = value("imir").map { $0 & 1 }
        return PictureOrientation.allCases.first { candidate in
            var turning = AVIFFile.turning(candidate)
            if turning == (quarters, axis) { return true }
            // Mirroring about the other axis plus another half turn gives the same orientation.
            turning = (turning.quarters ^ 2, turning.axis.map { $0 ^ 1 })
            return turning.axis != nil && turning == (quarters, axis)
        } ?? .up
    }
}

/// A file in memory that can be opened by its path.
package final class MemoryFile {
    private let descriptor: Int32
    /// Path of the file; valid as long as this object exists.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Creates a file with the given contents.
    ///
    /// - Throws: `FrameError` when there is not enough memory.
    package init(_ bytes: [UInt8]) throws(FrameError) {
        descriptor = vfx_memory_file("picture")
        guard descriptor >= 0 else {
            throw FrameError(.allocation, "no memory for an image file", cause: SystemError.last)
        }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            guard count > 0 else {
                close(descriptor)
                throw FrameError(.allocation, "no memory for an image file", cause: SystemError.last)
            }
            written += count
        }
    }

    deinit { close(descriptor) }
}
