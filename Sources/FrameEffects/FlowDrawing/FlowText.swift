/// Figures of a legend in a font of five by seven pixels.
enum FlowText {
    static let height = 7
    private static let advance = 6

    /// Rows of a glyph, the leftmost pixel in bit 4; nil for what the font lacks.
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

    /// Width in pixels at scale 1.
    static func width(_ text: String) -> Int { max(0, text.count * advance - 1) }

    /// Draws `text` with its upper left corner at `x`, `y`, each font pixel `scale` pixels wide.
    static func draw(
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
