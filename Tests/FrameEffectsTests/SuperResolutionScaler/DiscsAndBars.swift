/// A picture for networks that enlarge: discs and bars with soft borders.
enum DiscsAndBars {
    /// Returns the level of a sample, the mean of four by four places.
    static func level(_ x: Int, _ y: Int) -> Int {
        var sum = 0
        for v in 0..<4 {
            for u in 0..<4 {
                let px = 4 * x + u, py = 4 * y + v
                let dx = px % 160 - 80, dy = py % 160 - 80
                let inside = dx * dx + dy * dy < 3600, bar = (px + py / 3) % 96 < 20
                sum += inside ? (bar ? 90 : 200) : (bar ? 140 : 60)
            }
        }
        return sum / 16
    }
}
