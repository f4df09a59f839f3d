import FrameCore

/// Where finished sheets go.
struct SheetFiles: Sendable {
    let configuration: StoryboardConfiguration
    let encoder: any StillEncoder
    let jellyfinFolder: String

    /// - Returns: the sheet's bytes.
    func write(_ number: Int, _ sheet: Frame, roku: Bool, _ output: StoryboardWriter.Output) throws -> Int {
        // Roku's boxes show JPEG alone.
        let format = roku ? .jpeg : configuration.format
        let file = try encoder.encode(
            StillPicture(frame: sheet), as: format,
            options: StillOptions(quality: configuration.quality, threads: configuration.threads))
        let ending = format.fileExtensions[0]
        let name = "\(configuration.baseName)-\(number + 1).\(ending)"
        try output(roku ? "roku/\(name)" : name, file.bytes)
        if !roku, configuration.includesJellyfin, configuration.layout == .sprites, format == .jpeg {
            try output("\(jellyfinFolder)/\(number).jpg", file.bytes)
        }
        return file.bytes.count
    }
}
