internal import FrameAnalysis

/// Score over time as a drawing in a page.
enum ScorePlot {
    private static let width = 1000.0, height = 220.0, left = 44.0, right = 12.0, top = 12.0, bottom = 28.0

    static func svg(_ selection: ThumbnailSelection) -> String {
        guard let first = selection.looks.first?.time.seconds, let last = selection.looks.last?.time.seconds else {
            return ""
        }
        let span = max(0.001, last - first)
        func x(_ time: Double) -> Double { left + (time - first) / span * (width - left - right) }
        func y(_ score: Double) -> Double { top + (1 - max(-1.5, min(1, score))) / 2.5 * (height - top - bottom) }
        func point(_ time: Double, _ score: Float) -> String { "\(number(x(time), 1)),\(number(y(Double(score)), 1))" }
        var marks = ""
        for score in stride(from: -1.0, through: 1.0, by: 0.5) {
            marks +=
                "<line x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(number(y(score), 1))\" y2=\"\(number(y(score), 1))\" stroke=\"#ddd\"/><text x=\"6\" y=\"\(number(y(score) + 4, 1))\">\(number(score, 1))</text>"
        }
        for part in 0...5 {
            let time = first + span * Double(part) / 5
            marks +=
                "<text x=\"\(number(x(time) - 14, 1))\" y=\"\(number(height - 8, 1))\">\(number(time, 1)) s</text>"
        }
        for cut in selection.cuts where cut.seconds >= first && cut.seconds <= last {
            let place = number(x(cut.seconds), 1)
            marks +=
                "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"\(top)\" y2=\"\(number(height - bottom, 1))\" stroke=\"#c9a\" stroke-dasharray=\"2 3\"/>"
        }
        let scores = selection.looks.map { point($0.time.seconds, $0.score) }.joined(separator: " ")
        let ranks = selection.looks.map { point($0.time.seconds, $0.rank) }.joined(separator: " ")
        var picks = ""
        for (index, pick) in selection.picks.enumerated() {
            let (px, py) = (x(pick.time.seconds), y(Double(pick.rank)))
            picks +=
                "<circle cx=\"\(number(px, 1))\" cy=\"\(number(py, 1))\" r=\"6\" fill=\"#2a9d4a\"/><text x=\"\(number(px + 8, 1))\" y=\"\(number(py - 6, 1))\" font-weight=\"bold\">\(index + 1)</text>"
        }
        return """
            <svg viewBox="0 0 \(Int(width)) \(Int(height))" font-size="11" font-family="sans-serif" role="img" aria-label="score over time">\(marks)<polyline points="\(scores)" fill="none" stroke="#aac4de" stroke-width="1.5"/><polyline points="\(ranks)" fill="none" stroke="#3465a4" stroke-width="1.5"/>\(picks)</svg>
            <p>Light line: the frame by itself. Dark line: less what its neighbours say against it. Dashed: cuts. Dots: picks.</p>
            """
    }
}
