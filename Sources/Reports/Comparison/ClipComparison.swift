public import FrameCore
internal import Imaging

/// The result of comparing two clips; its size does not grow with their length.
public struct ClipComparison: Sendable {
    /// The metrics of a run of consecutive frames.
    public struct Point: Sendable, Hashable {
        /// The time of the first of these frames in the first clip, relative to the clip's first frame.
        public var time: MediaTime
        /// The number of frames.
        public var count: Int
        /// The mean squared error of each plane, averaged over the frames.
        public var meanSquaredErrors: [Double]
        /// The structural similarity of the first plane, luma or green, averaged over the frames.
        public var ssim: Double
        /// The lowest structural similarity of a single frame.
        public var lowestSSIM: Double
        /// The largest code value of a sample.
        public var peak: Int

        /// The peak signal-to-noise ratio of each plane's average error, in dB; infinite where nothing differs.
        public var psnr: [Double] { meanSquaredErrors.map { PictureMetrics.psnr($0, peak: peak) } }

        /// Returns the metrics of two consecutive runs as one.
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

    /// The number of pairs of frames that were compared.
    public internal(set) var pairs = 0
    /// The number of frames in the first clip without a match.
    public internal(set) var onlyBefore = 0
    /// The number of frames in the second clip without a match, such as interpolated frames.
    public internal(set) var onlyAfter = 0
    /// The number of pairs without any difference.
    public internal(set) var equal = 0
    /// The names of the planes that the metrics are about, such as luma, Cb and Cr; empty when no frames were compared.
    public internal(set) var planeNames: [String] = []
    /// The metrics of all frames together; nil when no frames were compared.
    public internal(set) var whole: Point?
    /// The metrics over time, at most 1000 points.
    public internal(set) var points: [Point] = []
    /// One note for each caveat about the metrics.
    public internal(set) var notes: [Note] = []
    /// The factor by which the second clip stretches time.
    public let stretch: Int

    /// One of the best frames of the second clip, as a JPEG file.
    struct BestFrame: Sendable {
        var time: MediaTime
        var score: Float
        var picture: [UInt8]
    }

    /// The best frames, best first.
    var best: [BestFrame] = []
    /// The pairs to show large, in time order; includes the least similar pair.
    var shown: [PicturePair] = []
    /// The pairs to show small on the seek bar, in time order.
    var strip: [PicturePair] = []
    private var step = 1
    private var pending: Point?

    init(stretch: Int) { self.stretch = stretch }

    /// Adds the metrics of the next pair.
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

    /// Completes the metrics after the last pair.
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

/// A bounded, evenly spread sample of a sequence of unknown length.
///
/// Keeps every n-th element; when there are too many, it drops every second one and doubles n.
struct EvenSample<Element> {
    private(set) var elements: [(position: Int, element: Element)] = []
    private let most: Int
    private var step = 1
    private var count = 0

    /// Creates an empty sample.
    ///
    /// - Parameter most: the maximum number of elements to keep, at least 2; once `most` elements have been seen, at
    ///   least half of `most` are kept.
    init(most: Int) { self.most = max(2, most) }

    /// Counts the next element, and calls `make` only if it will be kept.
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
