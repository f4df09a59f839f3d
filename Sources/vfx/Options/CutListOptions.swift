internal import ArgumentParser
internal import CommandLineCore
internal import Foundation
internal import FrameCore
internal import MediaIO
internal import Pipeline

/// Where scene cuts are taken from.
struct CutListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take scene cuts from this file instead of finding them: a time or frame per line, a scene list of PySceneDetect (CSV), or an edit decision list (EDL).",
            valueName: "file"))
    var cuts: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Evidence from which a change of picture counts as a scene cut, 0 to 1: with a higher number, fewer cuts are found. Default: 0.5.",
            valueName: "number"))
    var cutThreshold: String?

    /// Returns how cuts are searched for.
    ///
    /// - Parameter search: the search of the command.
    /// - Throws: `FrameError` if the threshold is not allowed, or if no cuts are searched for.
    func search(_ search: CutSearch) throws(FrameError) -> CutSearch {
        guard let text = cutThreshold else { return search }
        guard cuts == nil else {
            throw FrameError(
                .invalidArgument, "--cuts and --cut-threshold are mutually exclusive; give only one of them")
        }
        guard search.detectsCuts else {
            throw FrameError(
                .invalidArgument,
                "--cut-threshold applies to effects whose cuts are found beforehand; this one finds its own"
            )
        }
        return try search.withThreshold(OptionValue.decimal(text, option: "--cut-threshold", range: 0...1))
    }

    /// Returns the first frames of new scenes; nil without a list.
    ///
    /// - Parameter reader: a reader of the clip that has not returned any frames yet.
    /// - Throws: `FrameError` if the list cannot be read or is that of another clip.
    func frames(of reader: MediaReader) throws -> Set<Int>? {
        guard let cuts else { return nil }
        return try naming(cuts) {
            guard let file = FileHandle(forReadingAtPath: cuts),
                let data = try? (file.read(upToCount: CutList.maximumBytes + 1) ?? Data())
            else { throw FrameError(.input, "the list of cuts cannot be read") }
            guard data.count <= CutList.maximumBytes else {
                throw FrameError(.input, "the list of cuts has more than \(CutList.maximumBytes) bytes")
            }
            guard let text = String(data: data, encoding: .utf8) else {
                throw FrameError(.input, "the list of cuts is not text in UTF-8")
            }
            let list = try CutList(text, rate: reader.stream.nominalFrameRate)
            let numbers = try reader.frameNumbers(of: list.entries.map(\.position))
            return try Set(
                zip(list.entries, numbers).map { entry, number in
                    guard let number else {
                        throw FrameError(
                            .input,
                            "line \(entry.line): the cut at \(entry.position) is after the last frame of \(reader.input)"
                        )
                    }
                    return number
                })
        }
    }
}
