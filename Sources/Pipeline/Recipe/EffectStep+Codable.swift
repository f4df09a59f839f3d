internal import FrameCore

extension EffectStep: Codable {
    /// Reads `{"effect": name, key: value, …}`. Numbers may be numbers or text; missing keys have their defaults.
    ///
    /// - Throws: the errors of ``EffectRecipe``'s decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecipeKey.self)
        let name = try container.decode(String.self, forKey: "effect")
        guard let type = Self.known.first(where: { $0.effectName == name }) else {
            throw Self.unknown(name)
        }
        try container.refuseUnknown(Set(type.table.map(\.key) + ["effect"]), in: "the effect '\(name)'")
        var values = SettingValues()
        for setting in type.table {
            values[setting.key] = try container.text(
                RecipeKey(stringValue: setting.key), of: setting.values)
        }
        settings = try type.init(values)
    }

    /// Writes the effect's ``EffectSettings/values``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecipeKey.self)
        try container.encode(name, forKey: "effect")
        let values = settings.values
        for setting in type(of: settings).table {
            guard let text = values[setting.key] else { continue }
            let key = RecipeKey(stringValue: setting.key)
            switch setting.values {
            case .whole: try container.encode(Int(text), forKey: key)
            case .number where text != setting.keyword: try container.encode(Float(text), forKey: key)
            case .flag: try container.encode(text == "true", forKey: key)
            case .fractions:
                try container.encode(
                    text.isEmpty ? [] : text.split(separator: ",").map(String.init), forKey: key)
            case .rectangles:
                try container.encode(text.split(separator: KeptAreas.separator).map(String.init), forKey: key)
            case .number, .choice, .fraction, .text: try container.encode(text, forKey: key)
            }
        }
    }
}

extension KeyedDecodingContainer where Key == RecipeKey {
    /// Returns a value as text; nil if the key is missing.
    fileprivate func text(_ key: RecipeKey, of values: EffectSetting.Values) throws -> String? {
        guard contains(key) else { return nil }
        switch values {
        case .flag: return try decode(Bool.self, forKey: key) ? "true" : "false"
        case .fractions:
            var list = try nestedUnkeyedContainer(forKey: key)
            var texts: [String] = []
            while !list.isAtEnd {
                texts.append(try (try? list.decode(String.self)) ?? String(list.decode(Double.self)))
            }
            return texts.joined(separator: ",")
        case .rectangles:
            let list = try decode([String].self, forKey: key)
            return list.isEmpty ? nil : list.joined(separator: String(KeptAreas.separator))
        case .choice: return try decode(String.self, forKey: key)
        case .whole, .number, .fraction, .text: return try text(key)
        }
    }
}
