import Pipeline
import Testing
import vfx

/// The program has an option for every setting of every effect, with the help that the setting states.
@Suite struct SettingOptionsTests {
    /// Settings whose option has another name or another value, and why.
    private static let otherOptions: [String: (options: [String], reason: String)] = [
        "flow output": (["--arrows", "--confidence", "--occlusion"], "each drawing is a flag; colors are the default"),
        "flow direction": (["--backward"], "a flag, as for single pairs"),
        "flow range": ([], "follows from the kind of the output"),
        "grain strength": (["--grain"], "grain is added by denoise"),
        "grain table": (["--grain"], "grain is added by denoise"),
        "deinterlace fields": (["--fields"], "all commands have the option"),
        "deinterlace field_rate": (["--field-rate"], "all commands have the option"),
        "deinterlace cadence": (["--cadence"], "all commands have the option"),
    ]
    /// Effects that have no command of their own.
    private static let commands = ["grain": "denoise"]

    @Test func everySettingIsAnOption() {
        for type in EffectStep.known {
            let command = Self.commands[type.effectName] ?? type.effectName
            guard case .answer(let help) = RunOutcome.ofRunning([command, "--help"], columns: 100_000) else {
                Issue.record("vfx \(command) has no help")
                continue
            }
            for setting in type.table {
                let other = Self.otherOptions["\(type.effectName) \(setting.key)"]
                let options = other?.options ?? ["--" + setting.option]
                for option in options {
                    let lines = help.split(separator: "\n").filter { line in
                        line.split(separator: " ").contains { $0 == option || $0.hasPrefix(option + "/") }
                    }
                    #expect(!lines.isEmpty, "vfx \(command) lacks \(option)")
                    if other == nil {
                        #expect(
                            help.contains(setting.help), "the help of vfx \(command) \(option) is not: \(setting.help)")
                    }
                }
            }
        }
    }
}
