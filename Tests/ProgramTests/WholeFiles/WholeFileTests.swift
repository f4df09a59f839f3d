import Foundation
import TestSupport
import Testing

/// Whatever a file contains: what a command does not intend to change is kept unchanged, or its loss is reported.
@Suite(.enabled(if: hasTools, "ffmpeg makes the files and ffprobe is the witness")) struct WholeFileTests {
    private static let selection = PairwiseSelection(of: WholeFileCell.all).cells

    @Test(arguments: selection)
    func whatGoesInComesOut(cell: WholeFileCell) throws {
        let findings = try Self.findings(cell)
        #expect(findings.isEmpty, "\(cell.testDescription)\n\(findings.joined(separator: "\n"))")
    }

    /// Guards against an empty selection, which would pass as well.
    @Test func theSelectionHasEveryValueOfEachAxis() {
        let cells = Self.selection
        #expect(Set(cells.map(\.route)) == Set(WholeFileCell.Route.allCases))
        #expect(Set(cells.map(\.codec)) == Set(WholeFileCell.Codec.allCases))
        #expect(Set(cells.map(\.depth)) == Set(WholeFileCell.depths))
        #expect(Set(cells.map(\.subsampling)) == Set(WholeFileCell.Subsampling.allCases))
        #expect(Set(cells.map(\.shape)) == Set(WholeFileCell.Shape.allCases))
        #expect(Set(cells.map(\.timing)) == Set(WholeFileCell.Timing.allCases))
        #expect(Set(cells.map(\.isOdd)) == [false, true])
        #expect(Set(cells.map(\.color)) == Set(WholeFileCell.Color.allCases))
        #expect(Set(cells.map(\.command)) == Set(WholeFileCommand.allCases))
    }

    @Test(.enabled(if: WholeFileReport.path != nil, ".ci/matrix runs this"))
    func everyCell() throws {
        let path = try #require(WholeFileReport.path)
        #expect(try WholeFileReport.write(to: path) == 0, "see \(path)")
    }

    /// Returns what is lost in one cell.
    static func findings(_ cell: WholeFileCell) throws -> [String] {
        let folder = try TemporaryFolder()
        let input = try WholeFileInput.make(cell, in: folder)
        let output = folder.path("\(cell.command.rawValue).\(cell.route.output)")
        let codec = cell.command.namesCodec ? ["--codec", cell.codec.rawValue] : []
        let run = try vfx(cell.command.arguments + [input, "-o", output, "--threads", "1"] + codec, in: folder)
        guard run.status == 0 else { return ["status \(run.status): \(run.standardError)"] }
        let (before, after) = (try ProbedFile(input), try ProbedFile(output))
        let subtitles = try [(input, before), (output, after)].map { path, file in
            try ShownSubtitle.all(in: path, count: file.streams("subtitle").count)
        }
        let unmet = WholeFilePreconditions(cell, before, subtitles[0]).unmet
        var comparison = WholeFileComparison(cell, before, after, told: run.standardError)
        comparison.compareSubtitles(subtitles[0], subtitles[1])
        // With uneven source times, no output rate shows the source's frames themselves.
        if !cell.command.draws, cell.command != .rate || [.even, .late].contains(cell.timing) {
            comparison.comparePictures(try ComparedPictures.psnr(of: cell, input, output))
        }
        return unmet + comparison.findings
    }
}
