internal import ArgumentParser
internal import FrameCore
internal import Jobs
internal import Pipeline

/// `vfx smooth`: low-latency interpolation.
struct Smooth: ConversionCommand {
    static let configuration = CommandConfiguration(
        abstract: "Multiply the frame rate of live video without look-ahead.",
        discussion: """
            When a frame arrives, 2^depth - 1 frames between it and the previous one are
            interpolated, and all of them are written at once. The speed stays the same,
            so N frames become (N-1)*2^depth+1. Cuts are detected from past frames only.
            If latency does not matter, vfx rate gives better results.

            With a pipe or another live input, encoders run without look-ahead and
            B-frames, which makes the file larger, and an output that is not a file is
            flushed after each frame. No frame waits for the next one in vfx, but SVT-AV1
            keeps three of its frames back, and frames may wait in the decoder: for as many
            as the video has reordered, one in H.264 and HEVC without a container, two in
            transport streams. --stats prints the latency from when a frame has been
            decoded until it and those before it are written; if the input is a file,
            frames also wait for their turn.

            EXAMPLES
            Live, from one program to another:
              camera | vfx smooth - -o - --format matroska | player -
            Twice the frame rate:
              vfx smooth call.mp4 -o call60.mp4 --depth 1
            Twice the width and height as well:
              vfx smooth call.mp4 -o call60.mp4 --depth 1 --scale 2 --stats
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup(title: "Effect") var cuts: CutOptions

    @OptionGroup var settings: SettingOptions<SmoothStep>

    @OptionGroup var audio: AudioOptions

    func conversion() throws -> Conversion {
        guard common.effect.quality == .normal else {
            throw FrameError(
                .invalidArgument,
                "--quality high is not available at low latency; leave it out, or use vfx rate, which looks ahead")
        }
        return try common.conversion(
            [EffectStep(SmoothStep(settings.values))], audio: audio.treatment, cuts: cuts)
    }
}
