public import FrameCore
internal import Imaging

/// What a comparison of two clips came to, in as much memory whatever their length.
public struct ClipComparison: Sendable {
    /// Figures of a stretch of frames.
    public struct Point: Sendable, Hashable {
        /// When the first of them is shown in the clip before, counted from its first frame.
        public var time: MediaTime
        /// Frames.
        public var count: Int
        /// Mean squared error of each plane, averaged.
        public var meanSquaredErrors: [Double]
        /// Structural similarity, averaged.
        public var ssim: Double
        /// The least similar frame's.
        public var lowestSSIM: Double
        /// Largest code value.
        public var peak: Int

        /// Peak signal-to-noise ratio of each plane's average error in dB; infinite where nothing differs.
        public var psnr: [Double] { meanSquaredErrors.map { PictureMetrics.psnr($0, peak: peak) } }

        /// Both stretches as one.
        func joined(_ next: Point) -> Point {
            let whole = Double(count + next.count), (a, b) = (Double(count) / whole, Double(next.count) / whole)
            var joined = self
            joined.count += next.count
            joined.meanSquaredErrors = zip(meanSquaredErrors, next.meanSquaredErrors).map { a * $0 + b * $1 }
            joined.ssim = a * ssim + b * next.ssim
            joined.lowestSSIM = min(lowestSSIM, next.lowestSSIM)
            return joined
        }
    }

    /// Two pictures of the same moment, as JPEG files.
    struct PicturePair: Sendable {
        var time: MediaTime
        var before: [UInt8]
        var after: [UInt8]
        var width: Int
        var height: Int
        var ssim: Double
    }

    /// Frames that were compared.
    public internal(set) var pairs = 0
    /// Frames of the clip before that have no fellow.
    public internal(set) var onlyBefore = 0
    /// The same for the clip after, e.g. those that were made between.
    public internal(set) var onlyAfter = 0
    /// Pairs without any difference.
    public internal(set) var equal = 0
    /// All frames as one; nil when none was compared.
    public internal(set) var whole: Point?
    /// Figures over time, at most 1000.
    public internal(set) var points: [Point] = []
    /// One sentence for each thing to know about the figures.
    public internal(set) var notes: [String] = []
    /// How often the clip after stretches time.
    public let stretch: Int

    /// A frame of the clip after that stands for it, as a JPEG file.
    struct BestFrame: Sendable {
        var time: MediaTime
        var score: Float
        var picture: [UInt8]
    }

    /// Best first.
    var best: [BestFrame] = []
    /// Shown large, by time; the least similar pair among them.
    var shown: [PicturePair] = []
    /// Shown small on the seek bar, by time.
    var strip: [PicturePair] = []
    private var step = 1
    private var pending: Point?

    init(stretch: Int) { self.stretch = stretch }

    /// Adds the figures of the next pair.
    mutating func append(_ metrics: PictureMetrics, at time: MediaTime) {
        let point = Point(
            time: time, count: 1, meanSquaredErrors: metrics.meanSquaredErrors, ssim: metrics.ssim,
            lowestSSIM: metrics.ssim, peak: metrics.peak)
        pairs += 1
        if metrics.meanSquaredErrors.allSatisfy({ $0 == 0 }) { equal += 1 }
        whole = whole?.joined(point) ?? point
        pending = pending?.joined(point) ?? point
        flush(least: step)
    }

    /// Says that no pair follows.
    mutating func finish() { flush(least: 1) }

    private mutating func flush(least: Int) {
        guard let full = pending, full.count >= least else { return }
        points.append(full)
        pending = nil
        guard points.count > 1000 else { return }
        step *= 2
        points = stride(from: 0, to: points.count, by: 2).map { index in
            index + 1 < points.count ? points[index].joined(points[index + 1]) : points[index]
        }
    }
}

/// Some of an endless row of things, spread evenly over those that came: bounded however many come.
///
/// Keeps every n-th; when there are too many, every second of them goes and n doubles.
struct EvenSample<Element> {
    private(set) var elements: [(position: Int, element: Element)] = []
    private let most: Int
    private var step = 1
    private var count = 0

    /// - Parameter most: kept at most, at least 2; once that many came, at least half of it are.
    init(most: Int) { self.most = max(2, most) }

    /// Takes note of the next one, which is made only if it is kept.
    mutating func append<Failure: Error>(_ make: () throws(Failure) -> Element) throws(Failure) {
        defer { count += 1 }
        guard count.isMultiple(of: step) else { return }
        if elements.count == most {
            step *= 2
            elements.removeAll { !$0.position.isMultiple(of: step) }
            guard count.isMultiple(of: step) else { return }
        }
        elements.append((count, try make()))
    }
}
