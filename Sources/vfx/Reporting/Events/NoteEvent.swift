internal import CommandLineCore
internal import FrameCore

/// A note: something that the user should know about the output.
struct NoteEvent: JSONEvent {
    static let type = "note"

    /// What the note is about; stable.
    let code: String
    /// Whether something in the input is missing from the output.
    let loss: Bool
    /// The note as a sentence.
    let message: String

    init(_ note: Note) {
        code = note.code
        loss = note.isLoss
        message = note.sentence
    }
}
