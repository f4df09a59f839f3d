package import FrameCore

/// The values of an effect's settings as text, by key.
public struct SettingValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var texts: [String: String]
    /// The names of the keys in messages, where they differ.
    private var names: [String: String]

    /// - Parameters:
    ///   - texts: the values by key.
    ///   - names: what messages call the keys, where it differs.
    public init(_ texts: [String: String], names: [String: String] = [:]) {
        self.texts = texts
        self.names = names
    }

    /// Creates a list without values.
    public init() { self.init([:]) }

    /// Creates values from pairs of a key and a text.
    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements, uniquingKeysWith: { _, last in last })
        names = [:]
    }

    /// The value of a key; nil if it is missing.
    public subscript(key: String) -> String? {
        get { texts[key] }
        set { texts[key] = newValue }
    }

    /// What messages call a key.
    package func name(of key: String) -> String { names[key] ?? key }

    /// The keys that have values.
    public var keys: [String] { texts.keys.sorted() }

    /// Returns a whole number; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if the value is not a whole number in `range`.
    package func whole(_ key: String, _ range: ClosedRange<Int>) throws(FrameError) -> Int? {
        guard let text = texts[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw FrameError(
                .invalidArgument,
                "\(name(of: key)) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a number; nil if the key is missing, or if its value is `word`.
    ///
    /// - Throws: `FrameError` if the value is neither `word` nor a number in `range`.
    package func number(
        _ key: String, _ range: ClosedRange<Float>, word: String? = nil
    ) throws(FrameError) -> Float? {
        guard let text = texts[key], text != word else { return nil }
        guard let number = Float(text), range.contains(number) else {
            let alternative = word.map { "'\($0)' or " } ?? ""
            throw FrameError(
                .invalidArgument,
                "\(name(of: key)) '\(text)' is not \(alternative)a number from \(StepText.decimal(range.lowerBound)) to \(StepText.decimal(range.upperBound))"
            )
        }
        return number
    }

    /// - Throws: `FrameError` if both keys have values.
    func exclude(_ key: String, _ other: String) throws(FrameError) {
        guard texts[key] != nil, texts[other] != nil else { return }
        throw FrameError(
            .invalidArgument,
            "\(name(of: key)) and \(name(of: other)) are mutually exclusive; give only one of them")
    }

    /// Returns whether a flag is set; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if the value is neither `true` nor `false`.
    package func flag(_ key: String) throws(FrameError) -> Bool? {
        try choice(key, ["false", "true"]).map { $0 == "true" }
    }

    /// Returns a word; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if the value is not one of `words`.
    package func choice(_ key: String, _ words: [String]) throws(FrameError) -> String? {
        guard let text = texts[key] else { return nil }
        guard words.contains(text) else {
            throw FrameError(
                .invalidArgument,
                "\(name(of: key)) '\(text)' is not allowed; it is \(words.joined(separator: " or "))")
        }
        return text
    }

    /// Returns a word as a value of an enumeration; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if the value is not one of its cases.
    package func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Value.Type
    ) throws(FrameError) -> Value? where Value.RawValue == String {
        try choice(key, Value.allCases.map(\.rawValue)).flatMap(Value.init)
    }

    /// Returns numbers that are separated by commas; nil if the key is missing.
    ///
    /// - Parameter what: what one of them is called.
    /// - Throws: `FrameError` if one is not a number.
    func fractions(_ key: String, _ what: String) throws(FrameError) -> [Rational]? {
        guard let text = texts[key] else { return nil }
        guard !text.isEmpty else { return [] }
        var numbers: [Rational] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try StepText.exact(part, what))
        }
        return numbers
    }
}
