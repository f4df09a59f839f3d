public import FrameCore

/// A chain of effects as a value that can be stored in a file: the effects, their order and their settings.
///
/// As JSON: `{"version": 1, "effects": [{"effect": "denoise", "strength": "auto"}, …], "cut_threshold": 0.5, "at_cut":
/// "hold", "long_holds": "hold", "own_motion": false}`; all but the version and the effects may be left out. Unknown keys
/// and effects are errors rather than ignored, so that a recipe never does less than it says.
public struct EffectRecipe: Sendable, Hashable {
    /// The format version that is written, and the only one that is read.
    static let version = 1
    /// The allowed number of effects in a recipe.
    package static let stepRange = 1...32

    /// The effects in the order in which frames pass through them; the same effect may occur more than once.
    public let steps: [EffectStep]
    /// How cuts are detected.
    public let cuts: CutSearch
    /// What is shown between two frames separated by a cut; nil leaves it to the options of ``chain(_:)``.
    public var atCut: CutTreatment?
    /// What is shown while a frame stands still; nil leaves it to the options of ``chain(_:)``.
    public var longHolds: LongHoldTreatment?
    /// Whether an effect uses the motion that an earlier one has estimated.
    public var sharesMotion: Bool
    /// The factor by which the clip becomes longer.
    public let stretch: Rational

    /// - Parameters:
    ///   - steps: the effects.
    ///   - cutThreshold: the evidence from which a change of picture counts as a cut, 0…1.
    ///   - atCut: what is shown between two frames separated by a cut; nil leaves it to the options of ``chain(_:)``.
    ///   - longHolds: what is shown while a frame stands still; nil leaves it to the options of ``chain(_:)``.
    ///   - sharesMotion: whether an effect uses the motion that an earlier one has estimated.
    /// - Throws: `FrameError` if there are no steps or too many, or if a setting is not allowed.
    public init(
        _ steps: [EffectStep], cutThreshold: Float = CutSearch.defaultThreshold, atCut: CutTreatment? = nil,
        longHolds: LongHoldTreatment? = nil, sharesMotion: Bool = true
    ) throws {
        (self.atCut, self.longHolds, self.sharesMotion) = (atCut, longHolds, sharesMotion)
        cuts = try CutSearch.lookingAhead.withThreshold(cutThreshold)
        guard Self.stepRange.contains(steps.count) else {
            throw FrameError(
                .invalidArgument,
                "\(steps.count) effects are not allowed in a chain; it has \(Self.stepRange.lowerBound) to \(Self.stepRange.upperBound)"
            )
        }
        try EffectStep.checkOrder(of: steps)
        let chain = try EffectChain(steps.map(Self.checked))
        stretch = chain.stretch
        guard chain.stretch.doubleValue <= Double(Self.maximumStretch) else {
            throw FrameError(
                .invalidArgument,
                "the chain makes the clip more than \(Self.maximumStretch) times longer; at most \(Self.maximumStretch) times is allowed"
            )
        }
        self.steps = steps
    }

    /// Returns an effect with settings that are allowed at one of the qualities.
    private static func checked(_ step: EffectStep) throws -> any ClipEffect {
        guard step.settings.makesPictures else {
            throw FrameError(.invalidArgument, "'\(step.name)' with the output vectors makes no pictures")
        }
        do {
            return try step.effect(ConversionOptions())
        } catch {
            guard let effect = try? step.effect(ConversionOptions(quality: .quality)) else { throw error }
            return effect
        }
    }

    /// The largest factor by which all steps together may lengthen a clip.
    package static let maximumStretch: Int64 = 4096

    /// Returns the chain of effects, made according to `options`.
    ///
    /// - Throws: `FrameError` if a setting is not allowed at this quality.
    public func chain(_ options: ConversionOptions) throws -> EffectChain {
        var options = options
        options.atCut = atCut ?? options.atCut
        options.longHolds = longHolds ?? options.longHolds
        var chain = try EffectChain(steps.map { try $0.effect(options) })
        chain.sharesMotion = sharesMotion
        return chain
    }
}

extension EffectRecipe: Codable {
    private static let keys: Set<String> = [
        "version", "effects", "cut_threshold", "at_cut", "long_holds", "own_motion",
    ]

    /// - Throws: `FrameError` for an unknown version, key or effect and for a setting that is not allowed;
    ///   `DecodingError` if something is missing or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RecipeKey.self)
        let version = try container.decode(Int.self, forKey: "version")
        guard version == Self.version else {
            throw FrameError(
                .invalidArgument,
                "the recipe has version \(version); this program reads version \(Self.version)")
        }
        try container.refuseUnknown(Self.keys, in: "the recipe")
        let ownsMotion = try container.decodeIfPresent(Bool.self, forKey: "own_motion") ?? false
        try self.init(
            container.decode([EffectStep].self, forKey: "effects"),
            cutThreshold: container.decodeIfPresent(Float.self, forKey: "cut_threshold")
                ?? CutSearch.defaultThreshold,
            atCut: container.decodeIfPresent(CutTreatment.self, forKey: "at_cut"),
            longHolds: container.text("long_holds").map { try StepText.longHolds($0) },
            sharesMotion: !ownsMotion)
    }

    /// Writes all settings of the effects, including defaults. What older versions do not know is written only if it
    /// differs from what they do.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: RecipeKey.self)
        try container.encode(Self.version, forKey: "version")
        try container.encode(steps, forKey: "effects")
        if cuts.threshold != CutSearch.defaultThreshold {
            try container.encode(cuts.threshold, forKey: "cut_threshold")
        }
        if atCut ?? .hold != .hold { try container.encodeIfPresent(atCut, forKey: "at_cut") }
        try container.encodeIfPresent(longHolds?.rawValue, forKey: "long_holds")
        if !sharesMotion { try container.encode(true, forKey: "own_motion") }
    }
}

/// A coding key with any name, so that unknown keys can be detected.
struct RecipeKey: CodingKey, ExpressibleByStringLiteral {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer where Key == RecipeKey {
    func refuseUnknown(_ known: Set<String>, in place: String) throws(FrameError) {
        guard let key = allKeys.map(\.stringValue).sorted().first(where: { !known.contains($0) }) else {
            return
        }
        throw FrameError(
            .invalidArgument,
            "\(place) has the unknown key '\(key)'; the known keys are \(known.sorted().joined(separator: ", "))"
        )
    }

    /// Returns a string, or a number converted to a string; nil if the key is missing.
    func text(_ key: RecipeKey) throws -> String? {
        guard contains(key) else { return nil }
        if let text = try? decode(String.self, forKey: key) { return text }
        let number = try decode(Double.self, forKey: key)
        return number == number.rounded() && abs(number) < 1e9 ? String(Int64(number)) : String(number)
    }
}
