internal import Foundation

/// A colour wheel with the figure of its rim, in the lower right corner of a picture.
package struct FlowLegend {
    private let maximum: Float
    private let text: String
    /// Of the wheel, in pixels.
    private let radius: Int
    /// Pixels of a font pixel.
    private let scale: Int
    /// The plate behind it.
    private let left: Int
    private let top: Int
    private let width: Int
    private let height: Int

    /// nil where the picture is too small.
    init?(maximum: Float, width: Int, height: Int) {
        let side = min(width, height)
        guard side >= 96, maximum.isFinite else { return nil }
        self.maximum = maximum
        text = Self.figure(maximum) + " px"
        radius = min(96, side / 10)
        scale = max(1, (radius + 12) / 24)
        let margin = 3 * scale, textWidth = FlowText.width(text) * scale
        self.width = max(2 * radius, textWidth) + 2 * margin
        self.height = 2 * radius + FlowText.height * scale + 3 * margin
        guard self.width <= width / 2, self.height <= height / 2 else { return nil }
        left = width - self.width - margin
        top = height - self.height - margin
    }

    /// `12`, `1.5`: three digits where they are needed, more of a large number, and never an exponent.
    package static func figure(_ value: Float) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        var text = String(format: "%.\(decimals)f", Double(value))
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    func draw(on canvas: inout FlowCanvas) {
        let margin = 3 * scale
        for y in top..<top + height {
            for x in left..<left + width { canvas.blend(.init(repeating: 0.08), x: x, y: y, part: 0.75) }
        }
        let wheel = FlowColorWheel(maximum: Float(radius))
        let center = SIMD2(Float(left) + Float(width) / 2, Float(top + margin + radius))
        for y in top + margin..<top + margin + 2 * radius {
            for x in left..<left + width {
                let offset = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - center
                let away = (offset * offset).sum().squareRoot()
                let part = min(max(Float(radius) + 0.5 - away, 0), 1)
                let inside = away > Float(radius) ? offset * (Float(radius) / away) : offset
                canvas.blend(wheel.color(inside), x: x, y: y, part: part)
            }
        }
        FlowText.draw(
            text, x: left + (width - FlowText.width(text) * scale) / 2, y: top + 2 * radius + 2 * margin, scale: scale,
            color: .one, on: &canvas)
    }
}
