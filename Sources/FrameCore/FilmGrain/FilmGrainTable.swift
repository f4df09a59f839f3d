/// Film grain over time: which parameters apply from when to when.
///
/// As text, this is the `filmgrn1` format of libaom, which aomenc, SVT-AV1 and other encoders read.
public struct FilmGrainTable: Sendable, Hashable {
    /// The grain of an interval of time.
    public struct Entry: Sendable, Hashable {
        /// The first instant, in ticks of 100 ns from the clip's first frame.
        public var start: Int64
        /// The end of the interval, which is not part of it, in the same ticks.
        public var end: Int64
        /// The grain; nil for none.
        public var grain: FilmGrain?

        /// - Parameters:
        ///   - start: first instant, in ticks of 100 ns.
        ///   - end: end of the interval, in ticks of 100 ns.
        ///   - grain: the grain; nil for none.
        public init(start: Int64, end: Int64, grain: FilmGrain?) {
            self.start = start
            self.end = end
            self.grain = grain
        }
    }

    /// The number of ticks per second.
    public static let ticksPerSecond: Int32 = 10_000_000
    /// An end that no clip reaches.
    public static let forever = Int64.max

    /// The entries, in order of time.
    public var entries: [Entry]
    /// The time of the clip's first frame, from which ticks are counted; not part of the text.
    public var origin: MediaTime

    /// Creates a table.
    public init(_ entries: [Entry], origin: MediaTime = .zero) {
        self.entries = entries
        self.origin = origin
    }

    /// Whether no entry adds grain.
    public var isEmpty: Bool { entries.allSatisfy { $0.grain?.isNothing ?? true } }

    /// Returns the grain of a frame; nil for none.
    ///
    /// - Parameter time: the frame's presentation time.
    public func grain(at time: MediaTime) -> FilmGrain? {
        let tick = Self.ticks(time - origin)
        return entries.first { $0.start <= tick && tick < $0.end }?.grain
    }

    /// Returns the table of a part of the clip whose ticks are counted from its own first frame.
    ///
    /// - Parameter start: the presentation time of the first frame of the part.
    public func from(_ start: MediaTime) -> FilmGrainTable {
        let shift = Self.ticks(start - origin)
        let rest = entries.filter { $0.end > shift }.map { entry in
            let end = entry.end >= Self.forever ? Self.forever : entry.end - shift
            return Entry(start: max(0, entry.start - shift), end: end, grain: entry.grain)
        }
        return FilmGrainTable(rest, origin: start)
    }

    /// Returns the same table as AV1 allows it for frames of this subsampling.
    public func conforming(to subsampling: ChromaSubsampling) -> FilmGrainTable {
        FilmGrainTable(
            entries.map { Entry(start: $0.start, end: $0.end, grain: $0.grain?.conforming(to: subsampling)) },
            origin: origin)
    }

    /// Returns a time in ticks of 100 ns.
    package static func ticks(_ time: MediaTime) -> Int64 { time.ticks(of: Rational(1, ticksPerSecond)) }
}
