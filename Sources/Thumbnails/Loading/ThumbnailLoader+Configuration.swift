extension ThumbnailLoader {
    /// How thumbnails are kept and made.
    public struct Configuration: Sendable {
        /// Most thumbnails in memory.
        public var memoryCount: Int
        /// Most bytes of thumbnails in memory.
        public var memoryBytes: Int
        /// Folder for thumbnails on disk; nil keeps none.
        public var diskDirectory: String?
        /// Videos that are opened at the same time.
        public var concurrency: Int
        /// Quality of the thumbnails on disk, 1…100.
        public var diskQuality: Int

        /// A configuration.
        public init(
            memoryCount: Int = 500, memoryBytes: Int = 64 << 20, diskDirectory: String? = nil, concurrency: Int = 4,
            diskQuality: Int = 85
        ) {
            self.memoryCount = memoryCount
            self.memoryBytes = memoryBytes
            self.diskDirectory = diskDirectory
            self.concurrency = max(1, concurrency)
            self.diskQuality = diskQuality
        }
    }

    /// Counts of what happened so far, for tests and tuning.
    public struct Statistics: Sendable, Hashable {
        /// Thumbnails decoded from their videos.
        public var generated = 0
        /// Answers from memory.
        public var memoryHits = 0
        /// Answers from disk.
        public var diskHits = 0
        /// Requests given up before they were begun.
        public var cancelled = 0
        /// Most videos that were open at the same time.
        public var mostAtOnce = 0
        /// Requests that wait for their thumbnail now.
        public var waiting = 0
        /// Thumbnails in memory.
        public var memoryCount = 0
        /// Bytes of thumbnails in memory.
        public var memoryBytes = 0
    }
}
