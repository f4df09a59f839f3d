internal import ArgumentParser

/// The root of the command line.
struct Vfx: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vfx",
        abstract: "Video frame effects on ordinary CPUs.",
        discussion: """
            EXAMPLES
              vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
              vfx rate in.mp4 -o out.mp4 --fps 60
              vfx info in.mp4
              vfx flow in.mp4 --at 3.2 -o flow.png
              vfx blur in.mp4 -o out.mp4 --strength 40
              vfx denoise in.mp4 -o out.mp4
              vfx upscale in.mp4 -o out.mp4 --scale 2
              vfx smooth call.mp4 -o call60.mp4 --depth 1
              vfx thumbnails in.mp4 -o best/
              vfx still in.mp4 --at 12.5 -o still.jpg
              vfx storyboard in.mp4 -o board/
              vfx compare before.mp4 after.mp4 -o report.html
              vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5

            EXIT CODES
            \(VfxExitCode.table)

            VFX_CPU=c|sse41|avx2|avx512 in the environment limits the instructions used; the
            result is the same.
            """,
        version: "0.1.0",
        subcommands: [
            Slomo.self, Rate.self, Info.self, Flow.self, Blur.self, Denoise.self, Upscale.self, Smooth.self,
            ThumbnailsCommand.self, Still.self, Storyboard.self, Compare.self, Enhance.self,
        ])
}
