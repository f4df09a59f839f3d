internal import FrameAnalysis
internal import FrameCore
internal import Imaging
internal import MediaIO
internal import Reports

/// The files that a folder of thumbnails gets.
struct ThumbnailFiles {
    struct File {
        var name: String
        var bytes: [UInt8]
    }

    var stream: VideoStreamDescription
    var inputName: String
    var format: StillFormat
    var fileExtension: String
    /// When the clip began, if the input says so.
    var created: MediaTime?
    var threads = 1

    /// - Parameter frames: those of the picks, in their order.
    func make(_ selection: ThumbnailSelection, _ frames: [Frame]) throws -> [File] {
        let codec = StillCodec()
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        let ratio = frames.first?.sampleAspectRatio ?? Rational(1, 1)
        // Upright, with square pixels and in ordinary range, as `vfx still` makes them.
        var options = RenderingOptions()
        options.threads = threads
        let rendering = FrameRenderer(stream: stream, options: options)
        var files: [File] = []
        for (index, frame) in frames.enumerated() {
            let metadata = StillMetadata(inputName: inputName, created: created, at: frame.presentationTime)
            let still = try codec.encode(
                rendering.picture(of: frame), as: format, options: StillOptions(metadata: metadata))
            files.append(.init(name: "\(index + 1).\(fileExtension)", bytes: still.bytes))
        }
        if let sheet = try ContactSheet.draw(selection, orientation: orientation, sampleAspectRatio: ratio) {
            let still = try codec.encode(StillPicture(frame: sheet), as: .jpeg, options: StillOptions(quality: 88))
            files.append(.init(name: "contact-sheet.jpg", bytes: still.bytes))
        }
        let page = ThumbnailReport(
            title: inputName, selection: selection, orientation: orientation, sampleAspectRatio: ratio)
        files.append(.init(name: "report.html", bytes: Array(try page.html(frames: frames, encoder: codec).utf8)))
        let scores = ScoresFile.text(
            selection, input: inputName, names: files.map(\.name),
            pictures: Array(files.map(\.name).prefix(frames.count)))
        files.append(.init(name: ScoresFile.name, bytes: Array(scores.utf8)))
        return files
    }
}
