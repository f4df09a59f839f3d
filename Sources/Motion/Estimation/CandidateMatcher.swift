import FrameCore
import Kernels

/// Searches for the best match of one 8×8 block: collects candidates and compares them four at a time.
struct CandidateMatcher {
    private let source: UnsafeMutablePointer<UInt8>
    private let target: UnsafeMutablePointer<UInt8>
    private let sourceStride: Int
    private let targetStride: Int
    private let sad4:
        @convention(c) (
            UnsafePointer<UInt8>, Int, UnsafePointer<UInt8>, Int, UnsafePointer<Int>, UnsafeMutablePointer<UInt32>
        ) -> Void
    private let smoothness: Int
    private let width: Int
    private let height: Int

    private var block: UnsafeMutablePointer<UInt8>
    /// The address in the target of the block's own position, that is, of zero motion.
    private var place: UnsafeMutablePointer<UInt8>
    // Allowed displacements in whole samples, which keep the block within the readable margin.
    private var lowest = SIMD2<Int>(0, 0)
    private var highest = SIMD2<Int>(0, 0)
    private var pending: (SIMD2<Int>, SIMD2<Int>, SIMD2<Int>, SIMD2<Int>) = (.zero, .zero, .zero, .zero)
    private var pendingCount = 0

    /// The motion that the neighbours predict; deviation from it adds to the cost.
    var prediction = MotionVector.zero { didSet { centre = SIMD2(Int(prediction.x), Int(prediction.y)) } }
    private var centre = SIMD2<Int>(0, 0)
    private var bestPlace = SIMD2<Int>(0, 0)
    private var bestCost = Int.max
    /// Sum of absolute differences of the best candidate so far.
    private(set) var bestDifference: UInt32 = .max

    /// The best displacement so far.
    var best: MotionVector { MotionVector(truncatingIfNeeded: bestPlace &<< 5) }

    init(source: PaddedPlane, target: PaddedPlane, smoothness: Int) {
        self.source = source.bytes
        self.target = target.bytes
        sourceStride = source.stride
        targetStride = target.stride
        sad4 = kernels.sad_8x8_x4
        self.smoothness = smoothness
        width = target.width
        height = target.height
        block = self.source
        place = self.target
    }

    /// Starts the search for the block whose first sample is at `x`, `y`.
    mutating func begin(x: Int, y: Int) {
        block = source + y * sourceStride + x
        place = target + y * targetStride + x
        let reach = LumaPyramid.blockReach, most = SearchParameters.maximumDisplacement
        lowest = SIMD2(max(-reach - x, -most), max(-reach - y, -most))
        highest = SIMD2(min(width + reach - 8 - x, most), min(height + reach - 8 - y, most))
        bestCost = .max
        bestDifference = .max
        pendingCount = 0
    }

    /// Adds a candidate, rounded to whole samples and clamped to the readable area.
    @inline(__always)
    mutating func consider(_ vector: MotionVector) {
        add(limited(SIMD2<Int>((Int(vector.x) &+ 16) >> 5, (Int(vector.y) &+ 16) >> 5)))
    }

    @inline(__always)
    private func limited(_ v: SIMD2<Int>) -> SIMD2<Int> {
        SIMD2(
            v.x < lowest.x ? lowest.x : v.x > highest.x ? highest.x : v.x,
            v.y < lowest.y ? lowest.y : v.y > highest.y ? highest.y : v.y)
    }

    @inline(__always)
    private mutating func add(_ place: SIMD2<Int>) {
        if bestCost != .max && place == bestPlace { return }
        switch pendingCount {
        case 0: pending.0 = place
        case 1: if place == pending.0 { return }; pending.1 = place
        case 2: if place == pending.0 || place == pending.1 { return }; pending.2 = place
        default: if place == pending.0 || place == pending.1 || place == pending.2 { return }; pending.3 = place
        }
        pendingCount += 1
        if pendingCount == 4 { evaluate() }
    }

    /// Compares the pending candidates. If costs are equal, the earlier candidate wins.
    @inline(__always)
    mutating func evaluate() {
        guard pendingCount > 0 else { return }
        let count = pendingCount
        pendingCount = 0
        let last = pending.0
        if count < 4 { pending.3 = last }
        if count < 3 { pending.2 = last }
        if count < 2 { pending.1 = last }
        var offsets = SIMD4<Int>(
            pending.0.y &* targetStride &+ pending.0.x, pending.1.y &* targetStride &+ pending.1.x,
            pending.2.y &* targetStride &+ pending.2.x, pending.3.y &* targetStride &+ pending.3.x)
        var sums = SIMD4<UInt32>(repeating: 0)
        withUnsafePointer(to: &offsets) { o in
            withUnsafeMutablePointer(to: &sums) { s in
                sad4(
                    block, sourceStride, place, targetStride, UnsafeRawPointer(o).assumingMemoryBound(to: Int.self),
                    UnsafeMutableRawPointer(s).assumingMemoryBound(to: UInt32.self))
            }
        }
        compare(pending.0, sums[0])
        if count > 1 { compare(pending.1, sums[1]) }
        if count > 2 { compare(pending.2, sums[2]) }
        if count > 3 { compare(pending.3, sums[3]) }
    }

    @inline(__always)
    private mutating func compare(_ place: SIMD2<Int>, _ difference: UInt32) {
        let away = (place &<< 5) &- centre
        let distance = min((abs(away.x) &+ abs(away.y)) >> 5, SearchParameters.maximumDeviation)
        let cost = Int(difference) &+ smoothness &* distance
        if cost < bestCost {
            bestCost = cost
            bestPlace = place
            bestDifference = difference
        }
    }

    /// Moves to the best of the four nearest neighbours until none is better or after `steps` moves.
    mutating func descend(steps: Int) {
        for _ in 0..<steps {
            let from = bestPlace
            add(limited(from &+ SIMD2(-1, 0)))
            add(limited(from &+ SIMD2(1, 0)))
            add(limited(from &+ SIMD2(0, -1)))
            add(limited(from &+ SIMD2(0, 1)))
            evaluate()
            if bestPlace == from { return }
        }
    }

    /// Tries every `step`th position in a square of the given radius around the best one.
    mutating func searchWindow(radius: Int, step: Int) {
        let from = bestPlace
        var y = -radius
        while y <= radius {
            var x = -radius
            while x <= radius {
                let place = from &+ SIMD2(x, y)
                if limited(place) == place { add(place) }
                x += step
            }
            y += step
        }
        evaluate()
    }
}
