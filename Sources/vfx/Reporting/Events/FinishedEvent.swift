internal import CommandLineCore

/// A conversion has finished.
struct FinishedEvent: JSONEvent {
    static let type = "finished"

    /// The number of frames read.
    let framesRead: Int
    /// The number of frames written.
    let framesWritten: Int
    /// The number of source frames that were written unchanged.
    let sourceFramesShown: Int
    /// The number of frames that repeat the frame before a cut.
    let heldAtCut: Int
    /// The number of frames that blend both sides of a cut.
    let blendedOverCut: Int
    /// The number of frames that were held because they stand still for long.
    let longHolds: Int
    /// The number of frames that were left out because they repeat the picture before them.
    let repeatsLeftOut: Int
    /// The wall-clock time of the conversion in seconds.
    let seconds: Double
    /// The number of frames written per second.
    let fps: Double
    /// The peak memory of the process in KiB; null if unknown.
    let peakMemoryKib: Int?
    /// The number of cuts.
    let cuts: Int
    /// The number of source frames that repeat the one before.
    let duplicates: Int
    /// How the cells of interpolated frames were made.
    let fallbacks: Fallbacks
    /// The latency of frames; null if the command does not measure it.
    let latency: Latency?
    /// What the effect measured, by name; empty for `vfx enhance`, whose effects have their own.
    let findings: NamedValues<Double>
    /// The effects of the chain, in order; only printed by `vfx enhance`.
    @OmittedIfNil var effects: [Effect]?
    /// The frames in memory; only printed by `vfx enhance`.
    @OmittedIfNil var framesAlive: [FramesAlive]?
    /// The exit code of the program.
    let exitCode: Int32

    /// The number of cells of interpolated frames, by how they were made.
    struct Fallbacks: Encodable {
        /// Interpolated from both neighbours.
        let bothSides: Int
        /// Taken from one neighbour, because the other does not show the place.
        let oneSide: Int
        /// Blended without motion.
        let blended: Int
        /// Repeated from the nearer neighbour.
        let repeated: Int
    }

    /// The latency of frames.
    struct Latency: Encodable {
        /// From when a frame has been decoded until the frames made from it are written.
        let total: Spread
        /// The time spent in the effect.
        let work: Spread
    }

    /// A distribution of durations in milliseconds.
    struct Spread: Encodable {
        /// The median.
        let p50: Double
        /// The 95th percentile.
        let p95: Double
        /// The maximum.
        let max: Double
    }

    /// One effect of a chain.
    struct Effect: Encodable {
        /// The name of the effect.
        let effect: String
        /// The number of frames that the effect received.
        let framesIn: Int
        /// The number of frames that the effect returned.
        let framesOut: Int
        /// The latency of the effect.
        let latency: Latency
        /// What the effect measured, by name.
        let findings: NamedValues<Double>
    }

    /// The frames of one stage that are in memory at the same time.
    struct FramesAlive: Encodable {
        /// The stage: `read`, the name of an effect, or the folder that the frames are kept for.
        let of: String
        /// The maximum number of frames.
        let bound: Int
        /// The largest number of frames that occurred; null for frames that are kept for folders.
        let peak: Int?
        /// The size of each frame in bytes.
        let bytesPerFrame: Int
    }
}
