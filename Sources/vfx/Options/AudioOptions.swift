internal import ArgumentParser
internal import MediaIO

/// Whether audio is copied; for commands that keep the speed.
struct AudioOptions: ParsableArguments {
    enum Audio: String, ExpressibleByArgument, CaseIterable { case copy, drop }

    @Option(help: "Copy audio untouched, or leave it out.")
    var audio: Audio = .copy

    var treatment: MediaWriterOptions.Audio { audio == .drop ? .drop : .carry }
}
