internal import Foundation

/// A number with so many decimals, in the C locale.
func number(_ value: Double, _ decimals: Int) -> String {
    value.isFinite ? String(format: "%.\(decimals)f", value) : "–"
}
