import Foundation
import TestSupport
import Testing

/// Whatever a file is and holds: what a command does not mean to change comes out as it went in, or the loss is told.
@Suite(.enabled(if: hasTools, "ffmpeg makes the files and ffprobe is the witness")) struct WholeFileTests {
    @Test(arguments: PairwiseSelection(of: WholeFileCell.all).cells)
    func whatGoesInComesOut(cell: WholeFileCell) throws {
        let findings = try Self.findings(cell)
        #expect(findings.isEmpty, "\(cell.testDescription)\n\(findings.joined(separator: "\n"))")
    }

    @Test(.enabled(if: WholeFileReport.path != nil, ".ci/matrix runs this"))
    func everyCell() throws {
        let path = try #require(WholeFileReport.path)
        #expect(try WholeFileReport.write(to: path) == 0, "see \(path)")
    }

    /// What is lost in one cell.
    static func findings(_ cell: WholeFileCell) throws -> [String] {
        let folder = try TemporaryFolder()
        let input = try WholeFileInput.make(cell, in: folder)
        let output = folder.path("\(cell.command.rawValue).\(cell.route.output)")
        let run = try vfx(
            cell.command.arguments + [input, "-o", output, "--codec", cell.codec.rawValue, "--threads", "1"],
            in: folder)
        guard run.status == 0 else { return ["status \(run.status): \(run.standardError)"] }
        let (before, after) = (try ProbedFile(input), try ProbedFile(output))
        var comparison = WholeFileComparison(cell, before, after, told: run.standardError)
        if !after.streams("subtitle").isEmpty {
            comparison.compareSubtitles(
                try ShownSubtitle.all(in: input, count: before.streams("subtitle").count),
                try ShownSubtitle.all(in: output, count: after.streams("subtitle").count))
        }
        return comparison.findings
    }
}
