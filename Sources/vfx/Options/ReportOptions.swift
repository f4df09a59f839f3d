internal import ArgumentParser
internal import FrameCore

/// What is printed during and after a job.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print figures at the end: frames, speed, memory, cuts and what the effect did.")
    var stats = false

    @Flag(help: "Print events on standard output, one JSON object per line.")
    var json = false

    @Flag(help: "Print errors only.")
    var quiet = false

    @Flag(help: "Print what is known of the input and the output.")
    var verbose = false

    /// - Throws: ``FrameError`` when options exclude each other.
    func check(output: String) throws(FrameError) {
        if json, output == "-" {
            throw FrameError(
                .invalidArgument,
                "--json and -o - both need standard output; write the video to a file or leave --json out")
        }
        if quiet, verbose {
            throw FrameError(.invalidArgument, "--quiet and --verbose exclude each other; give one of them")
        }
    }
}
