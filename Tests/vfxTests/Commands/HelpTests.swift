import Foundation
import FrameCore
import Jobs
import Testing
import vfx

@Suite struct HelpTests {
    @Test(arguments: [
        (["--help"], HelpSnapshots.vfx), (["slomo", "--help"], HelpSnapshots.slomo),
        (["rate", "--help"], HelpSnapshots.rate), (["deinterlace", "--help"], HelpSnapshots.deinterlace),
        (["info", "--help"], HelpSnapshots.info),
        (["flow", "--help"], HelpSnapshots.flow), (["blur", "--help"], HelpSnapshots.blur),
        (["denoise", "--help"], HelpSnapshots.denoise), (["upscale", "--help"], HelpSnapshots.upscale),
        (["smooth", "--help"], HelpSnapshots.smooth), (["thumbnails", "--help"], HelpSnapshots.thumbnails),
        (["still", "--help"], HelpSnapshots.still), (["storyboard", "--help"], HelpSnapshots.storyboard),
        (["compare", "--help"], HelpSnapshots.compare),
        (["enhance", "--help"], HelpSnapshots.enhance), (["run", "--help"], HelpSnapshots.run),
        (["work", "--help"], HelpSnapshots.work),
        (["join", "--help"], HelpSnapshots.join), (["status", "--help"], HelpSnapshots.status),
        (["submit", "--help"], HelpSnapshots.submit),
        (["help", "rate"], HelpSnapshots.rate), ([], HelpSnapshots.vfx),
    ])
    func helpIsAsWritten(arguments: [String], snapshot: String) {
        guard case .answer(let text) = RunOutcome.ofRunning(arguments, columns: 80) else {
            Issue.record("\(arguments) is not answered")
            return
        }
        #expect(text.trimmingCharacters(in: .newlines) == snapshot)
    }

    @Test func versionIsStated() {
        guard case .answer(let text) = RunOutcome.ofRunning(["--version"]) else {
            Issue.record("the version is not answered")
            return
        }
        let levels = KernelTable.levelNames.joined(separator: ", ")
        #expect(text == "0.1.0\ninstruction set: \(ExecutionContext.serial.instructionSet) (available: \(levels))")
    }

    @Test func everyExitCodeIsInTheHelp() {
        for code in JobExitCode.allCases {
            #expect(HelpSnapshots.vfx.contains("  \(code.rawValue) "))
            #expect(HelpSnapshots.vfx.contains(code.meaning))
        }
    }
}
