import Foundation

/// The part of Kubernetes' OpenAPI schema (batch/v1) for the fields that a manifest may use, and a validator for it.
///
/// Kubernetes ignores unknown fields, so they are faults here: a misspelt one would have no effect.
enum JobSchema {
    /// In the words of JSON Schema. Limits are those that the API server checks on top of the types.
    private static let text = #"""
        {"type": "object", "required": ["apiVersion", "kind", "items"], "properties": {
          "apiVersion": {"enum": ["v1"]}, "kind": {"enum": ["List"]},
          "items": {"type": "array", "items":
            {"type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "properties": {
              "apiVersion": {"enum": ["batch/v1"]}, "kind": {"enum": ["Job"]},
              "metadata": {"type": "object", "required": ["name"], "properties": {"name": {"type": "label"}}},
              "spec": {"type": "object", "required": ["template"], "properties": {
                "completionMode": {"enum": ["NonIndexed", "Indexed"]}, "completions": {"type": "integer"},
                "parallelism": {"type": "integer"}, "backoffLimit": {"type": "integer"},
                "backoffLimitPerIndex": {"type": "integer"}, "maxFailedIndexes": {"type": "integer"},
                "suspend": {"type": "boolean"},
                "template": {"type": "object", "required": ["spec"], "properties": {
                  "spec": {"type": "object", "required": ["containers", "restartPolicy"], "properties": {
                    "restartPolicy": {"enum": ["Never", "OnFailure"]},
                    "containers": {"type": "array", "items":
                      {"type": "object", "required": ["name", "image"], "properties": {
                        "name": {"type": "label"}, "image": {"type": "string"},
                        "command": {"type": "array", "items": {"type": "string"}},
                        "resources": {"type": "object", "required": [], "properties": {
                          "requests": {"type": "object", "required": [], "properties": {"cpu": {"type": "string"}}}
                        }}
                      }}}
                  }}
                }}
              }}
            }}}
        }}
        """#

    /// Returns what is wrong with a manifest, by the path of the field.
    static func faults(in manifest: Data) throws -> [String] {
        let decoder = JSONDecoder()
        return faults(
            in: try decoder.decode(JSON.self, from: manifest), try decoder.decode(JSON.self, from: Data(text.utf8)), "")
    }

    private static func faults(in value: JSON, _ schema: JSON, _ path: String) -> [String] {
        if case .list(let allowed)? = schema["enum"] {
            return allowed.contains(value) ? [] : ["\(path) is not allowed"]
        }
        switch (schema["type"], value) {
        case (.text("object"), .object(let object)):
            guard case .list(let required)? = schema["required"] else { return ["the schema is wrong"] }
            let names = required.compactMap { if case .text(let name) = $0 { name } else { nil } }
            return names.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
                + object.flatMap { key, value in
                    schema["properties"]?[key].map { faults(in: value, $0, "\(path).\(key)") }
                        ?? ["\(path).\(key) is unknown"]
                }
        case (.text("array"), .list(let list)):
            return list.flatMap { faults(in: $0, schema["items"] ?? .null, path + "[]") }
        case (.text("integer"), .integer(let number)) where (0...Int(Int32.max)).contains(number): return []
        case (.text("boolean"), .boolean), (.text("string"), .text): return []
        case (.text("label"), .text(let label)):
            let isLabel = label.wholeMatch(of: /[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/) != nil
            return isLabel ? [] : ["\(path) is no label"]
        default: return ["\(path) has the wrong type"]
        }
    }
}

/// A JSON value. `JSONDecoder` tells whole numbers and booleans apart, which `JSONSerialization` does not.
enum JSON: Decodable, Equatable {
    case null, boolean(Bool), integer(Int), text(String), list([JSON]), object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    subscript(key: String) -> JSON? { if case .object(let object) = self { object[key] } else { nil } }
}
