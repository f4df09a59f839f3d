internal import FrameCore
public import Foundation

/// A chain of effects as a value that can be kept in a file: which effects, in which order, with which settings.
///
/// As JSON: `{"version": 1, "effects": [{"effect": "denoise", "strength": "auto"}, …]}`. What is unknown is refused by
/// name rather than passed over, so that a recipe never does less than it says.
public struct EffectRecipe: Sendable, Hashable {
    /// Of the form that is written, and the only one that is read.
    static let version = 1
    /// Effects that a recipe may have.
    package static let stepRange = 1...32

    /// In the order in which frames go through them; the same effect may stand there more than once.
    public let steps: [EffectStep]

    /// - Throws: `FrameError` for no step or too many, and for settings that are not allowed.
    public init(_ steps: [EffectStep]) throws {
        guard Self.stepRange.contains(steps.count) else {
            throw FrameError(
                .invalidArgument,
                "\(steps.count) effects are not allowed in a chain; it has \(Self.stepRange.lowerBound) to \(Self.stepRange.upperBound)"
            )
        }
        for step in steps { _ = try step.effect(ConversionOptions()) }
        guard steps.reduce(Int64(1), { min(1 << 40, $0 * Int64($1.stretch)) }) <= Self.maximumStretch else {
            throw FrameError(
                .invalidArgument,
                "the chain makes time more than \(Self.maximumStretch) times longer; slow motion may do so \(Self.maximumStretch) times in all"
            )
        }
        self.steps = steps
    }

    /// How many times longer a clip may become in all.
    static let maximumStretch: Int64 = 4096

    /// The effects, made as `options` say.
    ///
    /// - Throws: `FrameError` for settings that are not allowed at this quality.
    public func chain(_ options: ConversionOptions) throws -> EffectChain {
        try EffectChain(steps.map { try $0.effect(options) })
    }

    /// How many times longer the result lasts.
    public var stretch: Int { steps.reduce(1) { $0 * $1.stretch } }

    /// Whether an evenly timed source gives evenly timed output.
    package var hasEvenTimes: Bool {
        var isEven = true
        for step in steps {
            switch step {
            case .slomo(let phases): isEven = isEven && (try? SlowMotionPlan(phases: phases))?.isEven ?? false
            // Samples at even times whatever it is given.
            case .rate: isEven = true
            default: break
            }
        }
        return isEven
    }
}

extension EffectRecipe: Codable {
    private static let keys: Set<String> = ["version", "effects"]

    /// - Throws: `FrameError` for an unknown version, key or effect and for settings that are not allowed;
    ///   `DecodingError` where something is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecipeKey.self)
        let version = try container.decode(Int.self, forKey: "version")
        guard version == Self.version else {
            throw FrameError(
                .invalidArgument, "the recipe is of version \(version); this program reads version \(Self.version)")
        }
        try container.refuseUnknown(Self.keys, in: "the recipe")
        try self.init(container.decode([EffectStep].self, forKey: "effects"))
    }

    /// Writes all settings, defaults too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecipeKey.self)
        try container.encode(Self.version, forKey: "version")
        try container.encode(steps, forKey: "effects")
    }

    /// Bytes that a recipe may have.
    package static let maximumBytes = 1 << 20

    /// Reads the JSON form.
    ///
    /// - Throws: `FrameError` that names what is wrong.
    public init(json: Data) throws {
        guard json.count <= Self.maximumBytes else {
            throw FrameError(
                .invalidArgument, "the recipe has \(json.count) bytes; \(Self.maximumBytes) are allowed")
        }
        do {
            self = try JSONDecoder().decode(EffectRecipe.self, from: json)
        } catch let error as DecodingError {
            throw FrameError(.invalidArgument, "the recipe is not right: \(error.sentence)")
        }
    }

    /// The JSON form, ending with a line break.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}

/// Any key, so that unknown ones are seen.
struct RecipeKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == RecipeKey {
    func refuseUnknown(_ known: Set<String>, in place: String) throws(FrameError) {
        guard let key = allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) }) else { return }
        throw FrameError(
            .invalidArgument,
            "\(place) has the unknown key '\(key)'; known are \(known.sorted().joined(separator: ", "))")
    }

    /// A number or words as words.
    func text(_ key: RecipeKey) throws -> String? {
        guard contains(key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        let number = try decode(Double.self, forKey: key)
        return number == number.rounded() && abs(number) < 1e9 ? String(Int64(number)) : String(number)
    }
}

extension DecodingError {
    /// What is wrong, in words for the reader of the file.
    var sentence: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "entry \($0 + 1)" } ?? "'\($0.stringValue)'" }
            return path.isEmpty ? "the whole" : path.joined(separator: " ")
        }
        switch self {
        case .keyNotFound(let key, let context): return "'\(key.stringValue)' is missing in \(place(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context)) is of another type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "it is no JSON" : "\(place(context)) is not allowed"
        @unknown default: return "it cannot be read"
        }
    }
}
