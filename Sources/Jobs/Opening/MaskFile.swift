internal import CommandLineCore
internal import FrameCore
internal import Imaging
internal import MediaIO
internal import Pipeline

/// A file of masks: one image, numbered images or a video.
struct MaskFile: MaskSequence {
    /// The name that the user gave.
    let file: String
    /// The frames to which the masks belong.
    let frames: VideoStreamDescription
    /// Whether players rotate the frames.
    let isTurned: Bool
    let allowsNetwork: Bool

    /// Reads a single image, or finds that there are several.
    ///
    /// - Throws: `FrameError` if the file cannot be read, or if its size is not that of the frames.
    func masks() throws -> FrameMasks {
        try naming(file) {
            // It is opened several times, which a pipe is not there for.
            guard LocalFile(file).map({ $0.isRegular || $0.isDirectory }) ?? true else {
                throw FrameError(
                    .invalidArgument, "this is no file; a mask is an image, numbered images or a video in a file",
                    at: .init(file: file))
            }
            let reader = try open()
            guard let first = try reader.nextFrame() else { throw tooShort(0) }
            guard try reader.nextFrame() == nil else { return .sequence(self) }
            return .still(PictureMask(first))
        }
    }

    func reader(from number: Int) throws -> any MaskReader {
        try naming(file) { try MaskFileReader(self, from: number) }
    }

    /// - Throws: `FrameError` if the file cannot be read, or if its size is not that of the frames.
    fileprivate func open() throws -> MediaReader {
        let reader = try MediaReader(
            file, options: MediaReaderOptions(decoderThreads: 1, keepsOtherStreams: false, allowsNetwork: allowsNetwork)
        )
        let (width, height) = (reader.stream.width, reader.stream.height)
        guard (width, height) == (frames.width, frames.height) else {
            let hint =
                isTurned && (height, width) == (frames.width, frames.height)
                ? "; masks are as the file stores frames, before players rotate them" : ""
            throw FrameError(
                .invalidArgument,
                "the mask has \(width)x\(height) pixels, but the frames have \(frames.width)x\(frames.height)\(hint)")
        }
        return reader
    }

    fileprivate func tooShort(_ count: Int) -> FrameError {
        FrameError(
            .input,
            "the mask has only \(counted(count, "frame", "frames")); it needs one for each frame of the clip, or a single one",
            at: .init(file: file))
    }
}

/// Reads the masks of a file one after the other.
private final class MaskFileReader: MaskReader {
    private let file: MaskFile
    private var source: any FrameSource
    /// The number of masks so far.
    private var count: Int

    /// - Parameter number: the number of the first mask.
    init(_ file: MaskFile, from number: Int) throws {
        self.file = file
        let reader = try file.open()
        if number > 0, reader.isSeekable,
            let part = try? PartReader(reader, part: ClipPart(start: .frame(number), end: nil)),
            part.part.firstFrame == number
        {
            (source, count) = (part, number)
            return
        }
        source = try number > 0 ? file.open() : reader
        count = 0
        while count < number {
            guard try source.nextFrame() != nil else { break }
            count += 1
        }
    }

    func next() throws -> PictureMask {
        try naming(file.file) {
            if let frame = try source.nextFrame() {
                count += 1
                return PictureMask(frame)
            }
            throw file.tooShort(count)
        }
    }
}

extension PictureMask {
    /// Reads a mask from a frame of a file.
    fileprivate init(_ frame: Frame) {
        var color = frame.color
        // Gray images such as PGM have all codes and state no range.
        if color.range == .unspecified, frame.buffer.format.subsampling == .monochrome { color.range = .full }
        self.init(frame.buffer, color: color)
    }
}
