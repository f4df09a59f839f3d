internal import ArgumentParser
internal import FrameCore

/// `vfx info`: describes the contents of a file.
struct Info: BatchCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the streams, timing, color, cuts and duplicates of a file.",
        discussion: """
            Reads the headers, then decodes every frame of the video stream that the other
            commands would use, because headers are often wrong. Interlaced frames are
            read as they are. For a file without video, only the streams are listed. With
            a part, the headers are those of the whole file, and the frames are those of
            the part.

            EXAMPLES
              vfx info in.mp4
            Headers and first frame only:
              vfx info in.mp4 --fast
            With the noise, by brightness:
              vfx info in.mp4 --noise
            Machine-readable:
              vfx info in.mp4 --json
            Each video in a folder, one JSON object per line:
              vfx info footage/ --recursive --json
            """)

    @Argument(help: ArgumentHelp("Media file, URL, or - for standard input.", valueName: "input"))
    var inputs: [String]

    /// The only input.
    var input: String { inputs.first ?? "" }

    @Flag(help: "Search input folders and their subfolders for videos.")
    var recursive = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frame rate of an input without timestamps, such as raw H.264.", valueName: "rate"))
    var inputFps: String?

    @OptionGroup(title: "Part of the input") var part: PartOptions

    @Flag(help: "Do not decode the whole clip: no frame count, cuts or duplicates.")
    var fast = false

    @Flag(help: "Measure the noise as well.")
    var noise = false

    @Option(
        help: ArgumentHelp(
            "Measure the noise and write it to this file, for the option --noise-model of vfx denoise; - for standard output.",
            valueName: "file"))
    var writeNoise: String?

    @Option(
        help: ArgumentHelp(
            "Write the scene cuts to this file, one per line, for the option --cuts of other commands; - for standard output.",
            valueName: "file"))
    var writeCuts: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Threshold of scene cut detection, 0 to 1; a higher value finds fewer cuts. Default: 0.5.",
            valueName: "number"))
    var cutThreshold: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of decoder threads. Default: one per core.", valueName: "number"))
    var threads: String?

    @Flag(help: "Do not read anything from the network.")
    var noNetwork = false

    @Flag(help: "Print one JSON object on standard output.")
    var json = false

    @Flag(help: "Print only the result and errors, no progress.")
    var quiet = false

    /// The input as named in events; nil if it is the only one. Not an option.
    var file: String?

    /// Whether the noise is measured.
    var measuresNoise: Bool { noise || writeNoise != nil }

    func run() throws { try runBatch() }

    func convert() throws { try InfoJob(self).run() }
}

extension Info {
    var batchInputs: [String] {
        get { inputs }
        set { inputs = newValue }
    }
    var batchOutput: String? {
        get { nil }
        set {}
    }
    var batchSearch: BatchSearch { BatchSearch(isRecursive: recursive) }
    var batchOverwrites: Bool {
        get { false }
        set {}
    }
    var batchResumes: Bool {
        get { false }
        set {}
    }
    var writesFiles: Bool { false }
    var printsJSON: Bool { json }
    var isQuiet: Bool { quiet }

    func checkSeveralInputs() throws(FrameError) {
        guard writeCuts == nil else {
            throw FrameError(.invalidArgument, "--write-cuts writes the cuts of one clip; give only one input")
        }
        guard writeNoise == nil else {
            throw FrameError(.invalidArgument, "--write-noise writes the noise of one clip; give only one input")
        }
    }
}
