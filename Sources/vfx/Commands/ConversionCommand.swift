internal import ArgumentParser
internal import FrameCore
internal import Pipeline

/// A command that makes a video of a video: it has options of its own and says what they mean, the rest is shared.
protocol ConversionCommand: ParsableCommand {
    var common: CommonOptions { get }
    /// - Parameter options: those that all effects take.
    /// - Throws: for values that are not allowed.
    func work(_ options: ConversionOptions) throws -> ConversionWork
}

extension ConversionCommand {
    mutating func run() throws { try ConversionJob(common, work).run() }
}
