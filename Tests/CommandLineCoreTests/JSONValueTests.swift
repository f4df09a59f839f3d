import CommandLineCore
import FrameCore
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        (JSONValue.string("a\"b\\c\nd\te\u{7F}é"), #""a\"b\\c\nd\u0009e\u007fé""#),
        (.int(-3), "-3"), (.bool(true), "true"), (.double(1.23456), "1.235"), (.fine(0.5), "0.500000"),
        (.double(.nan), "null"), (.fine(.infinity), "null"), (.null, "null"), (.array([]), "[]"),
        (.array([.int(1), .null]), "[1, null]"), (.object([("b", .int(1)), ("a", .int(2))]), #"{"b": 1, "a": 2}"#),
        (.optional("x"), #""x""#), (.optional(nil), "null"),
        (.time(MediaTime(value: 1001, timescale: 24000)), #"{"value": 1001, "timescale": 24000}"#),
    ])
    func valuesReadAsJSON(value: JSONValue, text: String) {
        #expect(value.text == text)
    }
}

@Suite struct JSONEventTests {
    private struct Sample: JSONEvent {
        static let type = "sample"

        var framesRead = 3
        var p95Ms = 1.5
        var isDone = true
        var ssim = SixDecimals(0.5)
        var none: Int?
        var none2: Double?
        var none3: String?
        var none4: Bool?
        var none5: MediaTime?
        @OmittedIfNil var left: Int? = nil
        @OmittedIfNil var kept: [Part]? = nil
        var tags = NamedValues(["zCamel": "1", "a": "2"])
        var time = MediaTime(value: 1001, timescale: 24000)
        var rate = Rational(4, 3)
        var psnr = [30.25, .infinity]
        var empty: [Int] = []

        struct Part: Encodable {
            var name = "two\nlines"
            var size: Int?
        }
    }

    private static let members =
        #""frames_read": 3, "p95_ms": 1.500, "is_done": true, "ssim": 0.500000, "none": null, "none2": null, "#
        + #""none3": null, "none4": null, "none5": null, "kept": [{"name": "two\nlines", "size": null}], "#
        + #""tags": {"a": "2", "zCamel": "1"}, "time": {"value": 1001, "timescale": 24000}, "#
        + #""rate": {"numerator": 4, "denominator": 3}, "psnr": [30.250, null], "empty": []}"#

    @Test func membersFollowTheTypeInOrder() throws {
        let event = Sample(kept: [Sample.Part()])
        #expect(try EventPrinter().line(event) == #"{"type": "sample", "# + Self.members)
        #expect(
            try EventPrinter(file: "a \"b\".mkv").line(event)
                == #"{"type": "sample", "file": "a \"b\".mkv", "# + Self.members)
    }
}
