public import FrameCore
internal import Motion

/// How many frames of a run are alive at once at most: a figure that does not depend on the clip's length.
///
/// What engines need besides (pyramids, motion fields) is a fixed number of pictures each and not counted, nor are the
/// decoder's and the encoder's own frames.
public struct MemoryBound: Sendable, Hashable {
    /// Frames of one maker.
    public struct Part: Sendable, Hashable {
        /// Who made them: `read`, or an effect's name.
        public var name: String
        /// At once, at most.
        public var frames: Int
        /// Of one frame.
        public var bytesPerFrame: Int
        /// Of all of them.
        public var bytes: Int { frames * bytesPerFrame }

        /// A part; for frames that a branch keeps.
        package init(name: String, frames: Int, bytesPerFrame: Int) {
            self.name = name
            self.frames = frames
            self.bytesPerFrame = bytesPerFrame
        }
    }

    /// The frames read, then those that each effect makes.
    public var parts: [Part]
    /// In all.
    public var frames: Int { parts.reduce(0) { $0 + $1.frames } }
    /// In all.
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }
}

extension EffectChain {
    /// Frames alive at once at most in a run over a source so described.
    ///
    /// - Throws: when an effect cannot work on what reaches it.
    public func memoryBound(for source: VideoStreamDescription) throws -> MemoryBound {
        try memoryBound(for: source, lookAhead: SceneCutDetector.lookAhead)
    }

    func memoryBound(for source: VideoStreamDescription, lookAhead: Int) throws -> MemoryBound {
        let streams = try streams(for: source)
        // A frame in the maker's hand, those waiting for the next one, one on its way into its window, the window, and the
        // pair that an engine remembers longer than its window.
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
                    name: effect.name, frames: effect.picturesAtOnce + waiting + held(by: index + 1),
                    bytesPerFrame: streams[index + 1].bytesPerFrame))
        }
        return MemoryBound(parts: parts)
    }
}

extension VideoStreamDescription {
    /// Samples of one picture, without padding.
    package var bytesPerFrame: Int {
        (0..<format.planeCount).reduce(0) {
            $0 + format.planeWidth($1, width: width) * format.planeHeight($1, height: height) * format.bytesPerSample
        }
    }
}

/// Counts how many frames of one maker are alive in a run.
package final class LiveFrameCounter: Sendable {
    /// Held by a frame as long as it lives.
    final class Token: Sendable {
        private let counter: LiveFrameCounter

        fileprivate init(_ counter: LiveFrameCounter) { self.counter = counter }

        deinit { counter.counts.withLock { $0.alive -= 1 } }
    }

    private let counts = Lock((alive: 0, peak: 0))

    package init() {}

    func token() -> Token {
        counts.withLock {
            $0.alive += 1
            $0.peak = max($0.peak, $0.alive)
        }
        return Token(self)
    }

    /// The most at once so far.
    package var peak: Int { counts.withLock { $0.peak } }
}
