package import FrameCore

/// An effect that can keep areas of the source.
package protocol KeepingEffect: ClipEffect {
    /// How its frames are made.
    var options: ConversionOptions { get }
    /// The masks of the areas that the options name; nil if there is no mask, or if it has not been read.
    var masks: FrameMasks? { get set }
}

extension EffectChain {
    /// Returns the chain with the masks of its effects read.
    ///
    /// - Parameters:
    ///   - source: the source of the chain.
    ///   - read: returns a mask by its name, for frames of this kind.
    /// - Throws: an error if an effect cannot process its input, or if a mask cannot be read.
    package func readingMasks(
        of source: VideoStreamDescription,
        _ read: (_ file: String, _ frames: VideoStreamDescription) throws -> FrameMasks
    ) throws -> EffectChain {
        func reading(_ effect: some KeepingEffect, _ frames: VideoStreamDescription) throws -> any ClipEffect {
            var effect = effect
            effect.masks = try effect.options.kept.mask.map { try read($0, frames) }
            return effect
        }
        var chain = self
        for (place, frames) in try zip(effects.indices, streams(for: source)) {
            guard let effect = effects[place] as? any KeepingEffect else { continue }
            chain.effects[place] = try reading(effect, frames)
        }
        return chain
    }
}
