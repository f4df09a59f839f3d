internal import ArgumentParser
internal import FrameCore
internal import Pipeline

/// The options of an effect, made from its table of settings, so that a new setting is an option at once.
///
/// The parser finds options by reflection and reads their values as members of a decoder, so a type that describes its own
/// members has any options.
struct SettingOptions<Settings: EffectSettings>: ParsableArguments, CustomReflectable {
    /// The values that were given, and the stated defaults of the others that have one in the help.
    var values = SettingValues([:], names: Self.names)

    /// The options are what messages call the settings.
    private static var names: [String: String] {
        Dictionary(uniqueKeysWithValues: Settings.table.map { ($0.key, "--" + $0.option) })
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Member.self)
        for setting in Settings.table {
            let member = Member(setting)
            switch setting.values {
            case .flag:
                if try container.decode(Flag<Bool>.self, forKey: member).wrappedValue { values[setting.key] = "true" }
            case .rectangles:
                let list = try container.decode(Option<[String]>.self, forKey: member).wrappedValue
                values[setting.key] = list.isEmpty ? nil : list.joined(separator: String(KeptAreas.separator))
            case _ where setting.isRequired || setting.shownDefault != nil:
                values[setting.key] = try container.decode(Option<String>.self, forKey: member).wrappedValue
            default:
                values[setting.key] = try container.decode(Option<String?>.self, forKey: member).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Settings.table.map { ("_" + Member($0).stringValue, Self.option($0)) })
    }

    /// The value of a setting; nil if it was not given.
    subscript(key: String) -> String? { values[key] }

    private static func option(_ setting: EffectSetting) -> Any {
        let name = NameSpecification.customLong(setting.option)
        var text = setting.help
        // As the parser writes the values of an enumeration.
        if case .choice(let words) = setting.values { text += " (values: \(words.joined(separator: ", ")))" }
        let help = ArgumentHelp("\(text)", valueName: setting.placeholder)
        if case .flag = setting.values { return Flag(wrappedValue: false, name: name, help: help) }
        if case .rectangles = setting.values {
            return Option<[String]>(wrappedValue: [], name: name, parsing: .unconditionalSingleValue, help: help)
        }
        if let standard = setting.shownDefault {
            return Option(wrappedValue: standard, name: name, parsing: .unconditional, help: help)
        }
        if setting.isRequired { return Option<String>(name: name, parsing: .unconditional, help: help) }
        return Option<String?>(name: name, parsing: .unconditional, help: help)
    }

    /// The name of an option as a member of a type.
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ setting: EffectSetting) {
            let words = setting.option.split(separator: "-").map(String.init)
            stringValue = words[0] + words.dropFirst().map(\.capitalized).joined()
        }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension EffectSetting {
    /// The default that the parser shows and fills in; nil if the help states one in words, or if there is none.
    fileprivate var shownDefault: String? { help.contains("Default:") ? nil : defaultValue }
}
