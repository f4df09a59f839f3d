import CLibAV
public import FrameCore

/// A part of a clip whose frames are known.
public struct LocatedPart: Sendable {
    /// The part that was asked for.
    public let part: ClipPart
    /// The time of the first frame of the part. If the frames are not known without decoding, the time from which they
    /// count.
    public let start: MediaTime
    /// The time at which the part ends; nil for the clip's end.
    public let end: MediaTime?
    /// The number of the part's first frame in the clip; nil if it is not known without decoding.
    public let firstFrame: Int?
    /// The number of frames in the part; nil if unknown.
    public let frameCount: Int?
    /// The time of the clip's first frame.
    package let clipStart: MediaTime
    let index: FrameIndex?
}

extension MediaReader {
    /// Restricts the reader to a part of its clip: ``stream`` and ``sourceDescription`` then describe the part. Call
    /// before reading the first frame.
    ///
    /// Reads the packets before the end of the part, without decoding, if the input is seekable.
    ///
    /// - Throws: `FrameError` if the part begins after the clip's last frame, or if it holds no frame.
    public func restrict(to part: ClipPart) throws(FrameError) -> LocatedPart {
        let located = try locate(part)
        restrict(to: located)
        return located
    }

    /// Restricts the reader to a part that another reader of the same input has located.
    package func restrict(to part: LocatedPart) {
        self.part = part
        var stream = stream
        stream.frameCount = part.frameCount
        stream.duration =
            part.end.map { $0 - part.start } ?? stream.duration.map { max(.zero, $0 - (part.start - start)) }
        self.stream = stream
    }

    /// Returns the position of a frame of the clip, and its time; nil if a reader cannot start there.
    package func position(ofFrame number: Int, of part: LocatedPart) -> (position: SourcePosition, time: MediaTime)? {
        guard isSeekable, let index = part.index,
            let position = index.position(ofFrame: number, reorderDelay: reorderDelay)
        else { return nil }
        return (position, index.entries[number].time)
    }

    /// Returns the number of the frame nearest to each position; nil for a position after the clip's last frame. Call before
    /// reading the first frame.
    ///
    /// - Throws: `FrameError` if a time cannot be converted, because the input states no frame rate.
    package func frameNumbers(of positions: [ClipPosition]) throws(FrameError) -> [Int?] {
        let index = frameIndex(upTo: .end)
        let rate = stream.nominalFrameRate.flatMap { $0.isPositive ? $0 : nil }
        let count = index?.entries.count ?? stream.frameCount ?? .max
        var numbers: [Int?] = []
        for position in positions {
            let number: Int?
            switch position {
            case .frame(let frame): number = frame
            case .time(let time):
                if let index {
                    number = index.nearestFrame(to: time)
                } else if let rate {
                    number = Int(clamping: (time - start).multiplied(by: rate).ticks(of: Rational(1, 1)))
                } else {
                    throw FrameError(
                        .invalidArgument,
                        "the frame at \(time) s cannot be found, because this input states no frame rate",
                        at: .init(file: input))
                }
            }
            numbers.append(number.flatMap { $0 < count ? $0 : nil })
        }
        return numbers
    }

    /// Returns the time of a position: of a frame, its presentation time. Call before reading the first frame.
    ///
    /// Reads the packets up to a frame, without decoding, if the input is seekable.
    ///
    /// - Throws: `FrameError` if there is no such frame, or if its time is unknown without decoding and the input states no
    ///   frame rate.
    package func time(of position: ClipPosition) throws(FrameError) -> MediaTime {
        guard case .frame = position else { return position.time ?? .zero }
        return try locate(ClipPart(start: position, end: .length(.frame(1)))).start
    }

    /// Returns the number of frames of the clip, or of the part to which the reader is restricted, at most 2³¹ - 1. Reads the
    /// packets, without decoding, if the input is seekable.
    ///
    /// - Throws: `FrameError` if it is not known without decoding.
    package func countFrames() throws(FrameError) -> Int {
        if part == nil, let index = frameIndex(upTo: .end) { return index.entries.count }
        let limit = Int(Int32.max)
        if let count = stream.frameCount, count > 0 { return min(count, limit) }
        if let duration = stream.duration, let rate = stream.nominalFrameRate, rate.isPositive {
            return min(max(1, Int(clamping: duration.multiplied(by: rate).ticks(of: Rational(1, 1)))), limit)
        }
        throw FrameError(.input, "the number of frames is not known without decoding", at: .init(file: input))
    }

    private func locate(_ part: ClipPart) throws(FrameError) -> LocatedPart {
        guard let index = frameIndex(upTo: limit(of: part)) else { return try estimate(part) }
        func number(of position: ClipPosition) -> Int {
            switch position {
            case .frame(let number): number
            case .time(let time): index.firstFrame(at: time)
            }
        }
        let first = part.start.map(number) ?? 0
        guard first < index.entries.count else { throw beyondEnd(part, index) }
        let begin = index.entries[first].time
        // A duration counts from where the part was asked to begin, even if its first frame comes later.
        let origin: MediaTime = if case .time(let time)? = part.start { time } else { begin }
        let last: Int
        var end: MediaTime?
        switch part.end {
        case nil: last = index.entries.count
        case .position(.time(let time)): (last, end) = (number(of: .time(time)), time)
        case .position(.frame(let frame)): last = frame
        case .length(.time(let time)): (last, end) = (number(of: .time(origin + time)), origin + time)
        case .length(.frame(let count)): last = first + min(count, .max / 2)
        }
        if end == nil, part.end != nil, last < index.entries.count {
            end = index.entries[last].time
        }
        guard last > first else {
            throw FrameError(
                .invalidArgument, "the part \(part) holds no frame; the next one is at \(begin) s",
                at: .init(file: input))
        }
        let isCounted = index.isComplete || last < index.entries.count
        return LocatedPart(
            part: part, start: begin, end: end, firstFrame: first,
            frameCount: isCounted ? min(last, index.entries.count) - first : nil, clipStart: start, index: index)
    }

    /// Returns how far packets are read to locate a part.
    private func limit(of part: ClipPart) -> FrameIndex.Limit {
        switch (part.start ?? .frame(0), part.end) {
        case (_, .position(.time(let time))): .time(time)
        case (_, .position(.frame(let number))): .frame(number)
        case (.time(let time), .length(.time(let length))): .time(time + length)
        case (.frame(let number), .length(.frame(let count))): .frame(number &+ count)
        case (.frame(0), .length(.time(let length))): .time(start + length)
        case (.time(let time), nil): .time(time)
        case (.frame(let number), nil): .frame(number)
        // A time after a frame, or the other way round, is known only when that frame has been found.
        case (_, .length): .end
        }
    }

    /// Returns the frames before a limit; nil if they are not known without decoding.
    func frameIndex(upTo limit: FrameIndex.Limit) -> FrameIndex? {
        guard isSeekable, !options.keyFramesOnly, let opened = try? OpenedInput(input, options: options),
            let demuxer = try? Demuxer(opened, options: options)
        else { return nil }
        guard let index = FrameIndex(demuxer, clock: clipClock, upTo: limit), index.entries[0].time == start else {
            return nil
        }
        return index
    }

    private func beyondEnd(_ part: ClipPart, _ index: FrameIndex) -> FrameError {
        let last = index.entries.last?.time ?? start
        return FrameError(
            .invalidArgument,
            "\(part.start ?? .frame(0)) is after the clip's last frame; it has \(index.entries.count) frames, 0f to \(index.entries.count - 1)f, the last at \(last) s",
            at: .init(file: input))
    }

    /// Locates a part by the stated frame rate, in an input that can only be read through.
    private func estimate(_ part: ClipPart) throws(FrameError) -> LocatedPart {
        // Without timestamps, frames are a tick apart.
        let tick = countsFrames ? Rational(stream.timeBase.denominator, stream.timeBase.numerator) : nil
        let rate = (tick ?? stream.nominalFrameRate).flatMap { $0.isPositive ? $0 : nil }
        func time(of position: ClipPosition, after origin: MediaTime) throws(FrameError) -> MediaTime {
            switch position {
            case .time(let time): return time
            case .frame(let number):
                guard let rate, number <= Int(Int32.max) else {
                    throw FrameError(
                        .invalidArgument,
                        "frame \(number) cannot be found, because this input states no frame rate; give a time",
                        at: .init(file: input))
                }
                return origin + MediaTime(value: Int64(number), timescale: 1).divided(by: rate)
            }
        }
        let begin = try part.start.map { position throws(FrameError) in try time(of: position, after: start) } ?? start
        // The first frame at or after that time, if the frames are evenly spaced.
        let onGrid = rate.map { rate in
            start + MediaTime(value: (begin - start).multiplied(by: rate).roundedUp, timescale: 1).divided(by: rate)
        }
        let first = max(onGrid ?? begin, start)
        let end: MediaTime?
        switch part.end {
        case nil: end = nil
        case .position(let position): end = try time(of: position, after: start)
        case .length(let length): end = try begin + time(of: length, after: .zero)
        }
        if let end, end <= first {
            throw FrameError(
                .invalidArgument, "the part \(part) holds no frame; the next one is at \(first) s",
                at: .init(file: input))
        }
        if let duration = stream.duration, first >= start + duration {
            throw FrameError(
                .invalidArgument,
                "\(part.start ?? .time(first)) is after the clip's last frame; it ends at \(start + duration) s",
                at: .init(file: input))
        }
        return LocatedPart(
            part: part, start: first, end: end, firstFrame: nil, frameCount: nil, clipStart: start, index: nil)
    }
}

extension MediaTime {
    /// Returns the number of ticks of `base`, rounded up.
    fileprivate func ticksUp(of base: Rational) -> Int64 {
        let ticks = ticks(of: base)
        return MediaTime(ticks: ticks, base: base) < self ? ticks + 1 : ticks
    }

    /// Whole seconds, rounded up.
    fileprivate var roundedUp: Int64 { ticksUp(of: Rational(1, 1)) }

    fileprivate func divided(by rate: Rational) -> MediaTime {
        multiplied(by: Rational(rate.denominator, rate.numerator))
    }
}
