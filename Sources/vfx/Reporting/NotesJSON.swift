internal import CommandLineCore
internal import FrameCore

extension Note {
    /// The note as fields of a JSON object: `code`, which is stable; `loss`, whether something of the input is missing in
    /// the output; `message`, the sentence.
    var fields: [(String, JSONValue)] {
        [("code", .string(code)), ("loss", .bool(isLoss)), ("message", .string(sentence))]
    }
}

extension [Note] {
    /// The notes as a JSON array of objects.
    var json: JSONValue { .array(map { .object($0.fields) }) }
}
