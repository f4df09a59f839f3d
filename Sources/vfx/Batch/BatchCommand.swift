internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore

/// A command that can be given several inputs.
protocol BatchCommand: ParsableCommand {
    /// The inputs as given.
    var batchInputs: [String] { get set }
    /// The output: for several inputs, the folder of their outputs; nil if the command writes no files.
    var batchOutput: String? { get set }
    /// The input as named in events; nil if it is the only one.
    var file: String? { get set }
    /// How inputs are found and outputs are named.
    var batchSearch: BatchSearch { get }
    /// Whether the output of a single input is a folder, too.
    var makesFolders: Bool { get }
    /// Whether existing outputs are replaced, and whether finished ones are skipped.
    var batchOverwrites: Bool { get set }
    var batchResumes: Bool { get set }
    /// Whether this run writes files.
    var writesFiles: Bool { get }
    /// Whether an unfinished output is continued rather than made again.
    var continuesOutputs: Bool { get }
    /// Whether events are printed as JSON, and whether only errors are printed.
    var printsJSON: Bool { get }
    var isQuiet: Bool { get }
    /// The folders that the command fills in addition to its output.
    var extraFolders: [WritableKeyPath<Self, String?>] { get }

    /// Checks options that apply to a single input only.
    ///
    /// - Throws: `FrameError` that names the option.
    func checkSeveralInputs() throws(FrameError)
    /// Processes the only input.
    func convert() throws
}

extension BatchCommand {
    var makesFolders: Bool { false }
    var writesFiles: Bool { true }
    var continuesOutputs: Bool { false }
    var extraFolders: [WritableKeyPath<Self, String?>] { [] }
    func checkSeveralInputs() throws(FrameError) {}

    /// Processes the only input, or each of several.
    func runBatch() throws {
        if BatchPlan.isWanted(batchInputs, output: makesFolders ? nil : batchOutput, batchSearch) {
            try BatchRun(self).run()
        } else if makesFolders, batchResumes, let output = batchOutput, let input = batchInputs.first {
            if BatchPlan.isMade(output, from: input, isFolder: true) {
                if !isQuiet, !printsJSON { Console.say("\(output): already complete") }
                return
            }
            var single = self
            single.batchOverwrites = batchOverwrites || LocalFile(output) != nil
            try single.convert()
        } else {
            try convert()
        }
    }
}
