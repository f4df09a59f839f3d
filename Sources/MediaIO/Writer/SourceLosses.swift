import CLibAV
import FrameCore

/// The properties of a source that an output cannot store, decided in this one place. Streams, color tags and frame side data
/// are decided where they are written.
struct SourceLosses {
    /// The name of the output in notes.
    private let name: String
    private let holdsRotation: Bool
    /// Whether it stores the side data of the stream, such as the mastering display.
    private let holdsSideData: Bool
    private let holdsPixelShape: Bool
    private let holdsChapters: Bool
    /// Whether it stores the description of 360° and stereoscopic video only in a file, and is none.
    private let needsFileForSphere: Bool
    /// Whether it is an animated image, which stores a loop count.
    private let isAnimation: Bool
    /// Whether it consists of image files, which hold ICC profiles.
    private let isImages: Bool

    init(_ format: OutputFormat, _ target: OutputTarget) {
        name = format.name
        holdsRotation = format.isMov
        holdsSideData = format.isMov || format.isMatroska
        holdsPixelShape = format.animation != .webp
        holdsChapters = format.holdsChapters
        needsFileForSphere = format.lacksSphericalBoxes && !target.isSeekable
        isAnimation = format.animation != nil
        isImages = false
    }

    /// The losses of numbered images.
    init(imagesNamed name: String) {
        self.name = name
        (holdsRotation, holdsPixelShape, isImages) = (true, true, true)
        (holdsSideData, holdsChapters, needsFileForSphere, isAnimation) = (false, false, false, false)
    }

    /// Returns one note for each property that is not kept.
    ///
    /// - Parameter isWritten: whether the encoder writes side data of the stream itself.
    func notes(
        _ stream: VideoStreamDescription, _ source: MediaSourceDescription?,
        isWritten: (SideData.Entry) -> Bool = { _ in false }
    ) -> [Note] {
        var notes: [Note] = []
        let identity: [Int32] = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30]
        if let matrix = stream.displayMatrix, matrix != identity, matrix.contains(where: { $0 != 0 }), !holdsRotation {
            notes.append(
                .loss("rotation-dropped", "the rotation of the source is not kept, since \(name) cannot store it"))
        }
        if !holdsPixelShape, let ratio = stream.sampleAspectRatio?.reduced, ratio != Rational(1, 1) {
            notes.append(
                .loss(
                    "aspect-dropped",
                    "\(name) cannot store the pixel aspect ratio \(ratio), so viewers will show square pixels"))
        }
        var others = stream
        others.colorProfile = nil
        let entries = others.sideData.entries.filter { !isWritten($0) }
        if !entries.isEmpty, !holdsSideData {
            let kinds = entries.map(\.kind).joined(separator: ", ")
            notes.append(.loss("side-data-dropped", "\(name) cannot store: \(kinds)"))
        }
        if needsFileForSphere, !SphericalBoxes(stream.sideData).isEmpty {
            notes.append(
                .loss(
                    "spherical-dropped",
                    "the description of the 360° or stereoscopic video is left out; \(name) can store it only in a file"
                ))
        }
        if let source { notes += self.notes(source) }
        if stream.colorProfile != nil, !isImages {
            notes.append(
                .loss(
                    "color-profile-dropped",
                    "the ICC profile is not kept in a video, so players will show other colors if it is not that of the color tags"
                ))
        }
        return notes
    }

    private func notes(_ source: MediaSourceDescription) -> [Note] {
        var notes: [Note] = []
        if !source.chapters.isEmpty, !holdsChapters {
            notes.append(.loss("chapters-dropped", "\(name) cannot store the chapters of the source"))
        }
        if !isAnimation, let note = AnimationFormat.noteOnPlays(source, in: name) { notes.append(note) }
        for kind in StreamSideData.unknownKinds(source.video.sideData) {
            notes.append(.loss("side-data-dropped", "\(name) cannot store the \"\(kind)\" of the source"))
        }
        if let dolbyVision = source.dolbyVision { notes.append(dolbyVision.noteOnLoss) }
        if isImages {
            let own = OutputFormat.fileTags(source.metadata).keys
            let codes = source.video.metadata.keys.filter { $0.lowercased() == "timecode" }
            let tags = Set(own).union(codes)
            if !tags.isEmpty {
                let names = tags.sorted().joined(separator: ", ")
                notes.append(.loss("tags-dropped", "\(name) cannot store these tags: \(names)"))
            }
            if source.streams.count > 1 {
                notes.append(.loss("streams-dropped", "\(name) cannot contain other streams; they are left out"))
            }
        }
        if source.hasImageMetadata {
            notes.append(
                .loss(
                    "image-metadata-dropped",
                    isImages
                        ? "EXIF and other metadata of numbered images is not kept, except for orientation and ICC profile"
                        : "EXIF and other metadata of images is not kept in a video"))
        }
        return notes
    }
}
