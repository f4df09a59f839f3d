import CommandLineCore
import FrameCore
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        (JSONValue.string("a\"b\\c\nd\te\u{7F}é"), #""a\"b\\c\nd\u0009e\u007fé""#),
        (.int(-3), "-3"), (.bool(true), "true"), (.double(1.23456), "1.235"), (.fine(0.5), "0.500000"),
        (.double(.nan), "null"), (.fine(.infinity), "null"), (.null, "null"), (.array([]), "[]"),
        (.array([.int(1), .null]), "[1, null]"), (.object([("b", .int(1)), ("a", .int(2))]), #"{"b": 1, "a": 2}"#),
        (.optional(Int?.none), "null"), (.optional("x"), #""x""#),
        (.time(MediaTime(value: 1001, timescale: 24000)), #"{"value": 1001, "timescale": 24000}"#),
        (.optional(Rational(4, 3)), #"{"numerator": 4, "denominator": 3}"#),
        (.strings(["z": "1", "a": "2"]), #"{"a": "2", "z": "1"}"#),
    ])
    func valuesReadAsJSON(value: JSONValue, text: String) {
        #expect(value.text == text)
    }

    @Test func eventsAreOneLineWithTheTypeFirst() {
        #expect(
            JSONEvent.line("note", [("message", .string("two\nlines"))])
                == #"{"type": "note", "message": "two\nlines"}"#)
    }
}
