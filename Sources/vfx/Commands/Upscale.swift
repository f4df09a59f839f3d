internal import ArgumentParser
internal import FrameCore
internal import FrameEffects
internal import Jobs
internal import Pipeline

/// `vfx upscale`: enlarges frames and images.
struct Upscale: ConversionCommand {
    enum Input: String, ExpressibleByArgument, CaseIterable {
        case video, image

        var type: SuperResolutionScalerConfiguration.InputType { self == .video ? .video : .image }
    }

    static let configuration = CommandConfiguration(
        abstract: "Enlarge a video or an image.",
        discussion: """
            Luma is enlarged by a trained network, more than once if the factor requires
            it, and then scaled down to the requested size. Chroma is resampled according
            to its siting. Where the keyframes of a file show strong compression, a network
            for compressed sources takes over. With --quality high or --input-type video,
            each frame takes detail from the frames before and after it, never across a
            cut. Timestamps, audio and all other streams are kept unchanged. Single images
            use the larger network at any quality; high averages four rotations.

            --size sets the exact size as displayed, after any rotation that the file
            specifies. If it changes the shape, the sample aspect ratio compensates.

            EXAMPLES
              vfx upscale in.mp4 -o out.mp4 --scale 2
              vfx upscale in.mov -o out.mkv --size 1920x1080 --quality high
              vfx upscale photo.jpg -o photo-x4.png --scale 4
            For heavily compressed calls and live video:
              vfx upscale call.mp4 -o call-hd.mp4 --scale 2 --low-latency
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Scale factor above 1 and at most 16, e.g. 2, 1.5 or 4/3.", valueName: "factor"))
    var scale: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Size of the output, not smaller than the source, at most 8192x8192; for single images, 65535 per side.",
            valueName: "WxH"))
    var size: String?

    @Option(help: "Reduce blocking and ringing where the file was compressed strongly. Default: auto.")
    var deblock: Deblocking?

    @Flag(help: "Process each frame independently as it arrives; also cleans up compression artifacts.")
    var lowLatency = false

    @Option(
        help:
            "Take detail from neighbouring frames (video) or process each frame independently (image). Default: video with --quality high, otherwise image."
    )
    var inputType: Input?

    @OptionGroup var audio: AudioOptions

    func convert() throws {
        let output = common.output
        if output.format == nil || output.format == "null", StillUpscaleJob.takes(common) {
            let target = try during(.options) { try self.target(limits: .still) }
            try StillUpscaleJob(
                options: common, target: target, isLowLatency: lowLatency, deblocking: deblock ?? .automatic
            ).run()
        } else {
            try ConversionJob(common.runOptions).run(conversion)
        }
    }

    private func target(limits: UpscalingGeometry.Limits = .session) throws(FrameError) -> UpscaleTarget {
        if lowLatency, common.effect.quality == .high {
            throw FrameError(
                .invalidArgument, "--low-latency has only one quality; leave out --quality high or --low-latency")
        }
        if lowLatency, inputType == .video {
            throw FrameError(
                .invalidArgument,
                "--low-latency processes each frame independently; leave out --input-type video or --low-latency")
        }
        if lowLatency, deblock != nil {
            throw FrameError(
                .invalidArgument,
                "--low-latency always reduces blocking and ringing; leave out --deblock or --low-latency")
        }
        switch (scale, size) {
        case (let scale?, nil): return try .factor(scale, of: "--scale")
        case (nil, let size?): return try .size(size, of: "--size", limits: limits)
        case (nil, nil):
            throw FrameError(
                .invalidArgument,
                "no output size is given; use --scale or --size, such as --scale 2 or --size 1920x1080")
        case (.some, .some):
            throw FrameError(.invalidArgument, "--scale and --size are mutually exclusive; give only one of them")
        }
    }

    func conversion() throws -> Conversion {
        let step = EffectStep.upscale(
            try target(), deblocking: deblock ?? .automatic, inputType: inputType?.type, isLowLatency: lowLatency)
        return try common.conversion([step], audio: audio.treatment)
    }
}
