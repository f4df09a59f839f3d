internal import ArgumentParser
internal import FrameCore
internal import Jobs
internal import Pipeline

/// `vfx deinterlace`: progressive frames from interlaced ones.
struct Deinterlace: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a progressive video from an interlaced one.",
        discussion: """
            Each field of an interlaced frame becomes a frame at the time of the field, so
            25 frames/s become 50; --field-rate frame makes one of each frame. The pictures
            tell what is interlaced, whatever the marks in the file say: progressive frames
            stay as they are, unless --fields tff or bff says that all are interlaced. Film
            whose frames were spread over fields (telecine) comes out frame by frame, at 24
            frames/s. All other commands deinterlace before anything else in the same way.
            Sound, subtitles and all other streams are kept unchanged.

            EXAMPLES
              vfx deinterlace in.ts -o out.mkv
            One frame for each frame:
              vfx deinterlace in.mov -o out.mov --field-rate frame
            Interlaced frames that are not marked as such:
              vfx deinterlace in.avi -o out.mp4 --fields bff
            Four times slower, with the motion of each field:
              vfx slomo in.ts -o out.mkv --factor 4
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var audio: AudioOptions

    func conversion() throws -> Conversion {
        guard let fields = try common.input.fields.handling().fields else {
            throw FrameError(
                .invalidArgument, "--fields off leaves nothing to do for vfx deinterlace; leave it out")
        }
        let step = DeinterlaceStep(
            fields: fields, rate: common.fieldRate.fieldRate ?? .field, cadence: common.fieldRate.cadence)
        var job = try common.conversion([EffectStep(step)], audio: audio.treatment)
        // They are the settings of the effect.
        (job.input.fields, job.input.fieldRate, job.input.cadence) = (.auto, nil, .auto)
        return job
    }

    var adviceOnStills: String? {
        "this is a single image without fields before and after it; give a video or numbered images such as in_%05d.png"
    }
}
