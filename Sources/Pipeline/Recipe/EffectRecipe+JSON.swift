public import Foundation
internal import FrameCore

extension EffectRecipe {
    /// The maximum size of a recipe in bytes.
    package static let maximumBytes = 1 << 20

    /// Parses the JSON form.
    ///
    /// - Throws: `FrameError` that states what is wrong.
    public init(json: Data) throws {
        guard json.count <= Self.maximumBytes else {
            throw FrameError(
                .invalidArgument,
                "the recipe has \(json.count) bytes; at most \(Self.maximumBytes) are allowed")
        }
        do {
            self = try JSONDecoder().decode(EffectRecipe.self, from: json)
        } catch let error as DecodingError {
            throw FrameError(.invalidArgument, "the recipe is invalid: \(error.sentence)")
        }
    }

    /// The JSON form, ending with a newline.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

extension DecodingError {
    /// A description of the error for the author of the file.
    package var sentence: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map {
                $0.intValue.map { "entry \($0 + 1)" } ?? "'\($0.stringValue)'"
            }
            return path.isEmpty ? "the top level" : path.joined(separator: " ")
        }
        switch self {
        case .keyNotFound(let key, let context):
            return "'\(key.stringValue)' is missing at \(place(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context)) has the wrong type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not valid JSON" : "\(place(context)) is not allowed"
        @unknown default: return "it cannot be read"
        }
    }
}
