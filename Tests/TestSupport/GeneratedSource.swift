public import FrameCore
import Foundation

/// An error thrown deliberately.
public struct DeliberateError: Error, Equatable {
    public var place: String
    public init(_ place: String) { self.place = place }
}

/// A frame source that generates its frames.
///
/// `@unchecked Sendable`: the position is accessed by one thread at a time, as ``FrameSource`` requires.
public final class GeneratedSource: FrameSource, @unchecked Sendable {
    public let stream: VideoStreamDescription
    public var damage = DamageReport()
    private let times: [MediaTime]
    private let durations: [MediaTime?]
    private let picture: @Sendable (Int) throws -> PixelBuffer
    private var position = 0

    /// - Parameters:
    ///   - times: the presentation time of each frame.
    ///   - durations: the duration of each frame; missing entries are nil.
    ///   - picture: returns the samples of a frame; may throw or block.
    public init(
        times: [MediaTime], durations: [MediaTime?] = [], stream: VideoStreamDescription? = nil,
        picture: @escaping @Sendable (Int) throws -> PixelBuffer
    ) {
        self.times = times
        self.durations = durations
        self.picture = picture
        self.stream =
            stream
            ?? VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(1, 1000), frameCount: times.count)
    }

    /// Returns a source of `count` frames at `rate` frames per second, each with its duration.
    public convenience init(
        count: Int, rate: Rational = Rational(25, 1), start: MediaTime = .zero,
        picture: @escaping @Sendable (Int) throws -> PixelBuffer
    ) {
        let step = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        self.init(
            times: (0..<count).map { start + step.multiplied(by: Rational(Int32($0), 1)) },
            durations: Array(repeating: step, count: count),
            stream: VideoStreamDescription(
                format: .yuv420p8, width: 64, height: 48, timeBase: Rational(rate.denominator, rate.numerator),
                nominalFrameRate: rate, frameCount: count, duration: step.multiplied(by: Rational(Int32(count), 1))),
            picture: picture)
    }

    public func nextFrame() throws -> Frame? {
        guard position < times.count else { return nil }
        defer { position += 1 }
        return Frame(
            buffer: try picture(position), presentationTime: times[position],
            duration: position < durations.count ? durations[position] : nil)
    }
}

/// A frame sink that records what it receives.
///
/// `@unchecked Sendable`: all state is accessed only under the mutex.
public final class RecordingSink: FrameSink, Sendable {
    private struct Contents {
        var frames: [Frame] = []
        var segments: [(index: Int, frame: Int)] = []
        var count = 0
        var finishes = 0
        var cancels = 0
        var abandonments = 0
    }

    private let contents = Lock(Contents())
    private let keepsFrames: Bool
    public let resumePoint: ResumePoint
    private let onWrite: @Sendable (Int) throws -> Void
    private let onFinish: @Sendable () throws -> Void

    /// - Parameters:
    ///   - segment: the segment from which frames are due.
    ///   - onWrite: called with a frame's position before it is taken; may throw or block.
    public init(
        keepsFrames: Bool = true, from segment: Int = 0, onWrite: @escaping @Sendable (Int) throws -> Void = { _ in },
        onFinish: @escaping @Sendable () throws -> Void = {}
    ) {
        self.keepsFrames = keepsFrames
        resumePoint = ResumePoint(segment: segment, framesWritten: 0)
        self.onWrite = onWrite
        self.onFinish = onFinish
    }

    public var frames: [Frame] { contents.withLock { $0.frames } }
    /// The numbers of the segments and the positions of their first frames.
    public var segments: [(index: Int, frame: Int)] { contents.withLock { $0.segments } }
    public func abandon() { contents.withLock { $0.abandonments += 1 } }
    public func beginSegment(_ index: Int) { contents.withLock { $0.segments.append((index, $0.count)) } }
    public var count: Int { contents.withLock { $0.count } }
    public var finishes: Int { contents.withLock { $0.finishes } }
    public var cancels: Int { contents.withLock { $0.cancels } }
    public var abandonments: Int { contents.withLock { $0.abandonments } }

    public func addToLastFrame(_ sideData: SideData) {
        contents.withLock { contents in
            guard let last = contents.frames.indices.last else { return }
            contents.frames[last].sideData.entries += sideData.entries
        }
    }

    public func write(_ frame: Frame) throws {
        try onWrite(count)
        contents.withLock { contents in
            contents.count += 1
            if keepsFrames { contents.frames.append(frame) }
        }
    }

    public func finish() throws {
        try onFinish()
        contents.withLock { $0.finishes += 1 }
    }

    public func cancel() { contents.withLock { $0.cancels += 1 } }
}

/// Counts how many buffers are alive, through the owner of borrowed planes.
public final class LivingPictures: Sendable {
    private let state = Lock((alive: 0, peak: 0, made: 0))

    public init() {}
    public var alive: Int { state.withLock { $0.alive } }
    public var peak: Int { state.withLock { $0.peak } }
    public var made: Int { state.withLock { $0.made } }

    /// Returns a copy of `buffer` that counts as alive until its last user releases it.
    public func counted(_ buffer: PixelBuffer) -> PixelBuffer {
        let owner = Owner(buffer: buffer, state: self)
        let planes = buffer.withPlanes { planes in
            (0..<planes.count).map {
                (base: UnsafeMutableRawPointer(mutating: planes[$0].base), stride: planes[$0].stride)
            }
        }
        return PixelBuffer(
            format: buffer.format, width: buffer.width, height: buffer.height, borrowing: planes, owner: owner)
            ?? buffer
    }

    private final class Owner: Sendable {
        let buffer: PixelBuffer
        let state: LivingPictures

        init(buffer: PixelBuffer, state: LivingPictures) {
            self.buffer = buffer
            self.state = state
            state.state.withLock {
                $0.alive += 1
                $0.made += 1
                $0.peak = max($0.peak, $0.alive)
            }
        }

        deinit { state.state.withLock { $0.alive -= 1 } }
    }
}
