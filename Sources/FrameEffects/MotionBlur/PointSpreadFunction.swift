import FrameCore
import Kernels

/// Parameters of the point spread function. Values without a source were chosen by hand, November 2026.
private enum PointSpreadParameters {
    /// Length of a piece's path, in samples of the plane, below which it counts as a point.
    static let pointLength: Float = 0.75
    /// Weight of a point below which it is left out: less than 2 of the 16384 that all weights add up to.
    static let negligiblePoint: Float = 0.0001
    /// Weight of a crossing, per sample of path, below which it is left out.
    static let negligibleCrossing: Float = 0.000001
}

/// The point spread function of a block: what passes over it during the exposure, as taps.
///
/// A path is sampled at its crossings with whole columns of the plane, or with rows if it is steeper. Each crossing is
/// weighted by the time spent near it. This is a box filter along the path, without gaps at any length.
struct PointSpreadFunction: ~Copyable {
    /// The longest path from a block, in samples; longer paths are cut off. Chosen by hand, November 2026.
    static let reach = 1100
    /// How far outside the plane the block that a tap reads may be, in samples. Chosen by hand, November 2026.
    static let outside = 16

    /// The sum of all weights.
    private static let total = 16384

    /// Weights at the crossings of the path being collected; index ``reach`` is the block itself. All 0 between paths.
    ///
    /// The first property: Swift 6.3 cannot compile changes of its elements for Thread Sanitizer otherwise.
    private let lines = Scratch<Float>(2 * reach + 16, filledWith: 0)
    /// The number of taps.
    private(set) var count = 0
    let taps = Scratch<vfx_motion_blur_tap>(capacity)
    private var sum = 0
    private var block = Place(x: 0, y: 0, width: 0, height: 0, rowLength: 0)

    /// The position of a block in a plane, and how the plane lies in memory, in samples.
    struct Place: Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var rowLength: Int
    }

    /// The maximum number of taps; further ones are dropped. Chosen by hand, November 2026.
    static let capacity = 16 * 1024

    /// Starts the function of a block.
    mutating func begin(_ place: Place) {
        block = place
        count = 0
        sum = 0
    }

    /// Adds the block itself, without motion.
    private mutating func addStill(weight: Float) {
        if weight > 0 { put(source: 0, x: 0, y: 0, step: 0, Int32((weight * Float(Self.total)).rounded()), 0) }
    }

    /// Adds the taps of one half of the exposure.
    ///
    /// - Parameters:
    ///   - plan: the pieces of the half.
    ///   - neighbour: the index of the neighbour among the sources: 1 for the previous frame, 2 for the next.
    ///   - scaleX: horizontal samples of the plane per unit of a vector.
    ///   - scaleY: vertical samples of the plane per unit of a vector.
    ///   - weight: the share of this half in the exposure, 0…1.
    mutating func add(_ plan: ExposurePlan, neighbour: Int, scaleX: Float, scaleY: Float, weight: Float) {
        if plan.isStill {
            addStill(weight: weight)
            return
        }
        let own = plan.pieces, over = own + ExposurePlan.maximumPieces, other = over + ExposurePlan.maximumPieces
        let scale = SIMD2(scaleX, scaleY)
        addRuns(own, plan.counts.own, neighbour, scale, weight)
        addRuns(over, plan.counts.over, neighbour, scale, weight)
        addRuns(other, plan.counts.other, neighbour, scale, weight)
    }

    /// Adds one line for each run of pieces that share a vector.
    private mutating func addRuns(
        _ pieces: UnsafeMutablePointer<ExposurePiece>, _ count: Int, _ neighbour: Int, _ scale: SIMD2<Float>,
        _ weight: Float
    ) {
        var i = 0
        while i < count {
            let first = pieces[i].vector
            var end = i &+ 1
            while end < count && pieces[end].vector == first { end &+= 1 }
            let v = SIMD2(Float(first.x), Float(first.y)) * scale
            addLine(pieces + i, end &- i, v, source: 0, weight)
            addLine(pieces + i, end &- i, v, source: neighbour, weight)
            i = end
        }
    }

    /// Adds the taps of pieces that share the vector `v`, read from one source.
    private mutating func addLine(
        _ pieces: UnsafeMutablePointer<ExposurePiece>, _ count: Int, _ v: SIMD2<Float>, source: Int, _ weight: Float
    ) {
        let steep = abs(v.y) > abs(v.x)
        let major = steep ? v.y : v.x, slope = major == 0 ? 0 : (steep ? v.x : v.y) / major
        let duration = pieces[0].duration, length = abs(major) * duration
        let range =
            length < PointSpreadParameters.pointLength
            ? addPoints(pieces, count, major, source: source, weight)
            : addCrossings(pieces, count, major, source: source, weight)
        guard range.low <= range.high else { return }
        let slope32 = slope * 32
        let stepTo = steep ? 1 : block.rowLength
        for at in range.low...range.high {
            let w = Self.rounded(lines[at] * Float(Self.total))
            lines[at] = 0
            if w == 0 { continue }
            let along = at &- Self.reach
            let across = Int(Self.rounded(Float(along) * slope32)), whole = across >> 5
            let next = (w &* Int32(truncatingIfNeeded: across & 31) &+ 16) >> 5
            put(
                source: Int32(truncatingIfNeeded: source), x: steep ? whole : along, y: steep ? along : whole,
                step: next == 0 ? 0 : stepTo, w &- next, next)
        }
    }

    /// Distributes each piece, as a point at its middle, over the four nearest crossings, so that short paths keep
    /// their exact length.
    @inline(__always)
    private mutating func addPoints(
        _ pieces: UnsafeMutablePointer<ExposurePiece>, _ count: Int, _ major: Float, source: Int, _ weight: Float
    ) -> (low: Int, high: Int) {
        let limit = Float(Self.reach - 4)
        var low = Int.max, high = Int.min
        for i in 0..<count {
            let piece = pieces[i], each = (source == 0 ? piece.here : piece.there) * weight
            if each < PointSpreadParameters.negligiblePoint { continue }
            let way = source == 0 ? -major * piece.time : major * (1 - piece.time)
            let u = max(-limit, min(limit, way)) + Float(Self.reach)
            let at = Int(u), f = u - Float(at), g = 1 - f
            // Cubic convolution of Keys 1981 with a = −1/2.
            lines[at &- 1] += each * -0.5 * f * g * g
            lines[at] += each * (1 + f * f * (1.5 * f - 2.5))
            lines[at &+ 1] += each * (1 + g * g * (1.5 * g - 2.5))
            lines[at &+ 2] += each * -0.5 * g * f * f
            low = min(low, at &- 1)
            high = max(high, at &+ 2)
        }
        return (low, high)
    }

    /// Adds to each crossing the time that each piece spends within half a sample of it.
    @inline(__always)
    private mutating func addCrossings(
        _ pieces: UnsafeMutablePointer<ExposurePiece>, _ count: Int, _ major: Float, source: Int, _ weight: Float
    ) -> (low: Int, high: Int) {
        let limit = Float(Self.reach - 4), half = abs(major) * pieces[0].duration * 0.5, density = weight / (2 * half)
        var low = Int.max, high = Int.min
        for i in 0..<count {
            let piece = pieces[i], each = (source == 0 ? piece.here : piece.there) * density
            if each < PointSpreadParameters.negligibleCrossing { continue }
            let way = source == 0 ? -major * piece.time : major * (1 - piece.time)
            let middle = max(-limit + half, min(limit - half, way)) + Float(Self.reach) + 0.5
            let from = middle - half, to = middle + half
            let first = Int(from), last = Int(to)
            low = min(low, first)
            high = max(high, last)
            if first == last {
                lines[first] += each * (to - from)
                continue
            }
            lines[first] += each * (Float(first &+ 1) - from)
            for at in first &+ 1..<last { lines[at] += each }
            lines[last] += each * (to - Float(last))
        }
        return (low, high)
    }

    /// Rounds to nearest, halves to even, for magnitudes up to 2²¹. Adding 1.5 · 2²³ puts the integer into the lowest
    /// bits, without a range check or a function call.
    @inline(__always)
    private static func rounded(_ v: Float) -> Int32 {
        Int32(bitPattern: (v + 12_582_912).bitPattern &- 0x4B40_0000)
    }

    @inline(__always)
    private mutating func put(source: Int32, x: Int, y: Int, step: Int, _ w: Int32, _ next: Int32) {
        guard count < Self.capacity else { return }
        let px = min(max(block.x &+ x, -Self.outside &- 8), block.width &+ Self.outside)
        let py = min(max(block.y &+ y, -Self.outside &- 8), block.height &+ Self.outside)
        taps[count] = vfx_motion_blur_tap(
            source: source, offset: Int32(truncatingIfNeeded: py &* block.rowLength &+ px),
            step: Int32(truncatingIfNeeded: step), weight: Int16(truncatingIfNeeded: w),
            weight_next: Int16(truncatingIfNeeded: next))
        count &+= 1
        sum &+= Int(w &+ next)
    }

    /// Corrects the heaviest tap so that the weights add up to the total.
    mutating func finish() {
        guard count > 0 else { return }
        var heaviest = 0
        for i in 1..<max(1, count) where taps[i].weight > taps[heaviest].weight { heaviest = i }
        taps[heaviest].weight = Int16(clamping: Int(taps[heaviest].weight) + Self.total - sum)
        sum = Self.total
    }
}
