internal import Foundation

/// Escapes text for use between tags or in a quoted attribute.
package func htmlText(_ text: String) -> String {
    var safe = ""
    for character in text {
        switch character {
        case "&": safe += "&amp;"
        case "<": safe += "&lt;"
        case ">": safe += "&gt;"
        case "\"": safe += "&quot;"
        case "'": safe += "&#39;"
        default: safe.append(character)
        }
    }
    return safe
}

/// Formats a number with the given number of decimals, independently of the locale; `–` when it is not finite.
func number(_ value: Double, _ decimals: Int) -> String {
    value.isFinite ? String(format: "%.\(decimals)f", value) : "–"
}
