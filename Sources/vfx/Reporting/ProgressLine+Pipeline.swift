internal import CommandLineCore
internal import Pipeline

extension ProgressLine {
    static func text(_ progress: PipelineProgress) -> String {
        text(
            frames: progress.framesWritten, expected: progress.expectedFrames,
            framesPerSecond: progress.framesPerSecond, secondsLeft: progress.secondsLeft)
    }
}
