/// A sentence for the user about something that was assumed, converted or could not be kept.
///
/// A string literal makes a note with the general code ``unnamed``, so lists of notes can be written as strings.
public struct Note: Sendable, Hashable, Codable {
    /// What the note is about, in kebab case such as `dolby-vision-dropped`. Codes are stable, so scripts can rely on
    /// them.
    public let code: String
    /// The sentence.
    public let sentence: String
    /// Whether something of the source is missing in the result.
    public let isLoss: Bool

    /// The code of notes without a code of their own.
    public static let unnamed = "note"

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - code: what it is about, in kebab case.
    ///   - sentence: a sentence without a full stop.
    ///   - isLoss: whether something of the source is missing in the result.
    public init(_ code: String, _ sentence: String, isLoss: Bool = false) {
        self.code = code
        self.sentence = sentence
        self.isLoss = isLoss
    }

    /// Creates a note without a code of its own.
    public init(_ sentence: String) { self.init(Self.unnamed, sentence) }

    /// Whether the sentence contains `words`.
    public func contains(_ words: String) -> Bool { sentence.contains(words) }

    /// Returns a note on something that is missing in the result.
    public static func loss(_ code: String, _ sentence: String) -> Note { Note(code, sentence, isLoss: true) }
}

extension Note: ExpressibleByStringInterpolation {
    /// Creates a note without a code of its own.
    public init(stringLiteral sentence: String) { self.init(sentence) }
}

extension Note {
    /// Whether the sentences are equal, so that notes can be compared with string literals.
    public static func == (one: Note, other: Note) -> Bool { one.sentence == other.sentence }

    /// Hashes the sentence.
    public func hash(into hasher: inout Hasher) { hasher.combine(sentence) }
}

extension Note: CustomStringConvertible {
    /// The sentence.
    public var description: String { sentence }
}

extension [Note] {
    /// Appends a note without a code of its own.
    public mutating func append(_ sentence: String) { append(Note(sentence)) }

    /// Appends notes without codes of their own.
    public static func += (notes: inout [Note], sentences: [String]) { notes += sentences.map { Note($0) } }

    /// Appends a note unless there is one with the same sentence.
    package mutating func appendOnce(_ note: Note) { if !contains(note) { append(note) } }
}

extension [String] {
    /// The sentences as notes without codes of their own.
    package var asNotes: [Note] { map { Note($0) } }
}
