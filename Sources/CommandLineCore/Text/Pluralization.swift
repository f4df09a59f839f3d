/// `1 cut`, `2 cuts`.
///
/// - Parameter plural: the noun for other numbers than one; nil adds an s.
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
