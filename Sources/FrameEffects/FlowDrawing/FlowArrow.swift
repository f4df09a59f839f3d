/// An anti-aliased arrow: a shaft, a head, and a dark outline that makes it visible on any background.
struct FlowArrow {
    var from: SIMD2<Float>
    var to: SIMD2<Float>
    /// Half the width of the shaft, in pixels.
    var radius: Float
    var color: FlowColorWheel.RGB

    private static let rim: FlowColorWheel.RGB = .zero
    private static let rimWidth: Float = 1

    func draw(on canvas: inout FlowCanvas) {
        let along = to - from
        let length = (along * along).sum().squareRoot()
        // An arrow too short for a head is drawn as a dot.
        guard length >= 1 else { return drawDot(on: &canvas) }
        let direction = along / length, side = SIMD2(-direction.y, direction.x)
        let headLength = min(length, radius * 5 + length * 0.12), headWidth = headLength * 0.45
        let neck = to - direction * headLength
        let head = [to, neck + side * headWidth, neck - side * headWidth]
        paint(on: &canvas, reach: [from, to] + head) { point in
            min(
                Self.distance(point, from, neck + direction * min(1, headLength)) - radius,
                Self.distance(point, triangle: head))
        }
    }

    private func drawDot(on canvas: inout FlowCanvas) {
        paint(on: &canvas, reach: [from]) { point in
            let away = point - from
            return (away * away).sum().squareRoot() - radius
        }
    }

    /// - Parameter distance: the signed distance to the outline, negative inside.
    private func paint(
        on canvas: inout FlowCanvas, reach: [SIMD2<Float>], distance: (SIMD2<Float>) -> Float
    ) {
        let margin = radius + Self.rimWidth + 1
        func bounds(_ values: [Float], _ limit: Int) -> ClosedRange<Int>? {
            guard let low = values.min(), let high = values.max(), high + margin >= 0, low - margin < Float(limit)
            else {
                return nil
            }
            // Clamp before the conversion, which traps if the position does not fit an Int.
            return Int(max(0, low - margin))...Int(min(Float(limit - 1), high + margin))
        }
        guard let columns = bounds(reach.map(\.x), canvas.width), let rows = bounds(reach.map(\.y), canvas.height)
        else { return }
        for y in rows {
            for x in columns {
                // Pixels are one unit wide, with their centres half a unit in.
                let d = distance(SIMD2(Float(x) + 0.5, Float(y) + 0.5))
                canvas.blend(Self.rim, x: x, y: y, part: 0.8 * min(max(0.5 + Self.rimWidth - d, 0), 1))
                canvas.blend(color, x: x, y: y, part: min(max(0.5 - d, 0), 1))
            }
        }
    }

    private static func distance(_ p: SIMD2<Float>, _ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
        let ab = b - a, ap = p - a
        let square = (ab * ab).sum()
        let t = square > 0 ? min(max((ap * ab).sum() / square, 0), 1) : 0
        let away = ap - ab * t
        return (away * away).sum().squareRoot()
    }

    /// Returns the signed distance to a triangle, negative inside.
    private static func distance(_ p: SIMD2<Float>, triangle corners: [SIMD2<Float>]) -> Float {
        var nearest = Float.infinity
        var signs: Set<Bool> = []
        for (index, a) in corners.enumerated() {
            let b = corners[(index + 1) % corners.count]
            nearest = min(nearest, distance(p, a, b))
            let (ab, ap) = (b - a, p - a)
            signs.insert(ab.x * ap.y - ab.y * ap.x >= 0)
        }
        return signs.count == 1 ? -nearest : nearest
    }
}
