/// Measures that distinguish graphics (text, bars, cards) from camera images.
struct TextureMeasures: Sendable {
    /// Fraction of 16 × 16 tiles of ``AnalysisPicture/detail`` that are flat: levels differ by less than 10.
    let flatShare: Float
    /// Fraction of tiles with thin, high-contrast strokes side by side, as in letters.
    let strokeShare: Float
    /// Fraction of the stroke tiles in which the strokes cover clearly less area than their background.
    let strokesOnGround: Float
    /// How dominant one direction of change is: 1 when only rows or only columns differ, as in color bars.
    let barness: Float
    /// Mean horizontal plus vertical step per sample, in 8-bit levels.
    let activity: Float
    /// Fraction of samples within 8 levels of one of the two most common levels.
    let twoToneShare: Float

    init(_ picture: AnalysisPicture) {
        let plane = picture.detail
        let (w, h) = (plane.width, plane.height)
        let tile = 16
        var (flat, tiles, strokes, grounded) = (0, 0, 0, 0)
        var (across, down) = (0.0, 0.0)
        plane.values.withUnsafeBufferPointer { f in
            for ty in stride(from: 0, to: h - tile + 1, by: tile) {
                for tx in stride(from: 0, to: w - tile + 1, by: tile) {
                    var (least, most): (Float, Float) = (255, 0)
                    var crossings = 0
                    var (acrossSum, downSum): (Float, Float) = (0, 0)
                    for y in ty..<ty + tile {
                        for x in tx..<tx + tile {
                            let value = f[y &* w &+ x]
                            least = min(least, value)
                            most = max(most, value)
                            if x > 0 { acrossSum += abs(value - f[y &* w &+ x &- 1]) }
                            if y > 0 { downSum += abs(value - f[y &* w &- w &+ x]) }
                        }
                    }
                    across += Double(acrossSum)
                    down += Double(downSum)
                    tiles += 1
                    if most - least < 10 { flat += 1 }
                    guard most - least > 60 else { continue }
                    // Letters: most samples are close to one of two levels, and rows cross the middle often.
                    let middle = 0.5 * (least + most)
                    let quarter = 0.25 * (most - least)
                    var (near, low) = (0, 0)
                    for y in ty..<ty + tile {
                        var last = f[y &* w &+ tx] > middle
                        for x in tx..<tx + tile {
                            let value = f[y &* w &+ x]
                            if abs(value - middle) > quarter { near += 1 }
                            if value < middle { low += 1 }
                            let now = value > middle
                            if now != last { crossings += 1 }
                            last = now
                        }
                    }
                    let minority = min(low, tile * tile - low)
                    if crossings >= 14, near > tile * tile * 55 / 100 {
                        strokes += 1
                        if minority < tile * tile * 42 / 100 { grounded += 1 }
                    }
                }
            }
        }
        let count = Float(max(1, tiles))
        flatShare = Float(flat) / count
        strokeShare = Float(strokes) / count
        strokesOnGround = Float(grounded) / Float(max(1, strokes))
        activity = Float(across + down) / Float(w * h)
        barness = Float(max(across, down) / (across + down + Double(w * h) * 0.02))
        twoToneShare = Self.twoTone(picture.luma)
    }

    private static func twoTone(_ plane: FloatPlane) -> Float {
        var histogram = [Int](repeating: 0, count: 256)
        for value in plane.values { histogram[max(0, min(255, Int(value + 0.5)))] += 1 }
        func best() -> (level: Int, count: Int) {
            var result = (level: 0, count: -1)
            for level in 0..<256 {
                let sum = histogram[max(0, level - 8)...min(255, level + 8)].reduce(0, +)
                if sum > result.count { result = (level, sum) }
            }
            return result
        }
        let first = best()
        for level in max(0, first.level - 8)...min(255, first.level + 8) { histogram[level] = 0 }
        return Float(first.count + best().count) / Float(max(1, plane.values.count))
    }
}
