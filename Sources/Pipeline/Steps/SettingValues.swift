package import FrameCore

/// The values of an effect's settings as text, by key.
public struct SettingValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var texts: [String: String]

    /// - Parameter texts: the values by key.
    public init(_ texts: [String: String] = [:]) { self.texts = texts }

    /// Creates values from pairs of a key and a text.
    public init(dictionaryLiteral elements: (String, String)...) {
        texts = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }

    /// The value of a key; nil if it is missing.
    public subscript(key: String) -> String? {
        get { texts[key] }
        set { texts[key] = newValue }
    }

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
                "\(key) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a number; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if the value is not a number in `range`.
    package func number(_ key: String, _ range: ClosedRange<Float>) throws(FrameError) -> Float? {
        guard let text = texts[key] else { return nil }
        guard let number = Float(text), range.contains(number) else {
            throw FrameError(
                .invalidArgument,
                "\(key) '\(text)' is not a number from \(StepText.decimal(range.lowerBound)) to \(StepText.decimal(range.upperBound))"
            )
        }
        return number
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
                "\(key) '\(text)' is not allowed; it is \(words.joined(separator: " or "))")
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
