internal import FrameAnalysis
public import FrameCore
internal import Imaging

/// Compares two clips frame by frame, reading both once, side by side.
///
/// Two frames match when they show the same moment: times count from the first frame of each clip, unless stated
/// otherwise, and the times of the second clip are divided by its stretch factor. If sizes or formats differ, the frames of the second clip are
/// converted to those of the first.
public struct ClipComparer {
    /// The maximum size of the pictures shown large, in pixels.
    private static let shownSize = (width: 1280, height: 1280)
    private static let stripSize = (width: 160, height: 160)

    private let before: any FrameSource
    private let after: any FrameSource
    private let afterStart: MediaTime?
    private let encoder: any StillEncoder
    private let context: ExecutionContext
    private var comparison: ClipComparison
    private var shown = EvenSample<ClipComparison.PicturePair>(most: 12)
    private var strip = EvenSample<ClipComparison.PicturePair>(most: 100)
    private var worst: ClipComparison.PicturePair?
    private var resampler: PictureResampler?

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - before: the original clip.
    ///   - after: the processed clip.
    ///   - stretch: the factor, at least 1, by which `after` stretches time; nil derives it from the durations.
    ///   - afterStart: the time in `after` that matches the first frame of `before`; nil for the first frame of `after`.
    ///   - encoder: encodes the pictures for the report.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` when the ratio of the durations is not a whole number and no factor was given.
    public init(
        before: any FrameSource, after: any FrameSource, stretch: Int? = nil, afterStart: MediaTime? = nil,
        encoder: any StillEncoder, context: ExecutionContext = .serial
    ) throws(FrameError) {
        if let stretch, !(1...Self.mostStretch).contains(stretch) {
            throw FrameError(
                .invalidArgument,
                "a stretch of \(stretch) is not allowed; it must be a whole number from 1 to \(Self.mostStretch)")
        }
        self.before = before
        self.after = after
        self.afterStart = afterStart
        self.encoder = encoder
        self.context = context
        if let stretch {
            comparison = ClipComparison(stretch: stretch)
        } else if let found = try Self.stretch(from: before.stream, to: after.stream) {
            comparison = ClipComparison(stretch: found)
        } else {
            comparison = ClipComparison(stretch: 1)
            comparison.notes.append(
                Note(
                    "stretch-assumed",
                    "a clip does not say how long it is, so time is taken as not stretched (--stretch)"))
        }
    }

    /// The largest factor by which time may be stretched.
    package static let mostStretch = 1000

    /// Derives the stretch factor from the durations of both clips; nil when a duration is unknown.
    package static func stretch(
        from before: VideoStreamDescription, to after: VideoStreamDescription
    ) throws(FrameError) -> Int? {
        guard let a = before.duration?.seconds, let b = after.duration?.seconds, a > 0, b > 0 else { return nil }
        let ratio = b / a, whole = max(1, min(Double(mostStretch), ratio.rounded()))
        // The last frame may be shown longer or shorter than the others, which matters in short clips.
        let slack = 1.5 * ((before.nominalFrameRate?.doubleValue).map { $0 > 0 ? 1 / $0 : 0 } ?? 0.05) / a
        guard abs(ratio / whole - 1) <= 0.02 + slack else {
            throw FrameError(
                .invalidArgument,
                "the clips last \(seconds(a)) and \(seconds(b)) s, which is not a whole multiple; state how many times longer the second clip is (--stretch), 1 if it is not"
            )
        }
        return Int(whole)
    }

    private static func seconds(_ value: Double) -> String { number(value, 3) }

    /// Runs the comparison.
    ///
    /// - Parameter progress: called from time to time with the time reached in the first clip; returning false stops
    ///   the comparison.
    /// - Throws: errors from the sources, `FrameError` when no frames match or the pictures are too small, and
    ///   `CancellationError`.
    public mutating func run(progress: (MediaTime) -> Bool = { _ in true }) throws -> ClipComparison {
        var left = try before.nextFrame(), right = try after.nextFrame()
        guard let firstLeft = left?.presentationTime, let firstRight = right?.presentationTime else {
            throw FrameError(.input, "the \(left == nil ? "first" : "second") clip has no video frames")
        }
        let startRight = afterStart ?? firstRight
        try requireSameOrientation()
        noteColors()
        var selector = try ThumbnailSelector(.init(count: 3, duration: after.stream.duration, start: firstRight))
        let shrink = Rational(1, Int32(comparison.stretch))
        var interval = before.stream.nominalFrameRate.flatMap { $0.isPositive ? 1 / $0.doubleValue : nil } ?? 0.04
        while let a = left, let b = right {
            let (ta, tb) = (
                a.presentationTime - firstLeft, (b.presentationTime - startRight).multiplied(by: shrink)
            )
            let difference = (tb - ta).seconds
            if abs(difference) <= tolerance(interval) {
                guard progress(ta) else { throw CancellationError() }
                try compare(a, b, at: ta)
                try selector.append(b)
                (left, right) = (try before.nextFrame(), try after.nextFrame())
            } else if difference > 0 {
                comparison.onlyBefore += 1
                left = try before.nextFrame()
            } else {
                comparison.onlyAfter += 1
                try selector.append(b)
                right = try after.nextFrame()
            }
            if let next = left, next.presentationTime > a.presentationTime {
                interval = min(interval * 4, (next.presentationTime - a.presentationTime).seconds)
            }
        }
        while left != nil {
            comparison.onlyBefore += 1
            left = try before.nextFrame()
        }
        while let frame = right {
            comparison.onlyAfter += 1
            try selector.append(frame)
            right = try after.nextFrame()
        }
        return try finished(try selector.finish(), start: startRight)
    }

    /// How far apart the times of matching frames may be, in seconds: the rounding of both clips' time bases and of a
    /// millisecond clock in between, but never so much that a frame could match two others.
    private func tolerance(_ interval: Double) -> Double {
        func rounding(_ stream: VideoStreamDescription) -> Double {
            let tick = stream.timeBase.doubleValue
            // A time base as coarse as the frame interval counts frames and rounds nothing.
            return tick < interval / 3 ? tick : 0
        }
        let rounded = rounding(before.stream) + rounding(after.stream) / Double(comparison.stretch)
        return min(max(rounded, 0.0011), 0.45 * interval / Double(comparison.stretch))
    }

    /// Throws when the clips are stored in different orientations, because then their pixels do not correspond.
    private func requireSameOrientation() throws(FrameError) {
        let (a, b) = (
            PictureOrientation(displayMatrix: before.stream.displayMatrix),
            PictureOrientation(displayMatrix: after.stream.displayMatrix)
        )
        guard a == b else {
            throw FrameError(
                .input,
                "the clips are stored in different orientations (EXIF \(a.rawValue) and \(b.rawValue)), so their pixels cannot be compared; rotate one to match the other"
            )
        }
    }

    private mutating func finished(
        _ selection: ThumbnailSelection, start: MediaTime
    ) throws(FrameError) -> ClipComparison {
        guard comparison.pairs > 0 else {
            throw FrameError(
                .input,
                "no frame of one clip has the same time as a frame of the other, with time stretched \(comparison.stretch) times"
            )
        }
        comparison.finish()
        comparison.best = try bestFrames(selection, start: start)
        var pairs = shown.elements.map(\.element)
        if let worst, !pairs.contains(where: { $0.time == worst.time }) { pairs.append(worst) }
        comparison.shown = pairs.sorted { $0.time < $1.time }
        comparison.strip = strip.elements.map(\.element)
        return comparison
    }

    /// Encodes the best frames of the second clip.
    ///
    /// - Parameter start: the start of the clip; all times of a comparison count from there.
    private func bestFrames(
        _ selection: ThumbnailSelection, start: MediaTime
    ) throws(FrameError) -> [ClipComparison.BestFrame] {
        let rendering = FrameRenderer(stream: after.stream, options: RenderingOptions())
        var frames: [ClipComparison.BestFrame] = []
        for pick in selection.picks {
            guard let preview = selection.looks.first(where: { $0.time == pick.time })?.preview else { continue }
            let frame = Frame(
                buffer: preview.buffer, presentationTime: pick.time, color: preview.color,
                sampleAspectRatio: after.stream.sampleAspectRatio)
            let file = try encoder.encode(
                try rendering.picture(of: frame), as: .jpeg, options: StillOptions(quality: 88))
            frames.append(.init(time: pick.time - start, score: pick.score, picture: file.bytes))
        }
        return frames
    }

    private mutating func noteColors() {
        let (a, b) = (before.stream, after.stream)
        if (a.width, a.height) != (b.width, b.height) {
            comparison.notes.append(
                Note(
                    "sizes-differ",
                    "sizes differ: the figures compare \(b.width)x\(b.height) brought to \(a.width)x\(a.height)"))
        }
        if a.format != b.format {
            comparison.notes.append(
                Note("formats-differ", "formats differ: the figures compare \(b.format) brought to \(a.format)"))
        }
        let (p, q) = (a.color.resolved(height: a.height), b.color.resolved(height: b.height))
        if p.range != q.range || p.transfer != q.transfer || p.matrix != q.matrix {
            comparison.notes.append(
                Note("colors-differ", "color descriptions differ: the figures compare code values as they are"))
        }
    }

    private mutating func compare(_ a: Frame, _ b: Frame, at time: MediaTime) throws(FrameError) {
        let (first, second) = try comparable(a, b)
        comparison.planeNames = first.buffer.format.planeNames
        let metrics = try PictureMetrics(of: first.buffer, and: try fitted(second, to: first))
        comparison.append(metrics, at: time)
        let make = { [before, after, encoder, context] (size: (width: Int, height: Int)) throws(FrameError) in
            try Self.pair(a, b, before.stream, after.stream, size, metrics.ssim, time, encoder, context)
        }
        try shown.append { () throws(FrameError) in try make(Self.shownSize) }
        try strip.append { () throws(FrameError) in try make(Self.stripSize) }
        if metrics.ssim < worst?.ssim ?? 1 { worst = try make(Self.shownSize) }
    }

    /// Returns both frames as they show if one of them has alpha or is RGB and the other is not.
    private func comparable(_ a: Frame, _ b: Frame) throws(FrameError) -> (Frame, Frame) {
        let (p, q) = (a.buffer.format, b.buffer.format)
        if p.colorModel == q.colorModel, p.hasAlpha == q.hasAlpha { return (a, b) }
        return (try a.overGrey(context: context), try b.overGrey(context: context))
    }

    private mutating func fitted(_ b: Frame, to a: Frame) throws(FrameError) -> PixelBuffer {
        let (from, to) = (b.buffer, a.buffer)
        if from.format == to.format, from.width == to.width, from.height == to.height { return from }
        let target = a.color.resolved(height: to.height).chromaLocation
        let resampler: PictureResampler
        if let made = self.resampler, made.source == from.format, made.target == to.format, made.width == to.width,
            made.height == to.height, made.region.width == Double(from.width), made.region.height == Double(from.height)
        {
            resampler = made
        } else {
            resampler = try PictureResampler(
                from: from.format, sourceSize: (from.width, from.height),
                color: b.color.resolved(height: from.height), to: to.format, width: to.width, height: to.height,
                targetLocation: target)
        }
        self.resampler = resampler
        return try resampler.resampled(from, context: context)
    }

    private static func pair(
        _ a: Frame, _ b: Frame, _ before: VideoStreamDescription, _ after: VideoStreamDescription,
        _ size: (width: Int, height: Int), _ ssim: Double, _ time: MediaTime, _ encoder: any StillEncoder,
        _ context: ExecutionContext
    ) throws(FrameError) -> ClipComparison.PicturePair {
        var options = RenderingOptions()
        options.maximumSize = size
        options.context = context
        func file(_ frame: Frame, _ stream: VideoStreamDescription) throws(FrameError) -> (StillPicture, [UInt8]) {
            let picture = try FrameRenderer(stream: stream, options: options).picture(
                of: try frame.overGrey(context: context))
            return (picture, try encoder.encode(picture, as: .jpeg, options: StillOptions(quality: 88)).bytes)
        }
        let (_, left) = try file(a, before), (picture, right) = try file(b, after)
        return ClipComparison.PicturePair(
            time: time, before: left, after: right, width: picture.frame.buffer.width,
            height: picture.frame.buffer.height, ssim: ssim)
    }
}
