internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// Which part of the input is used.
struct PartOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Begin with the first frame at or after this time of the input: seconds, h:m:s, or a frame such as 300f.",
            valueName: "time"))
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End before this time of the input, or before this frame.", valueName: "time"))
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Duration of the part: a time, or a number of frames such as 48f.", valueName: "time")
    )
    var duration: String?

    /// Returns the part; nil for the whole clip.
    ///
    /// - Throws: ``FrameError`` if the options contradict each other or a value is not allowed.
    func part() throws(FrameError) -> ClipPart? {
        guard from != nil || to != nil || duration != nil else { return nil }
        guard to == nil || duration == nil else {
            throw FrameError(.invalidArgument, "--to and --duration are mutually exclusive; give only one of them")
        }
        var start: ClipPosition?
        var end: ClipPart.End?
        if let from { start = try OptionValue.position(from, option: "--from") }
        if let to { end = .position(try OptionValue.position(to, option: "--to")) }
        if let duration { end = .length(try OptionValue.position(duration, option: "--duration")) }
        return try ClipPart(start: start, end: end)
    }
}
