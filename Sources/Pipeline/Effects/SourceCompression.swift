public import FrameCore
internal import FrameEffects

/// How strongly the source of a clip was compressed, as far as its pictures or its codec show it.
///
/// Clips are put together from sources of different quality, and encoders spend more bits on some scenes than on others, so
/// parts that differ have their own values.
public struct SourceCompression: Sendable, Hashable, Codable {
    /// A part of the clip that was compressed in its own way.
    public struct Span: Sendable, Hashable, Codable {
        /// The time of its first keyframe.
        public let start: MediaTime
        /// How its pictures were compressed.
        public let pictures: PictureCompression

        package init(start: MediaTime, pictures: PictureCompression) {
            self.start = start
            self.pictures = pictures
        }
    }

    /// How most of the clip was compressed.
    public let overall: PictureCompression
    /// The parts that differ, in order of time, without gaps; empty if the whole clip was compressed alike.
    public let spans: [Span]

    /// The compression of a source that shows none.
    public static let none = SourceCompression(strength: 0)

    package init(overall: PictureCompression, spans: [Span]) {
        self.overall = overall
        self.spans = spans
    }

    /// Takes what was measured otherwise or earlier.
    ///
    /// - Parameters:
    ///   - strength: the strength, limited to 0…1.
    ///   - step: the quantizer step; nil for the one that goes with the strength.
    ///   - isLoopFiltered: whether the codec filters the edges of its blocks.
    package init(strength: Float, step: Float? = nil, isLoopFiltered: Bool = true) {
        let step = step ?? QuantizationTrace.step(ofStrength: min(max(strength, 0), 1))
        self.init(
            overall: PictureCompression(strength: strength, step: step, isLoopFiltered: isLoopFiltered), spans: [])
    }

    /// Returns how the pictures shown at a time of the source were compressed.
    public func pictures(at time: MediaTime) -> PictureCompression {
        // Before the first span there is no frame.
        (spans.last { $0.start <= time } ?? spans.first)?.pictures ?? overall
    }

    /// Whether a condition holds for some of the pictures.
    func contains(where condition: (PictureCompression) -> Bool) -> Bool {
        spans.isEmpty ? condition(overall) : spans.contains { condition($0.pictures) }
    }

    /// Whether the values are possible, and the parts in order.
    package var isPlausible: Bool {
        overall.isPlausible && spans.count <= Self.mostSamples && spans.allSatisfy(\.pictures.isPlausible)
            && zip(spans, spans.dropFirst()).allSatisfy { $0.start < $1.start }
    }

    /// The strength and the quantizer step of most of the clip as figures for reports, each if it is not 0.
    public var measurements: [EffectMeasurement] {
        [("compression", overall.strength), ("quantizer step", overall.step)].compactMap { name, value in
            value > 0 ? EffectMeasurement(name: name, value: Double(value)) : nil
        }
    }
}
