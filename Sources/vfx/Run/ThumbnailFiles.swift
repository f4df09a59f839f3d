internal import FrameCore
internal import MediaIO
internal import Reports
internal import Thumbnails

/// The files that a folder of thumbnails gets.
struct ThumbnailFiles {
    var stream: VideoStreamDescription
    var inputName: String
    var format: StillFormat
    var fileExtension: String

    /// - Parameter frames: those of the picks, in their order.
    func make(_ selection: ThumbnailSelection, _ frames: [Frame]) throws -> [ThumbnailFolder.File] {
        let codec = StillCodec()
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        var files: [ThumbnailFolder.File] = []
        for (index, frame) in frames.enumerated() {
            let metadata = StillMetadata(source: "\(inputName) at \(frame.presentationTime) s", software: "vfx")
            // Upright and in ordinary range, since many viewers know neither orientation tags nor high dynamic range.
            var shown = StandardRange.isNeeded(frame.color) ? try StandardRange.picture(of: frame) : frame
            shown.buffer = try shown.buffer.turned(orientation)
            if orientation.swapsSides, let aspect = shown.sampleAspectRatio {
                shown.sampleAspectRatio = Rational(aspect.denominator, aspect.numerator)
            }
            let still = try codec.encode(
                StillPicture(frame: shown), as: format,
                options: StillOptions(metadata: metadata))
            files.append(.init(name: "\(index + 1).\(fileExtension)", bytes: still.bytes))
        }
        if let sheet = try ContactSheet.draw(selection, orientation: orientation) {
            let still = try codec.encode(StillPicture(frame: sheet), as: .jpeg, options: StillOptions(quality: 88))
            files.append(.init(name: "contact-sheet.jpg", bytes: still.bytes))
        }
        let page = ThumbnailReport(
            title: inputName, selection: selection, orientation: orientation,
            sampleAspectRatio: stream.sampleAspectRatio ?? Rational(1, 1))
        files.append(.init(name: "report.html", bytes: Array(try page.html(frames: frames, encoder: codec).utf8)))
        let scores = ScoresFile.text(
            selection, input: inputName, names: files.map(\.name),
            pictures: Array(files.map(\.name).prefix(frames.count)))
        files.append(.init(name: ScoresFile.name, bytes: Array(scores.utf8)))
        return files
    }
}
