/// The lines of a text one at a time, so that a file of nothing but line ends takes no more memory than its bytes. Lines
/// end as in WebVTT: with a line feed, a carriage return or both.
struct TextLines: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View
    private var isOver = false

    init(_ text: String) { rest = text[...].utf8 }

    mutating func next() -> Substring? {
        guard !isOver else { return nil }
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            isOver = true
            return Substring(rest)
        }
        let line = Substring(rest[..<end])
        var after = rest.index(after: end)
        if rest[end] == UInt8(ascii: "\r"), after < rest.endIndex, rest[after] == UInt8(ascii: "\n") {
            after = rest.index(after: after)
        }
        rest = rest[after...]
        return line
    }
}
