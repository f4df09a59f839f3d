public import FrameCore

/// Generated frames with a keyframe at regular intervals, to which seeking goes.
///
/// `@unchecked Sendable`: the position is accessed by one thread at a time, as ``FrameSource`` requires.
public final class SeekableGeneratedSource: SeekableFrameSource, @unchecked Sendable {
    public let stream: VideoStreamDescription
    public let damage = DamageReport()
    public let isSeekable: Bool
    private let count: Int
    private let keyInterval: Int
    private let step: MediaTime
    private let start: MediaTime
    private let picture: @Sendable (Int) throws -> Frame
    private var position = 0
    /// Counts the frames decoded by all sources that share it.
    public let decoded: Counter

    public final class Counter: Sendable {
        private let value = Lock(0)
        public init() {}
        public var count: Int { value.withLock { $0 } }
        public func add() { value.withLock { $0 += 1 } }
    }

    public init(
        count: Int, keyInterval: Int = 10, step: MediaTime = MediaTime(value: 1, timescale: 25),
        start: MediaTime = .zero, isSeekable: Bool = true, stream: VideoStreamDescription? = nil,
        decoded: Counter = Counter(), picture: @escaping @Sendable (Int) throws -> Frame
    ) {
        self.count = count
        self.keyInterval = keyInterval
        self.step = step
        self.start = start
        self.isSeekable = isSeekable
        self.picture = picture
        self.decoded = decoded
        self.stream =
            stream ?? VideoStreamDescription(format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 1000))
    }

    /// Creates a source whose frame `n` is grey with brightness 20 + 2n, so that each frame identifies itself.
    public static func numbered(
        _ count: Int, keyInterval: Int = 10, start: MediaTime = .zero, isSeekable: Bool = true,
        decoded: Counter = Counter()
    ) -> SeekableGeneratedSource {
        SeekableGeneratedSource(
            count: count, keyInterval: keyInterval, start: start, isSeekable: isSeekable, decoded: decoded
        ) { number in
            Frame(
                buffer: try GeneratedPicture.flat(20 + 2 * number, width: 64, height: 48), presentationTime: .zero,
                color: ColorDescription(matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited))
        }
    }

    public func nextFrame() throws -> Frame? {
        guard position < count else { return nil }
        defer { position += 1 }
        decoded.add()
        var frame = try picture(position)
        frame.presentationTime = start + step.multiplied(by: Rational(Int32(position), 1))
        frame.duration = step
        return frame
    }

    public func seek(to time: MediaTime) throws {
        guard isSeekable else { throw FrameError(.input, "this source cannot seek") }
        var index = 0
        while index + 1 < count, start + step.multiplied(by: Rational(Int32(index + 1), 1)) <= time { index += 1 }
        position = index / keyInterval * keyInterval
    }
}

/// Returns the index of a frame from ``SeekableGeneratedSource/numbered(_:keyInterval:start:isSeekable:decoded:)``.
public func number(_ picture: StillPicture) -> Int {
    (Int(picture.frame.buffer.samples(ofPlane: 0)[0]) - 20) / 2
}

public func milliseconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1000) }
