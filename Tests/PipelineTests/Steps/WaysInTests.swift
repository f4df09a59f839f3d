import FrameCore
import FrameEffects
import Foundation
import Pipeline
import Testing

/// Every way in to the effects knows every setting: recipes, the C library with its documentation, and the VapourSynth
/// plug-in. The options of the program are tested in vfxTests.
@Suite struct WaysInTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Settings without which an effect cannot be made.
    private static let required: [String: SettingValues] = [
        "upscale": ["scale": "2"], "rate": ["fps": "60"], "grain": ["strength": "4"],
    ]
    /// Settings that take the place of another one.
    private static let instead = ["size": "scale", "factor": "phases", "table": "strength", "speed": "phases"]
    /// Settings that say something only together with another one.
    private static let together = [
        "slomo ease": ["speed": "0:1,1:2"], "slomo fps": ["speed": "0:1,1:2"], "slomo blur": ["speed": "0:1,1:2"],
    ]
    /// Values that the kind of a setting does not show.
    private static let examples = [
        "size": "1920x1080", "table": "film.tbl", "output": "arrows", "factor": "5/2",
        "speed": "0:1,2:1/4", "mask": "mask_%04d.png",
    ]

    private static func example(_ setting: EffectSetting) -> String? {
        if let example = examples[setting.key] { return example }
        return switch setting.values {
        case .whole(let range): "\(range.upperBound)"
        case .number(let range): "\((range.lowerBound + range.upperBound) / 2)"
        case .flag: setting.defaultValue == "true" ? "false" : "true"
        case .choice(let words): words.last
        case .fraction: "2"
        case .fractions: "0.25,0.5"
        case .rectangles: "20,10,200,80;0,0,8,8"
        // A noise model is tested elsewhere.
        case .text: nil
        }
    }

    /// Returns the least settings of an effect, with one setting added.
    private static func values(_ name: String, _ key: String, _ value: String) -> SettingValues {
        var values = required[name] ?? SettingValues()
        if let other = instead[key] { values[other] = nil }
        for (other, text) in together["\(name) \(key)"] ?? [:] { (values["phases"], values[other]) = (nil, text) }
        values[key] = value
        return values
    }

    private static func make(_ name: String, _ values: SettingValues) throws -> EffectStep {
        let step = try EffectStep(name, values)
        if values["table"] == nil { _ = try step.effect(ConversionOptions()) }
        return step
    }

    // MARK: - The table

    @Test func missingSettingsHaveTheStatedValues() throws {
        for type in EffectStep.known {
            let name = type.effectName, least = try Self.make(name, Self.required[name] ?? SettingValues())
            for setting in type.table {
                guard let standard = setting.defaultValue else { continue }
                let step = try Self.make(name, Self.values(name, setting.key, standard))
                #expect(step == least, "\(name) \(setting.key)=\(standard)")
            }
        }
    }

    @Test func valuesOutsideTheStatedOnesAreRefused() {
        for type in EffectStep.known {
            for setting in type.table {
                let wrong: [String] =
                    switch setting.values {
                    case .whole(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "0.5", "x", ""]
                    case .number(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "nan", "x", ""]
                    case .flag, .choice: ["x", "", "TRUE"]
                    case .fraction: ["x", "", "-1", "1/0"]
                    case .fractions: ["x", "0.5,", "0.5,0.5", ""]
                    case .rectangles: ["x", "", "1,2,3", "1,2,0,4", "1,2,3,4;"]
                    case .text: []
                    }
                for value in wrong {
                    #expect(throws: (any Error).self, "\(type.effectName) \(setting.key)=\(value)") {
                        try Self.make(type.effectName, Self.values(type.effectName, setting.key, value))
                    }
                }
            }
            #expect(throws: FrameError.self) { try EffectStep(type.effectName, ["glow": "1"]) }
        }
    }

    // MARK: - Recipes

    @Test func recipesKnowEverySetting() throws {
        for type in EffectStep.known {
            for setting in type.table {
                guard let value = Self.example(setting) else { continue }
                let name = type.effectName, step = try EffectStep(name, Self.values(name, setting.key, value))
                #expect(step.settings.values[setting.key] != nil, "\(name) \(setting.key)=\(value) is not written")
                let json = try JSONEncoder().encode(step)
                #expect(
                    try JSONDecoder().decode(EffectStep.self, from: json) == step, "\(name) \(setting.key)=\(value)")
            }
        }
    }

    // MARK: - C

    /// The text of a setting's row in the documentation of the C library.
    private static func row(_ setting: EffectSetting) -> String {
        let values =
            switch setting.values {
            case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
            case .number(let range): "\(StepText.decimal(range.lowerBound)) to \(StepText.decimal(range.upperBound))"
            case .flag: "`true` or `false`"
            case .choice(let words): list(words)
            case .fraction: "a number or fraction"
            case .fractions: "numbers"
            case .rectangles: "rectangles `x,y,w,h`, separated by `;`"
            case .text: "text"
            }
        // A program that calls the library wants numbers.
        let standard = setting.key == "output" ? "vectors" : setting.defaultValue
        let word = setting.keyword.map { " or `\($0)`" } ?? "", missing = standard.map { "`\($0)`" } ?? ""
        return "| `\(setting.key)` | \(values)\(word) | \(missing) | \(inKeys(setting.help)) |"
    }

    private static func list(_ words: [String]) -> String {
        let quoted = words.map { "`\($0)`" }
        return quoted.count < 2
            ? quoted.joined() : quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    }

    /// Returns a help text with keys in place of the program's options.
    private static func inKeys(_ help: String) -> String {
        let keys = Set(EffectStep.known.flatMap { $0.table.map(\.key) } + ["quality"])
        return help.split(separator: " ").map { word in
            guard word.hasPrefix("--") else { return String(word) }
            let name = word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
            let key = String(name).replacing("-", with: "_")
            return keys.contains(key) ? "`\(key)`" + word.dropFirst(2 + name.count) : String(word)
        }.joined(separator: " ")
    }

    @Test func theArticleOnCListsEverySetting() throws {
        let article = try Self.text("Sources/CVFX/CVFX.docc/CallingTheEffectsFromC.md")
        for type in EffectStep.known {
            let table =
                "### `\(type.effectName)`\n\n| key | values | default | |\n|---|---|---|---|\n"
                + type.table.filter { !$0.readsMedia }.map { Self.row($0) + "\n" }.joined()
            #expect(article.contains(table), "the article lacks:\n\(table)")
        }
        let source = try Self.text("Sources/CVFX/StreamOptions.swift")
        let common = try #require(source.firstMatch(of: /let common = \[([^\]]*)\]/)?.1)
        for key in common.matches(of: /"(\w+)"/).map(\.1) {
            #expect(article.contains("\n| `\(key)` | "), "the article lacks the option \(key)")
        }
    }

    @Test func theHeaderListsEverySetting() throws {
        let header = try Self.text("Sources/CVFX/include/vfx.h")
        for type in EffectStep.known {
            let line =
                "///     \(type.effectName): \(type.table.filter { !$0.readsMedia }.map(\.key).joined(separator: ", "))\n"
            #expect(header.contains(line), "vfx.h lacks: \(line)")
        }
    }

    // MARK: - VapourSynth

    /// The functions of each effect.
    private static let functions = [
        "rate": "Interpolate", "slomo": "Slomo", "smooth": "Smooth", "blur": "MotionBlur", "denoise": "Denoise",
        "deinterlace": "Deinterlace", "upscale": "Upscale", "grain": "Grain", "flow": "Flow",
    ]
    /// Arguments that differ from the setting.
    private static let otherArguments: [String: (arguments: [String], reason: String)] = [
        "rate fps": (["num:int", "den:int"], "VapourSynth states rates as two numbers"),
        "upscale size": (["width:int", "height:int"], "VapourSynth states sizes as two numbers"),
        "slomo factor": (["factor:int"], "the results of a frame are numbered, so their number is whole"),
        "slomo speed": ([], "results are numbered by a constant number for each source frame"),
        "slomo ease": ([], "belongs to speed"), "slomo fps": ([], "belongs to speed"),
        "slomo blur": ([], "belongs to speed"),
        "upscale scale": (["scale:float"], "scripts calculate with decimals"),
    ]
    /// Arguments that are no settings of the effect.
    private static let ownArguments: [String: [String]] = [
        "Interpolate": ["at_cut", "phases"], "Slomo": ["at_cut"], "Smooth": ["at_cut"],
        "Upscale": ["compression", "quantizer_step", "loop_filter"],
    ]

    private static func type(_ values: EffectSetting.Values) -> String {
        switch values {
        case .whole, .flag: "int"
        case .number: "float"
        case .choice, .fraction, .fractions, .rectangles, .text: "data"
        }
    }

    @Test func thePlugInTakesEverySetting() throws {
        let plugin = try Self.text("Sources/VapourSynth/plugin.c")
        let article = try Self.text("Sources/FrameEffects/FrameEffects.docc/ComingFromMVToolsAndSVP.md")
        // Names of argument lists, and the registered functions with theirs.
        let macros = Dictionary(
            uniqueKeysWithValues: plugin.matches(of: /#define (\w+) "([^"]*)"/).map { (String($0.1), String($0.2)) })
        for type in EffectStep.known {
            let function = try #require(Self.functions[type.effectName])
            let entry = try #require(plugin.split(separator: "{\"\(function)\",").dropFirst().first)
            let registered = entry.prefix { $0 != "}" }.split(whereSeparator: \.isWhitespace).map { word in
                macros[word.filter { $0 != "," }] ?? (word.hasPrefix("\"") ? String(word.filter { $0 != "\"" }) : "")
            }.joined().split(separator: ";").map { String($0).replacing(":opt", with: "") }
            var known = ["clip:vnode", "quality:data", "threads:int", "cut_threshold:float"]
            for setting in type.table where !setting.readsMedia {
                let other = Self.otherArguments["\(type.effectName) \(setting.key)"]?.arguments
                let arguments = other ?? ["\(setting.key):\(Self.type(setting.values))"]
                for argument in arguments {
                    #expect(registered.contains(argument), "\(function) lacks \(argument)")
                }
                known += arguments
                if other == nil || arguments.first?.hasPrefix(setting.key) == true {
                    #expect(plugin.contains("\"\(setting.key)\", \"\(setting.key)\""), "\(setting.key) is not passed")
                }
            }
            let more = Self.ownArguments[function] ?? []
            let row = article.split(separator: "\n").first { $0.hasPrefix("| `\(function)` |") } ?? ""
            for argument in registered {
                let name = String(argument.prefix { $0 != ":" })
                #expect(known.contains(argument) || more.contains(name), "\(function) takes \(argument)")
                let isCommon = ["clip", "quality", "threads", "cut_threshold"].contains(name)
                #expect(isCommon || row.contains("`\(name)`"), "the article lacks \(name) of \(function)")
            }
        }
    }
}
