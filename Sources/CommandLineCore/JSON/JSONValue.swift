internal import Foundation
package import FrameCore

/// A JSON value; objects keep the order of their members.
package enum JSONValue: Sendable {
    case string(String)
    case int(Int)
    case bool(Bool)
    /// Printed with three decimal places.
    case double(Double)
    /// Printed with six decimal places.
    case fine(Double)
    case array([JSONValue])
    case object([(String, JSONValue)])
    case null

    /// Returns the value, or null for nil.
    package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    package static func time(_ time: MediaTime) -> JSONValue {
        .object([("value", .int(Int(time.value))), ("timescale", .int(Int(time.timescale)))])
    }

    /// The value as JSON on one line.
    package var text: String {
        switch self {
        case .string(let value): value.jsonQuoted
        case .int(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .double(let value): value.isFinite ? String(format: "%.3f", value) : "null"
        case .fine(let value): value.isFinite ? String(format: "%.6f", value) : "null"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { $0.0.jsonQuoted + ": " + $0.1.text }.joined(separator: ", ") + "}"
        case .null: "null"
        }
    }
}
