internal import Glibc

/// Where a viewer looks first, on a square grid stretched over the picture.
///
/// Combines cues without a trained model: how much a place is surrounded (``BooleanMaps``), how much texture it has, how
/// much it differs from its surroundings (in light, color and texture, at three scales), how much it differs from the
/// picture's border, and how close it is to the center. The weights were set on half of 100 photographs with known
/// fixations, November 2026 (`Tests/Measurements/FrameAnalysis/fixations.py`).
struct AttentionMap: Sendable {
    static let side = 64

    /// Attention, 0…1, with the peak at 1; all 0 for a uniform picture.
    let attention: FloatPlane
    /// A smoother map from the same cues, with less center bias and more weight on the difference from the border: how
    /// much a place stands out from the background as an object.
    let objectness: FloatPlane

    init(_ picture: AnalysisPicture) {
        let side = Self.side
        let channels = Self.channels(picture)
        let aspect = Float(picture.luma.width) / Float(picture.luma.height)
        let surround = Self.centerSurround(channels, aspect: aspect)
        let ground = Self.groundDistance(channels)
        let surrounded = Self.normalized(BooleanMaps(Array(channels[..<3]), side: side).surroundedness)
        let texture = Self.normalized(channels[3].boxMeans(rx: 2, ry: 2))
        var attention = FloatPlane(width: side, height: side), objects = attention
        for y in 0..<side {
            for x in 0..<side {
                let dx = (Float(x) + 0.5) / Float(side) - 0.5, dy = (Float(y) + 0.5) / Float(side) - 0.5
                func middle(_ deviation: Float) -> Float { exp(-(dx * dx + dy * dy) / (2 * deviation * deviation)) }
                let (b, t) = (surrounded[x, y], texture[x, y])
                let (s, g) = (surround[x, y], ground[x, y])
                let cues = b + 0.5 * t + 0.25 * s
                attention[x, y] = (0.1 + 0.9 * middle(0.22)) * cues * cues.squareRoot()
                objects[x, y] = (0.4 + 0.6 * middle(0.28)) * (b + 0.25 * (t + s + g))
            }
        }
        self.attention = Self.normalized(attention.boxMeans(rx: 1, ry: 1))
        objectness = Self.normalized(objects.boxMeans(rx: 2, ry: 2).boxMeans(rx: 1, ry: 1))
    }

    /// Luma, two color differences and texture, scaled to comparable units.
    private static func channels(_ picture: AnalysisPicture) -> [FloatPlane] {
        let light = picture.luma.reduced(width: side, height: side)
        var steps = FloatPlane(width: picture.luma.width, height: picture.luma.height)
        let f = picture.luma
        for y in 1..<f.height {
            for x in 1..<f.width {
                let value = f[x, y]
                steps[x, y] = abs(value - f[x - 1, y]) + abs(value - f[x, y - 1])
            }
        }
        var texture = steps.reduced(width: side, height: side)
        for index in texture.values.indices { texture.values[index] = 16 * log2(1 + texture.values[index]) }
        func color(_ plane: FloatPlane) -> FloatPlane {
            var out = plane.reduced(width: side, height: side)
            for index in out.values.indices { out.values[index] *= 2 }
            return out
        }
        return [light, color(picture.chroma.blue), color(picture.chroma.red), texture]
    }

    /// Returns the distance between the means of a small and a wide neighbourhood, summed over three scales.
    private static func centerSurround(_ channels: [FloatPlane], aspect: Float) -> FloatPlane {
        var sum = FloatPlane(width: side, height: side)
        for (center, around) in [(1, 7), (2, 12), (4, 20)] {
            var distance = FloatPlane(width: side, height: side)
            for plane in channels {
                let ry = { (r: Int) -> Int in max(1, Int((Float(r) * max(1, aspect)).rounded())) }
                let rx = { (r: Int) -> Int in max(1, Int((Float(r) * max(1, 1 / aspect)).rounded())) }
                let inner = plane.boxMeans(rx: rx(center), ry: ry(center))
                let outer = plane.boxMeans(rx: rx(around), ry: ry(around))
                for index in distance.values.indices {
                    let d = inner.values[index] - outer.values[index]
                    distance.values[index] += d * d
                }
            }
            for index in distance.values.indices { distance.values[index] = distance.values[index].squareRoot() }
            let normal = normalized(distance)
            // A map with a single peak is more informative than one with many.
            let weight = (1 - normal.mean) * (1 - normal.mean)
            for index in sum.values.indices { sum.values[index] += weight * normal.values[index] }
        }
        return normalized(sum)
    }

    /// Returns the distance from the colors and textures along the picture's four sides: a weighted mean of the two
    /// smallest, so that an object that touches one side still stands out.
    private static func groundDistance(_ channels: [FloatPlane]) -> FloatPlane {
        let strip = 4
        let sides: [(x: Range<Int>, y: Range<Int>)] = [
            (0..<side, 0..<strip), (0..<side, side - strip..<side), (0..<strip, 0..<side),
            (side - strip..<side, 0..<side),
        ]
        var distances: [FloatPlane] = []
        for edge in sides {
            var total = FloatPlane(width: side, height: side)
            for plane in channels {
                var (sum, squares): (Float, Float) = (0, 0)
                for y in edge.y {
                    for x in edge.x {
                        sum += plane[x, y]
                        squares += plane[x, y] * plane[x, y]
                    }
                }
                let count = Float(edge.x.count * edge.y.count)
                let mean = sum / count
                let variance = max(0, squares / count - mean * mean) + 60
                for index in total.values.indices {
                    let d = plane.values[index] - mean
                    total.values[index] += d * d / variance
                }
            }
            distances.append(total)
        }
        var out = FloatPlane(width: side, height: side)
        for index in out.values.indices {
            let sorted = distances.map { $0.values[index] }.sorted()
            let distance = (0.7 * sorted[0] + 0.3 * sorted[1]).squareRoot()
            out.values[index] = 1 - exp(-distance / 3)
        }
        return normalized(out)
    }

    /// The plane scaled to 0…1; a uniform plane becomes 0.
    private static func normalized(_ plane: FloatPlane) -> FloatPlane {
        guard let least = plane.values.min(), let most = plane.values.max(), most - least > 1e-4 else {
            return FloatPlane(width: plane.width, height: plane.height)
        }
        var out = plane
        let scale = 1 / (most - least)
        for index in out.values.indices { out.values[index] = (out.values[index] - least) * scale }
        return out
    }
}
