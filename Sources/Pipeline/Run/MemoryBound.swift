public import FrameCore
internal import Motion

/// The maximum number of frames of a run that are alive at once; independent of the clip's length.
///
/// Not counted: the working buffers of the engines (pyramids, motion fields), which hold a fixed number of images each,
/// and the frames inside the decoder and the encoder.
public struct MemoryBound: Sendable, Hashable {
    /// The frames of one producer.
    public struct Part: Sendable, Hashable {
        /// The producer: `read`, or an effect's name.
        public var name: String
        /// The maximum number of frames alive at once.
        public var frames: Int
        /// The size of one frame, in bytes.
        public var bytesPerFrame: Int
        /// The size of all these frames, in bytes.
        public var bytes: Int { frames * bytesPerFrame }

        /// Describes frames outside the chain, such as those that a branch keeps.
        public init(name: String, frames: Int, bytesPerFrame: Int) {
            self.name = name
            self.frames = frames
            self.bytesPerFrame = bytesPerFrame
        }
    }

    /// The frames that are read, then those that each effect makes.
    public var parts: [Part]
    /// The total number of frames.
    public var frames: Int { parts.reduce(0) { $0 + $1.frames } }
    /// The total size in bytes.
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }
}

extension EffectChain {
    /// Returns the maximum number of frames alive at once in a run over a given source.
    ///
    /// - Throws: an error if an effect cannot process its input.
    public func memoryBound(for source: VideoStreamDescription) throws -> MemoryBound {
        try memoryBound(for: source, lookAhead: SceneCutDetector.lookAhead)
    }

    func memoryBound(for source: VideoStreamDescription, lookAhead: Int) throws -> MemoryBound {
        let streams = try streams(for: source)
        // The frames that consumer `index` holds: one on its way into the window, the window itself, and one that an
        // engine keeps longer than the window does.
        func held(by index: Int) -> Int {
            guard index < effects.count else { return 1 }
            return 1 + EffectWindow.capacity(effects[index].window, knowsLast: index == 0 && lookAhead > 0) + 1
        }
        let read =
            1 + ConversionPipeline.betweenStages + SourceTimeline.capacity(lookAhead: max(1, lookAhead)) + held(by: 0)
        var parts = [MemoryBound.Part(name: "read", frames: read, bytesPerFrame: streams[0].bytesPerFrame)]
        for (index, effect) in effects.enumerated() {
            let waiting = index + 1 < effects.count ? ConversionPipeline.betweenStages : ConversionPipeline.writeBehind
            parts.append(
                MemoryBound.Part(
                    name: effect.name,
                    frames: effect.picturesAtOnce + effect.copiesAtOnce + waiting + held(by: index + 1),
                    bytesPerFrame: streams[index + 1].bytesPerFrame))
        }
        return MemoryBound(parts: parts)
    }
}

extension ClipEffect {
    /// One if areas of the source are put into copies of the frames that the effect makes.
    fileprivate var copiesAtOnce: Int { (self as? any KeepingEffect)?.options.kept.isEmpty == false ? 1 : 0 }
}

extension VideoStreamDescription {
    /// The size of one frame in bytes, without padding.
    package var bytesPerFrame: Int {
        (0..<format.planeCount).reduce(0) {
            $0 + format.planeWidth($1, width: width) * format.planeHeight($1, height: height) * format.bytesPerSample
        }
    }
}
