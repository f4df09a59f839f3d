internal import Glibc

/// A color wheel labelled with the motion length at its rim, in the lower right corner of an image.
package struct FlowLegend {
    private let maximum: Float
    private let text: String
    /// The radius of the wheel, in pixels.
    private let radius: Int
    /// The size of a font pixel, in pixels.
    private let scale: Int
    /// The position and size of the background plate, in pixels.
    private let left: Int
    private let top: Int
    private let width: Int
    private let height: Int

    /// Returns nil if the image is too small.
    init?(maximum: Float, width: Int, height: Int) {
        let side = min(width, height)
        guard side >= 96, maximum.isFinite else { return nil }
        self.maximum = maximum
        text = Self.figure(maximum) + " px"
        radius = min(96, side / 10)
        scale = max(1, (radius + 12) / 24)
        let margin = 3 * scale, textWidth = Self.width(of: text) * scale
        self.width = max(2 * radius, textWidth) + 2 * margin
        self.height = 2 * radius + Self.textHeight * scale + 3 * margin
        guard self.width <= width / 2, self.height <= height / 2 else { return nil }
        left = width - self.width - margin
        top = height - self.height - margin
    }

    /// Formats a length such as `12` or `1.5`: up to three significant digits, more for large numbers, and never an
    /// exponent.
    package static func figure(_ value: Float) -> String {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        // Large enough for the 39 digits of the largest Float.
        let characters = Scratch<CChar>(64)
        var text = withVaList([Double(value)]) { arguments in
            vsnprintf(characters.base, characters.count, "%.\(decimals)f", arguments)
            return String(cString: characters.base)
        }
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
        Self.draw(
            text, x: left + (width - Self.width(of: text) * scale) / 2, y: top + 2 * radius + 2 * margin, scale: scale,
            color: .one, on: &canvas)
    }
}

/// Text drawing in a font of 5×7 pixels.
extension FlowLegend {
    private static let textHeight = 7
    private static let advance = 6

    /// Returns the rows of a glyph, with the leftmost pixel in bit 4; nil if the font does not have the character.
    private static func glyph(_ character: Character) -> [UInt8]? {
        switch character {
        case "0": [0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E]
        case "1": [0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E]
        case "2": [0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F]
        case "3": [0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E]
        case "4": [0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02]
        case "5": [0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E]
        case "6": [0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E]
        case "7": [0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08]
        case "8": [0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E]
        case "9": [0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C]
        case ".": [0x00, 0x00, 0x00, 0x00, 0x00, 0x0C, 0x0C]
        case "p": [0x00, 0x00, 0x1E, 0x11, 0x1E, 0x10, 0x10]
        case "x": [0x00, 0x00, 0x11, 0x0A, 0x04, 0x0A, 0x11]
        case " ": [0, 0, 0, 0, 0, 0, 0]
        default: nil
        }
    }

    /// Returns the width in pixels at scale 1.
    private static func width(of text: String) -> Int { max(0, text.count * advance - 1) }

    /// Draws `text` with its upper left corner at `x`, `y` and each font pixel `scale` pixels wide.
    private static func draw(
        _ text: String, x: Int, y: Int, scale: Int, color: FlowColorWheel.RGB, on canvas: inout FlowCanvas
    ) {
        for (position, character) in text.enumerated() {
            guard let rows = glyph(character) else { continue }
            for (row, bits) in rows.enumerated() {
                for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
                    for dy in 0..<scale {
                        for dx in 0..<scale {
                            canvas.blend(
                                color, x: x + (position * advance + column) * scale + dx, y: y + row * scale + dy,
                                part: 1)
                        }
                    }
                }
            }
        }
    }
}
