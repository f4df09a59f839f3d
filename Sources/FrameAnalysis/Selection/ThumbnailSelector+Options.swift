public import FrameCore

extension ThumbnailSelector {
    /// How a stream is looked through.
    public struct Options: Sendable {
        /// How many frames are wanted, at least 1.
        public var count: Int
        /// About how many frames are looked at closely, whatever the length.
        public var capacity: Int
        /// The stream's length, where it is known: stretches are right from the start then.
        public var duration: MediaTime?
        /// When the stream begins.
        public var start: MediaTime
        /// Keeps the candidates' frames, so that picks come with their pictures; `2 · capacity` of them at most.
        public var keepsFrames: Bool
        /// Print distance up to which two frames are the same picture.
        public var distinctness: Double

        /// Options; each default suits a stream of unknown length.
        public init(
            count: Int = 3, capacity: Int = 100, duration: MediaTime? = nil, start: MediaTime = .zero,
            keepsFrames: Bool = false, distinctness: Double = FeaturePrintObservation.sameThreshold
        ) {
            self.count = count
            self.capacity = capacity
            self.duration = duration
            self.start = start
            self.keepsFrames = keepsFrames
            self.distinctness = distinctness
        }

        /// Whether a time lies in the first or last hundredths of the stream, as far as its length is known.
        func isAtEnd(_ time: MediaTime) -> Bool {
            guard let duration, duration > .zero else { return false }
            let share = (time - start).seconds / duration.seconds
            return share < 0.02 || share > 0.98
        }

        /// Keeps the candidates' frames, and looks at fewer of large ones so that they fit into memory.
        package mutating func keepFrames(of stream: VideoStreamDescription) {
            keepsFrames = true
            capacity = min(capacity, max(12, 96_000_000 / max(1, stream.width * stream.height)))
        }
    }
}
