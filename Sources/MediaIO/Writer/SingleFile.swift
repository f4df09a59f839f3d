public import FrameCore
import CLibAV
public import Foundation

/// Writes images and other single files, completely or not at all.
public enum SingleFile {
    /// Extensions of the image formats that ``write(_:to:input:options:orientation:metadata:)`` supports.
    public static let pictureExtensions = PicturePattern.encoders.keys.sorted()

    /// Whether the name's extension is one of ``pictureExtensions``.
    public static func isPicture(_ name: String) -> Bool { PicturePattern.isPicture(name) }

    /// Whether the image format of a name can store an orientation: all but BMP.
    public static func holdsOrientation(_ name: String) -> Bool {
        PicturePattern.encoder(for: name).map { $0 != "bmp" } ?? false
    }

    /// Writes one frame as an image file in the format of the extension.
    ///
    /// - Parameters:
    ///   - frame: a frame in any format; it is converted if the image format requires it.
    ///   - output: the path of the file.
    ///   - input: the source file, which is never replaced.
    ///   - options: only `pixelFormat` and `overwrites` are used.
    ///   - orientation: how the image is turned for display.
    ///   - metadata: metadata of the source image to keep.
    /// - Returns: one note for each thing that could not be kept as it was.
    /// - Throws: `FrameError` with code `.output`, `.unsupportedFormat` or `.invalidArgument`; nothing is left behind.
    @discardableResult
    public static func write(
        _ frame: Frame, to output: String, input: String? = nil, options: MediaWriterOptions = MediaWriterOptions(),
        orientation: PictureOrientation = .up, metadata: StillMetadata = StillMetadata()
    ) throws(FrameError) -> [Note] {
        let encoder = try encoder(of: frame, output, options, orientation, metadata)
        let target = try OutputTarget(output, input: input, overwrites: options.overwrites)
        try write(encoder.bytes(of: frame), to: target)
        return encoder.notes
    }

    /// Returns what ``write(_:to:input:options:orientation:metadata:)`` would not keep as it is.
    package static func expectedNotes(
        on frame: Frame, in output: String, options: MediaWriterOptions, orientation: PictureOrientation,
        metadata: StillMetadata
    ) throws(FrameError) -> [Note] {
        try encoder(of: frame, output, options, orientation, metadata).notes
    }

    private static func encoder(
        of frame: Frame, _ output: String, _ options: MediaWriterOptions, _ orientation: PictureOrientation,
        _ metadata: StillMetadata
    ) throws(FrameError) -> PictureEncoder {
        let location = FrameError.Location(file: output)
        guard let name = PicturePattern.encoder(for: output) else {
            throw FrameError(
                .unsupportedFormat,
                "this is not an image name; the extension must be one of \(pictureExtensions.joined(separator: ", "))",
                at: location)
        }
        var stream = VideoStreamDescription(
            format: frame.buffer.format, width: frame.buffer.width, height: frame.buffer.height,
            timeBase: Rational(1, 25), color: frame.color, sampleAspectRatio: frame.sampleAspectRatio,
            displayMatrix: orientation.displayMatrix(width: frame.buffer.width, height: frame.buffer.height))
        stream.colorProfile = frame.sideData.colorProfile
        return try PictureEncoder(named: name, stream: stream, options: options, metadata: metadata, at: location)
    }

    /// Writes bytes as a file.
    ///
    /// - Parameters:
    ///   - data: the contents of the file.
    ///   - output: the path of the file.
    ///   - input: the source file, which is never replaced.
    ///   - overwrites: whether an existing file is replaced.
    /// - Throws: `FrameError` with code `.output`; nothing is left behind.
    public static func write(
        _ data: Data, to output: String, input: String? = nil, overwrites: Bool = false
    ) throws(FrameError) {
        try write(Array(data), to: output, input: input, overwrites: overwrites)
    }

    /// Writes bytes as a file, like ``write(_:to:input:overwrites:)-(Data,_,_,_)``.
    public static func write(
        _ bytes: [UInt8], to output: String, input: String? = nil, overwrites: Bool = false
    ) throws(FrameError) {
        try write(bytes, to: OutputTarget(output, input: input, overwrites: overwrites))
    }

    /// Checks that ``write(_:to:input:overwrites:)-(Data,_,_,_)`` would be allowed, without writing. Call before long work.
    ///
    /// - Parameters:
    ///   - output: the path of the file.
    ///   - input: the source file, which is never replaced.
    ///   - overwrites: whether an existing file is replaced.
    /// - Throws: `FrameError` as ``write(_:to:input:overwrites:)-(Data,_,_,_)`` would.
    public static func check(_ output: String, input: String? = nil, overwrites: Bool = false) throws(FrameError) {
        _ = try OutputTarget(output, input: input, overwrites: overwrites)
    }

    private static func write(_ bytes: [UInt8], to target: OutputTarget) throws(FrameError) {
        guard let path = target.path else {
            throw FrameError(
                .output, "this cannot be written to a URL; specify a file", at: .init(file: target.output))
        }
        do throws(FrameError) {
            try target.claim()
            try writeBytes(bytes, to: path, target.output)
            try target.sync()
            try target.publish()
        } catch {
            target.discard()
            throw error
        }
    }
}

/// Creates the file at `path`.
///
/// - Parameters:
///   - bytes: the contents of the file.
///   - path: the path to write to.
///   - output: the output's name for errors.
func writeBytes(_ bytes: [UInt8], to path: String, _ output: String) throws(FrameError) {
    guard let file = fopen(path, "wb") else {
        throw FrameError(.output, "the output cannot be created", at: .init(file: output), cause: SystemError.last)
    }
    let written = fwrite(bytes, 1, bytes.count, file)
    let number = errno
    let closed = fclose(file)
    guard written == bytes.count, closed == 0 else {
        throw writeError(vfx_averror(written == bytes.count ? errno : number), output)
    }
}
