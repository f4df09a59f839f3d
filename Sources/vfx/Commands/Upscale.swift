internal import ArgumentParser
internal import FrameCore
internal import FrameEffects
internal import Pipeline

/// `vfx upscale`: larger pictures.
struct Upscale: ConversionCommand {
    enum Input: String, ExpressibleByArgument, CaseIterable {
        case video, image

        var type: SuperResolutionScalerConfiguration.InputType { self == .video ? .video : .image }
    }

    static let configuration = CommandConfiguration(
        abstract: "Make a video or a picture larger.",
        discussion: """
            Luma goes through a learned model, as often as the factor takes, and is brought
            down to the size asked for; chroma is resampled where it sits. With --quality
            high, or --input-type video, frames of a video take over detail from the frame
            before, never across a cut. Times, sound and all else are kept.

            With --size the result has exactly that size, as shown (a video that is turned
            for display is turned here too); where that is another shape, the shape of a
            pixel makes up for it.

            EXAMPLES
              vfx upscale in.mp4 -o out.mp4 --scale 2
              vfx upscale in.mov -o out.mkv --size 1920x1080 --quality high
              vfx upscale photo.jpg -o photo-x4.png --scale 4
            For calls and live video, compressed hard:
              vfx upscale call.mp4 -o call-hd.mp4 --scale 2 --low-latency
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many times larger: above 1, at most 16, e.g. 2, 1.5 or 4/3.", valueName: "factor"))
    var scale: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Size of the result, not smaller than the source, at most 8192x8192.", valueName: "WxH"))
    var size: String?

    @Flag(help: "Frame in, frame out, nothing remembered; cleans up after hard compression.")
    var lowLatency = false

    @Option(
        help: "Frames of a video help each other, images stand alone. Default: video with --quality high, else image.")
    var inputType: Input?

    @OptionGroup var audio: AudioOptions

    mutating func run() throws {
        let output = common.output
        if output.format == nil || output.format == "null", StillUpscaleJob.takes(common) {
            let target = try during(.options) { try self.target() }
            try StillUpscaleJob(options: common, target: target, isLowLatency: lowLatency).run()
        } else {
            try ConversionJob(common, work).run()
        }
    }

    private func target() throws(FrameError) -> UpscaleTarget {
        if lowLatency, common.effect.quality == .high {
            throw FrameError(
                .invalidArgument, "--low-latency has one quality; leave out --quality high or --low-latency")
        }
        if lowLatency, inputType == .video {
            throw FrameError(
                .invalidArgument, "--low-latency remembers no frames; leave out --input-type video or --low-latency")
        }
        switch (scale, size) {
        case (let scale?, nil): return try .factor(scale, of: "--scale")
        case (nil, let size?): return try .size(size, of: "--size")
        case (nil, nil):
            throw FrameError(
                .invalidArgument, "how large is it to become? Give --scale 2 or --size 1920x1080")
        case (.some, .some):
            throw FrameError(.invalidArgument, "--scale and --size exclude each other; give one of them")
        }
    }

    func work(_ options: ConversionOptions) throws(FrameError) -> ConversionWork {
        let target = try target()
        if lowLatency {
            return ConversionWork(
                chain: EffectChain(LowLatencySuperResolutionScalerPass(target: target, threads: options.threads)),
                cuts: .none,
                audio: audio.treatment)
        }
        return ConversionWork(
            chain: EffectChain(SuperResolutionScalerPass(target: target, inputType: inputType?.type, options: options)),
            audio: audio.treatment)
    }
}
