internal import Foundation
package import FrameCore

/// A value of JSON, its members in the order in which they were given.
package enum JSONValue: Sendable {
    case string(String)
    case int(Int)
    case bool(Bool)
    /// Printed with three decimals.
    case double(Double)
    /// Printed with six decimals.
    case fine(Double)
    case array([JSONValue])
    case object([(String, JSONValue)])
    case null

    /// The value, or null for nil.
    package static func optional(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
    package static func optional(_ value: Double?) -> JSONValue { value.map { .double($0) } ?? .null }
    package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    package static func time(_ time: MediaTime) -> JSONValue {
        .object([("value", .int(Int(time.value))), ("timescale", .int(Int(time.timescale)))])
    }

    package static func optional(_ time: MediaTime?) -> JSONValue { time.map { .time($0) } ?? .null }

    package static func optional(_ ratio: Rational?) -> JSONValue {
        ratio.map {
            .object([("numerator", .int(Int($0.numerator))), ("denominator", .int(Int($0.denominator)))])
        } ?? .null
    }

    package static func strings(_ entries: [String: String]) -> JSONValue {
        .object(entries.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// JSON on one line, keys in the order given.
    package var text: String {
        switch self {
        case .string(let value): Self.quoted(value)
        case .int(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .double(let value): value.isFinite ? String(format: "%.3f", value) : "null"
        case .fine(let value): value.isFinite ? String(format: "%.6f", value) : "null"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.0) + ": " + $0.1.text }.joined(separator: ", ") + "}"
        case .null: "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}": quoted += String(format: "\\u%04x", scalar.value)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
