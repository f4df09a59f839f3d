/// Some of an endless row of things, spread evenly over those that came: bounded however many come.
///
/// Keeps every n-th; when there are too many, every second of them goes and n doubles.
struct EvenSample<Element> {
    private(set) var elements: [(position: Int, element: Element)] = []
    private let most: Int
    private var step = 1
    private var count = 0

    /// - Parameter most: kept at most, at least 2; once that many came, at least half of it are.
    init(most: Int) { self.most = max(2, most) }

    /// Takes note of the next one, which is made only if it is kept.
    mutating func append<Failure: Error>(_ make: () throws(Failure) -> Element) throws(Failure) {
        defer { count += 1 }
        guard count.isMultiple(of: step) else { return }
        if elements.count == most {
            step *= 2
            elements.removeAll { !$0.position.isMultiple(of: step) }
            guard count.isMultiple(of: step) else { return }
        }
        elements.append((count, try make()))
    }
}
