internal import FrameCore
internal import MediaIO
internal import Pipeline
internal import Reports

/// The frames of the two clips of a comparison.
struct ComparedSides {
    private(set) var before: any FrameSource
    private(set) var after: any FrameSource
    /// The factor by which the second clip stretches time; nil if the lengths of both decide.
    let stretch: Int?
    /// The time in the second clip that matches the first frame of the first; nil for its first frame.
    let afterStart: MediaTime?

    /// Times in containers are rounded to a millisecond, so a matching frame may come this much earlier.
    private static let rounding = MediaTime(value: 2, timescale: 1000)

    /// - Parameters:
    ///   - first: a reader of the first clip that has not returned any frame yet.
    ///   - second: a reader of the second clip that has not returned any frame yet.
    ///   - part: the part of the first clip; nil for all of it.
    ///   - stretch: the factor by which the second clip stretches time; nil if it was not stated.
    ///   - options: how the clips are read.
    /// - Throws: `FrameError` if one of the clips has no such part.
    init(
        _ first: MediaReader, _ second: MediaReader, part: ClipPart?, stretch: Int?, options: MediaReaderOptions
    ) throws {
        guard let part else {
            (before, after, self.stretch, afterStart) = (first, second, stretch, nil)
            return
        }
        let whole = first.stream
        let partOfFirst = try PartReader(first, part: part)
        before = partOfFirst
        let found = stretch ?? (try? ClipComparer.stretch(from: whole, to: second.stream))
        var isOfPart = Self.isOfPart(partOfFirst.stream, of: whole, second.stream, stretch: found)
        if stretch == nil, let found,
            let ofPart = try? ClipComparer.stretch(from: partOfFirst.stream, to: second.stream),
            let moments = ComparedMoments(first.input, second.input, options),
            let differs = Self.differences(moments, first, second, partOfFirst.part, whole: found, part: ofPart)
        {
            isOfPart = differs.part < differs.whole
        }
        guard !isOfPart, let factor = found else {
            (after, self.stretch, afterStart) = (second, stretch, nil)
            return
        }
        let scale = Rational(Int32(factor), 1), located = partOfFirst.part
        let start = second.start + (located.start - located.clipStart).multiplied(by: scale)
        let end = located.end.map { second.start + ($0 - located.clipStart).multiplied(by: scale) - Self.rounding }
        let wanted = try ClipPart(
            start: .time(max(second.start, start - Self.rounding)), end: end.map { .position(.time($0)) })
        after = try PartReader(second, part: wanted)
        (self.stretch, afterStart) = (factor, start)
    }

    /// Returns the same clips with progressive frames in place of interlaced ones.
    ///
    /// - Parameters:
    ///   - first: which frames of the first clip are deinterlaced; nil for none.
    ///   - second: which frames of the second clip are deinterlaced; nil for none.
    ///   - context: the threads and kernels to use.
    func deinterlaced(
        _ first: DeinterlacePass.Fields?, _ second: DeinterlacePass.Fields?, _ context: ExecutionContext
    ) throws -> ComparedSides {
        var sides = self
        let options = ConversionOptions(context: context)
        if let first { sides.before = try DeinterlacedSource(before, fields: first, options: options) }
        if let second { sides.after = try DeinterlacedSource(after, fields: second, options: options) }
        return sides
    }

    /// Returns how much the second clip differs from the first if it was made from the whole of it, and if from the part;
    /// nil if the pictures cannot be read.
    private static func differences(
        _ moments: ComparedMoments, _ first: MediaReader, _ second: MediaReader, _ part: LocatedPart,
        whole: Int, part ofPart: Int
    ) -> (whole: Double, part: Double)? {
        guard let length = first.stream.duration, length > .zero else { return nil }
        func difference(_ factor: Int, from origin: MediaTime) throws -> Double {
            try moments.difference(
                at: [Int32(1), 4, 7].map { eighths in
                    let time = part.start + length.multiplied(by: Rational(eighths, 8))
                    return (time, second.start + (time - origin).multiplied(by: Rational(Int32(factor), 1)))
                })
        }
        guard let ofWhole = try? difference(whole, from: part.clipStart),
            let ofPart = try? difference(ofPart, from: part.start)
        else { return nil }
        return (ofWhole, ofPart)
    }

    /// Whether the second clip was made from the part rather than from the whole of the first clip, going by its length.
    private static func isOfPart(
        _ part: VideoStreamDescription, of whole: VideoStreamDescription, _ second: VideoStreamDescription,
        stretch: Int?
    ) -> Bool {
        guard let part = part.duration?.seconds, let whole = whole.duration?.seconds,
            let second = second.duration?.seconds
        else { return false }
        guard let stretch else { return true }
        return abs(second / Double(stretch) - part) < abs(second / Double(stretch) - whole)
    }
}
