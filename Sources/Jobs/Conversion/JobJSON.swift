public import Foundation
internal import FrameCore

extension Conversion {
    /// The maximum size of a job in bytes.
    package static let maximumBytes = 64 << 20

    /// Reads the JSON form.
    ///
    /// - Throws: `FrameError` that states what is wrong.
    public init(json: Data) throws {
        guard json.count <= Self.maximumBytes else {
            throw FrameError(
                .invalidArgument, "the job has \(json.count) bytes; at most \(Self.maximumBytes) are allowed")
        }
        do {
            self = try JSONDecoder().decode(Conversion.self, from: json)
        } catch let error as DecodingError {
            throw FrameError(.invalidArgument, "the job is invalid: \(error.sentence)")
        }
    }

    /// The JSON form, ending with a newline.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

extension Decoder {
    /// Returns the members of an object.
    ///
    /// - Throws: `FrameError` if it has a key that is not one of `type`.
    func values<Key: CodingKey & CaseIterable & RawRepresentable>(
        _ type: Key.Type, of place: String
    ) throws -> KeyedDecodingContainer<Key> where Key.RawValue == String {
        let known = Key.allCases.map(\.rawValue).sorted()
        let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
        if let key = found.first(where: { !known.contains($0) }) {
            throw FrameError(
                .invalidArgument,
                "\(place) has the unknown key '\(key)'; the known keys are \(known.joined(separator: ", "))")
        }
        return try container(keyedBy: type)
    }
}

extension KeyedDecodingContainer {
    /// Returns a word; nil if the key is missing.
    ///
    /// - Throws: `FrameError` if it is not one of `words`.
    func word<Word: RawRepresentable & CaseIterable>(
        _ words: Word.Type, _ key: Key
    ) throws -> Word? where Word.RawValue == String {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw FrameError(
                .invalidArgument,
                "\(key.stringValue) '\(text)' is not allowed; it is \(words.allCases.map(\.rawValue).joined(separator: " or "))"
            )
        }
        return word
    }
}

/// A coding key with any name.
private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
