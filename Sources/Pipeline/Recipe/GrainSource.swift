public import FrameCore
internal import FrameEffects

/// Where synthetic film grain comes from.
public enum GrainSource: Sendable, Hashable {
    /// Grain that looks like that of film; its standard deviation in the middle tones of luma, 0…32 in 8-bit code values.
    case strength(Float)
    /// A file with a grain table in libaom's format.
    case table(path: String)

    /// Parses a number or the path of a table.
    ///
    /// - Throws: `FrameError` if a number is out of range, or the text is empty.
    public init(_ text: String) throws(FrameError) {
        guard let strength = Float(text) else {
            guard !text.isEmpty else {
                throw FrameError(
                    .invalidArgument, "'grain' needs a strength from 0 to 32 or the file of a grain table")
            }
            self = .table(path: text)
            return
        }
        _ = try FilmGrain.preset(strength: strength)
        self = .strength(strength)
    }

    /// Returns the effect that adds the grain.
    ///
    /// - Throws: `FrameError` if the strength is not allowed or the table cannot be read.
    public func pass(_ options: ConversionOptions) throws(FrameError) -> FilmGrainPass {
        switch self {
        case .strength(let strength): return try FilmGrainPass(strength: strength, options: options)
        case .table(let path): return FilmGrainPass(table: try Self.read(path), options: options)
        }
    }

    private static func read(_ path: String) throws(FrameError) -> FilmGrainTable {
        let location = FrameError.Location(file: path)
        guard let file = LocalFile(path), file.isRegular,
            let bytes = LocalFile.read(path, atMost: FilmGrainTable.maximumBytes)
        else { throw FrameError(.input, "the grain table cannot be read", at: location) }
        do {
            return try FilmGrainTable(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            var error = error
            error.location = location
            throw error
        }
    }
}
