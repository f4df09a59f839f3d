/// A plot of a metric over time, as SVG in a page.
struct MetricPlot {
    static let width = 1000.0, height = 180.0, left = 80.0, right = 12.0, top = 10.0, bottom = 26.0

    /// A description of the plot for assistive technology.
    var title: String
    /// The range of times, in seconds.
    var span: ClosedRange<Double>
    /// The lines, the most important one last: a color, and the value at each time. Values that are not finite leave a
    /// gap.
    var lines: [(color: String, points: [(time: Double, value: Double)])]
    var decimals: Int

    /// The range of values that the plot shows, rounded outwards.
    private var range: (low: Double, high: Double) {
        let values = lines.flatMap { $0.points.map(\.value) }.filter(\.isFinite)
        guard let low = values.min(), let high = values.max() else { return (0, 1) }
        let margin = max(high - low, abs(high) * 0.01, 1e-6) * 0.08
        return (low - margin, high + margin)
    }

    func svg(id: String) -> String {
        let (low, high) = range, length = max(1e-6, span.upperBound - span.lowerBound)
        func x(_ time: Double) -> String {
            number(Self.left + (time - span.lowerBound) / length * (Self.width - Self.left - Self.right), 1)
        }
        func y(_ value: Double) -> String {
            number(Self.top + (high - value) / (high - low) * (Self.height - Self.top - Self.bottom), 1)
        }
        var marks = ""
        for part in 0...4 {
            let value = low + (high - low) * Double(part) / 4
            marks +=
                "<line class=\"grid\" x1=\"\(number(Self.left, 0))\" x2=\"\(number(Self.width - Self.right, 0))\" y1=\"\(y(value))\" y2=\"\(y(value))\"/><text x=\"\(number(Self.left - 6, 0))\" y=\"\(y(value))\" dy=\"0.35em\" text-anchor=\"end\">\(number(value, decimals))</text>"
        }
        for part in 0...5 {
            let time = span.lowerBound + length * Double(part) / 5
            marks +=
                "<text x=\"\(x(time))\" y=\"\(number(Self.height - 6, 0))\" text-anchor=\"\(part == 5 ? "end" : part == 0 ? "start" : "middle")\">\(number(time, 1)) s</text>"
        }
        var drawn = ""
        if !lines.contains(where: { $0.points.contains { $0.value.isFinite } }) {
            drawn =
                "<text x=\"\(number(Self.width / 2, 0))\" y=\"\(number(Self.height / 2, 0))\" text-anchor=\"middle\">no difference</text>"
        }
        for line in lines {
            for run in line.points.split(whereSeparator: { !$0.value.isFinite }) {
                let points = run.map { "\(x($0.time)),\(y($0.value))" }
                drawn +=
                    points.count == 1
                    ? "<circle cx=\"\(x(run[run.startIndex].time))\" cy=\"\(y(run[run.startIndex].value))\" r=\"2\" fill=\"\(line.color)\"/>"
                    : "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(line.color)\" stroke-width=\"1.5\"/>"
            }
        }
        return
            "<svg id=\"\(id)\" class=\"plot\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" role=\"img\" aria-label=\"\(htmlText(title))\">\(marks)\(drawn)<line class=\"hand\" y1=\"\(number(Self.top, 0))\" y2=\"\(number(Self.height - Self.bottom, 0))\" x1=\"-9\" x2=\"-9\"/></svg>"
    }
}
