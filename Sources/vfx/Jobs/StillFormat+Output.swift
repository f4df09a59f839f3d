internal import FrameCore

extension StillFormat {
    /// The format that the name of an output asks for.
    ///
    /// - Throws: `FrameError` for a name that is no picture's.
    init(ofOutput name: String) throws(FrameError) {
        guard let format = StillFormat(fileName: name) else {
            let names = StillFormat.allCases.flatMap(\.fileExtensions).joined(separator: ", ")
            throw FrameError(
                .invalidArgument, "this is no picture's name; its extension must be one of \(names)",
                at: .init(file: name))
        }
        self = format
    }
}
