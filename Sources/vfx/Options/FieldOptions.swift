public import ArgumentParser
internal import FrameCore
public import Jobs
public import Pipeline

/// What becomes of interlaced video.
struct FieldOptions: ParsableArguments {
    @Option(
        help:
            "Deinterlace the frames whose pictures or marks show that they are interlaced (auto), or all frames as top (tff) or bottom field first (bff); or process frames as they are (off)."
    )
    var fields: FieldHandling?

    @Flag(help: "The same as --fields off.")
    var allowInterlaced = false

    /// What both options say together.
    ///
    /// - Throws: ``FrameError`` if they contradict each other.
    func handling() throws(FrameError) -> FieldHandling {
        guard allowInterlaced else { return fields ?? .auto }
        guard fields ?? .off == .off else {
            throw FrameError(
                .invalidArgument,
                "--allow-interlaced is the same as --fields off, and excludes other values of --fields")
        }
        return .off
    }
}

/// How many pictures are made of an interlaced frame; for commands that make a video.
struct FieldRateOptions: ParsableArguments {
    @Option(
        help:
            "Make a picture of each field of interlaced video, which doubles the frame rate, or one of each frame. Default: field for deinterlace, rate and slomo, otherwise frame."
    )
    var fieldRate: FieldRate?

    @Option(
        help: ArgumentHelp(
            "Put the frames of telecined film together again, at their own rate (auto), or deinterlace them like other video (off).",
            valueName: "handling"))
    var cadence = DeinterlacePass.CadenceHandling.auto
}

/// What becomes of frames that repeat the picture before them; for commands that interpolate frames.
struct RepeatOptions: ParsableArguments {
    @Option(
        help:
            "Frames that repeat the picture before them: find the low frame rate inside and the lost frames, and interpolate between the pictures that differ (auto); take repeats as frames like any other (keep); or leave out all of them (drop). Default: auto."
    )
    var repeats: RepeatTreatment?
}

/// Whether a clip is played in a loop.
struct LoopOptions: ParsableArguments {
    @Flag(help: "Lead from the last frame to the first, for clips that are played in a loop, such as GIF and WebP.")
    var loop = false
}

extension RepeatTreatment: ExpressibleByArgument {}
extension FieldHandling: ExpressibleByArgument {}
extension FieldRate: ExpressibleByArgument {}
extension DeinterlacePass.CadenceHandling: ExpressibleByArgument {}
