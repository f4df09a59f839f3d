/// An event printed by `--json`: one line with a JSON object on standard output, which begins with the member `type`.
///
/// The members of a line are the stored properties of the event, in snake case. The article "Events of --json" documents
/// them all. Types and keys are stable.
package protocol JSONEvent: Encodable, Sendable {
    /// The value of `type`.
    static var type: String { get }
}

/// Prints events on standard output.
package struct EventPrinter: Sendable {
    /// The input that the events are about, printed as the member `file`; nil if the command has only one input.
    package var file: String?

    package init(file: String? = nil) { self.file = file }

    /// Returns the line of an event, without a newline.
    ///
    /// - Throws: the error of an event that cannot be encoded.
    package func line(_ event: some JSONEvent) throws -> String {
        var members = [("type", JSONValue.string(Swift.type(of: event).type))]
        if let file { members.append(("file", .string(file))) }
        if case .object(let own) = try JSONValue(encoding: event) { members += own }
        return JSONValue.object(members).text
    }

    /// Prints an event; returns false if it cannot be written.
    @discardableResult
    package func print(_ event: some JSONEvent) -> Bool {
        guard let line = try? line(event) else { return false }
        return Console.writeOut(line + "\n")
    }
}
