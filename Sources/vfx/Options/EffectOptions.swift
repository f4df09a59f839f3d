internal import ArgumentParser
internal import FrameEffects

/// Names on the command line for the API's qualities.
enum QualityName: String, ExpressibleByArgument, CaseIterable {
    case normal, high

    var prioritization: QualityPrioritization { self == .high ? .quality : .normal }
}

/// How frames are made.
struct EffectOptions: ParsableArguments {
    @Option(help: "Trade between speed and picture quality.")
    var quality: QualityName = .normal

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Threads to work with. Default: one per core. The pictures do not depend on it.", valueName: "number"))
    var threads: String?
}
