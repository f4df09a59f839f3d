import Motion
import Testing

/// The searches leave positions out that cannot win; these search all of them.
@Suite struct BlockSearchTests {
    /// Planes that are smooth, noisy or flat, so that bounds are tight, loose or equal.
    private func plane(_ kind: Int, width: Int, height: Int, seed: UInt64) -> DownscaledPlane {
        var random = Random(seed: seed)
        let phase = Int(random.next() % 64)
        let values = (0..<width * height).map { index -> Int16 in
            let (x, y) = (index % width, index / width)
            return switch kind {
            case 0: Int16(random.next() % 1021)
            case 1: Int16((x * 7 + y * 5 + phase) % 1021)
            default: Int16(400 + phase + (x / 9 + y / 7) % 2 * 100)
            }
        }
        return DownscaledPlane(width: width, height: height, values: values)
    }

    private func difference(_ a: DownscaledPlane, _ x: Int, _ y: Int, _ b: DownscaledPlane, _ u: Int, _ v: Int) -> Int32
    {
        var sum: Int32 = 0
        for j in 0..<8 {
            for i in 0..<8 {
                sum += abs(Int32(a.values[(y + j) * a.width + x + i]) - Int32(b.values[(v + j) * b.width + u + i]))
            }
        }
        return sum
    }

    @Test(arguments: 0..<3, [(8, 8), (16, 9), (41, 23)])
    func theBestMatchIsThatOfAFullSearch(kind: Int, size: (Int, Int)) {
        for seed in 1...4 as ClosedRange<UInt64> {
            let a = plane(kind, width: size.0, height: size.1, seed: seed)
            let b = plane(kind, width: size.0, height: size.1, seed: seed + 100)
            let sums = b.blockSums
            for y in 0..<size.1 - 7 {
                for x in 0..<size.0 - 7 {
                    #expect(y * (size.0 - 7) + x < sums.count)
                    let centers: [SIMD2<Int>] = [.zero, SIMD2(3, -2)]
                    let found = b.bestMatch(
                        of: a, x: x, y: y, centers: centers, radius: 4, goodEnough: -1, sums: sums)
                    var best: (vector: SIMD2<Int>, cost: Int32)?
                    func consider(_ vector: SIMD2<Int>) {
                        let (u, v) = (x + vector.x, y + vector.y)
                        guard u >= 0, v >= 0, u <= size.0 - 8, v <= size.1 - 8 else { return }
                        let cost = difference(a, x, y, b, u, v)
                        if best.map({ cost < $0.cost }) ?? true { best = (vector, cost) }
                    }
                    centers.forEach(consider)
                    for center in centers {
                        for dy in -4...4 { for dx in -4...4 { consider(center &+ SIMD2(dx, dy)) } }
                    }
                    #expect(found?.vector == best?.vector && found?.cost == best?.cost)
                }
            }
        }
    }

    @Test(arguments: 0..<3, [(2, 2), (7, 5), (32, 18)])
    func theMotionOfTheFrameIsThatOfAFullSearch(kind: Int, size: (Int, Int)) {
        let (w, h) = size
        for seed in 1...6 as ClosedRange<UInt64> {
            let a = plane(kind, width: w, height: h, seed: seed)
            let b = seed == 6 ? a : plane(kind, width: w, height: h, seed: seed + 100)
            var best = (cost: Int32.max, vector: SIMD2<Int>.zero)
            for dy in -(h * 5 / 8)...(h * 5 / 8) {
                for dx in -(w * 5 / 8)...(w * 5 / 8) {
                    var (sum, area): (Int32, Int32) = (0, 0)
                    for y in max(0, -dy)..<min(h, h - dy) {
                        for x in max(0, -dx)..<min(w, w - dx) {
                            sum += abs(Int32(a.values[y * w + x]) - Int32(b.values[(y + dy) * w + x + dx]))
                            area += 1
                        }
                    }
                    guard area > 0 else { continue }
                    let penalty = Int32(4 * (w * h - Int(area)) / (w * h))
                    let cost = sum * 64 / area * (8 + penalty) / 8
                    let nearer = abs(dx) + abs(dy) < (abs(best.vector.x) + abs(best.vector.y)) / 4
                    if cost < best.cost || cost == best.cost && nearer { best = (cost, SIMD2(dx * 4, dy * 4)) }
                }
            }
            #expect(globalMotion(from: a, to: b, factor: 4) == best.vector)
        }
    }
}
