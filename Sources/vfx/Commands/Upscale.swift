internal import ArgumentParser
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import Pipeline

/// `vfx upscale`: enlarges frames and images.
struct Upscale: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Upscale a video or an image.",
        discussion: """
            Luma is enlarged by a trained network, more than once if the factor requires
            it, and then scaled down to the requested size. Chroma is resampled according
            to its siting. Frames of compressed video are cleaned of blocking and ringing
            first, as strongly as the keyframes show. With --quality high or
            --input-type video, each frame takes detail from the frames before and after
            it, never across a cut. Timestamps, audio and all other streams are kept
            unchanged. Single images have a network of their own, which adapts to how an
            image was reduced and compressed, as far as it shows; high averages four
            rotations.

            --scale 1 keeps the size: a network removes blocking and ringing of compressed
            images and video. What shows no compression stays as it is, with a note.

            --size sets the exact size as displayed, after any rotation that the file
            specifies. If it changes the shape, the sample aspect ratio compensates.

            EXAMPLES
              vfx upscale in.mp4 -o out.mp4 --scale 2
              vfx upscale in.mov -o out.mkv --size 1920x1080 --quality high
              vfx upscale photo.jpg -o photo-x4.png --scale 4
              vfx upscale small-file.jpg -o clean.png --scale 1
            For heavily compressed calls and live video:
              vfx upscale call.mp4 -o call-hd.mp4 --scale 2 --low-latency
            """)

    @OptionGroup var common: CommonOptions

    @OptionGroup var settings: SettingOptions<UpscaleStep>

    @OptionGroup var audio: AudioOptions

    func convert() throws {
        let output = common.output
        guard output.format == nil || output.format == "null", StillUpscaleJob.takes(common) else {
            return try ConversionJob(common.runOptions).run(conversion)
        }
        let step = try during(.options) { try self.step(limits: .still) }
        try StillUpscaleJob(
            options: common, target: step.target, isLowLatency: step.isLowLatency, deblocking: step.deblocking
        ).run()
    }

    func conversion() throws -> Conversion {
        try common.conversion([EffectStep(step(limits: .session))], audio: audio.treatment)
    }

    private func step(limits: UpscalingGeometry.Limits) throws -> UpscaleStep {
        let step = try UpscaleStep(settings.values, limits: limits)
        if step.isLowLatency, common.effect.quality == .high {
            throw FrameError(
                .invalidArgument, "--low-latency has only one quality; leave out --quality high or --low-latency")
        }
        return step
    }
}
