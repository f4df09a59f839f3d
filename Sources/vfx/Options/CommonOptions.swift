internal import ArgumentParser

/// What all commands that make a video of a video take.
struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Effect") var effect: EffectOptions
    @OptionGroup(title: "Reports") var report: ReportOptions
}
