internal import CommandLineCore
package import FrameAnalysis
package import FrameCore
internal import Imaging
internal import MediaIO
internal import Reports

/// Makes the files of a thumbnail folder.
package struct ThumbnailFiles {
    var stream: VideoStreamDescription
    var inputName: String
    var format: StillFormat
    var fileExtension: String
    /// The wall-clock time at the beginning of the clip, if the input states it.
    var created: MediaTime?
    /// Metadata of the input if it is an image.
    var imageMetadata = StillMetadata()
    var context = ExecutionContext.serial

    package init(
        stream: VideoStreamDescription, inputName: String, format: StillFormat, fileExtension: String,
        created: MediaTime? = nil, imageMetadata: StillMetadata = StillMetadata(),
        context: ExecutionContext = .serial
    ) {
        self.stream = stream
        self.inputName = inputName
        self.format = format
        self.fileExtension = fileExtension
        self.created = created
        self.imageMetadata = imageMetadata
        self.context = context
    }

    /// - Parameter frame: returns the frame of a pick; called once for each, in the order of the picks.
    package func make(
        _ selection: ThumbnailSelection, _ frame: (PickedFrame) throws -> Frame
    ) throws -> [(name: String, bytes: [UInt8])] {
        let codec = StillCodec()
        let orientation = PictureOrientation(displayMatrix: stream.displayMatrix)
        var ratio = Rational(1, 1)
        var previews: [Preview?] = []
        // Upright, with square pixels and in standard dynamic range, as `vfx still` renders them.
        var options = RenderingOptions()
        options.context = context
        let rendering = FrameRenderer(stream: stream, options: options)
        var files: [(name: String, bytes: [UInt8])] = []
        // One frame at a time: a hundred large ones would not fit into memory.
        for (index, pick) in selection.picks.enumerated() {
            let frame = try frame(pick)
            if index == 0, let first = frame.sampleAspectRatio { ratio = first }
            previews.append(Preview.large(frame))
            let metadata = StillMetadata(
                inputName: inputName, created: created, at: frame.presentationTime, keeping: imageMetadata)
            let still = try codec.encode(
                rendering.picture(of: frame), as: format, options: StillOptions(metadata: metadata))
            files.append(("\(index + 1).\(fileExtension)", still.bytes))
        }
        if let sheet = try ContactSheet.draw(selection, orientation: orientation, sampleAspectRatio: ratio) {
            let still = try codec.encode(StillPicture(frame: sheet), as: .jpeg, options: StillOptions(quality: 88))
            files.append(("contact-sheet.jpg", still.bytes))
        }
        let page = ThumbnailReport(
            title: inputName, selection: selection, orientation: orientation, sampleAspectRatio: ratio)
        files.append(("report.html", Array(try page.html(previews: previews, encoder: codec).utf8)))
        let scores = Self.scores(
            selection, input: inputName, names: files.map(\.name),
            pictures: Array(files.map(\.name).prefix(selection.picks.count)))
        files.append((Self.scoresName, Array(scores.utf8)))
        return files
    }
}

extension ThumbnailFiles {
    private static let scoresName = "scores.json"

    /// Returns the text of `scores.json`: what was picked and examined, and which files vfx wrote to the folder.
    ///
    /// | key | value |
    /// |---|---|
    /// | `generator`, `version` | `vfx thumbnails`, 1 |
    /// | `input` | the file's name |
    /// | `picks` | best first: `file`, `time` (seconds), `exact_time`, `score` (−1…1), `rank`, `is_utility`, `cues`, `reasons` |
    /// | `looked_at` | by time: `time`, `score`, `rank`, `utility` (or null) |
    /// | `cuts` | seconds |
    /// | `notes` | sentences |
    /// | `files` | names of all files written |
    private static func scores(_ selection: ThumbnailSelection, input: String, names: [String], pictures: [String])
        -> String
    {
        let picks = zip(selection.picks, pictures).map { pick, file in
            JSONValue.object([
                ("file", .string(file)), ("time", .fine(pick.time.seconds)), ("exact_time", .time(pick.time)),
                ("score", .fine(Double(pick.score))), ("rank", .fine(Double(pick.rank))),
                ("is_utility", .bool(pick.utilityKind != nil)),
                ("cues", .object(AestheticCue.allCases.map { ($0.rawValue, .double(Double(pick.cues[$0]))) })),
                ("reasons", .array(pick.reasons.map { .string($0) })),
            ])
        }
        let looks = selection.looks.map { look in
            JSONValue.object([
                ("time", .fine(look.time.seconds)), ("score", .fine(Double(look.score))),
                ("rank", .fine(Double(look.rank))), ("utility", .optional(look.utilityKind?.rawValue)),
            ])
        }
        func lines(_ values: [JSONValue]) -> String {
            values.isEmpty ? "[]" : "[\n    " + values.map(\.text).joined(separator: ",\n    ") + "\n  ]"
        }
        return """
            {
              "generator": "vfx thumbnails",
              "version": 1,
              "input": \(JSONValue.string(input).text),
              "picks": \(lines(picks)),
              "looked_at": \(lines(looks)),
              "cuts": \(JSONValue.array(selection.cuts.map { .fine($0.seconds) }).text),
              "notes": \(JSONValue.array(selection.notes.map { .string($0) }).text),
              "files": \(JSONValue.array((names + [scoresName]).map { .string($0) }).text)
            }

            """
    }
}
