extension SpeedCurve {
    /// Reads a curve from text: points such as `time:speed`, separated by commas or lines; `#` begins a comment.
    ///
    /// A time is in seconds (`2.5`, `90`) or has minutes and hours (`1:30`, `1:02:03.5`). `time:speed@seconds` freezes the
    /// picture at the point, and `time:speed..speed` jumps from one speed to another. Speeds are decimals or fractions.
    ///
    /// - Throws: `FrameError` that names the point and what is wrong with it.
    package init(text: String, easing: Easing = .linear) throws(FrameError) {
        var points: [Point] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }
            guard !words.trimmingSpaces().isEmpty else { continue }
            for entry in words.split(separator: ",", omittingEmptySubsequences: false) {
                let entry = entry.trimmingSpaces()
                // A comma may end a line.
                if entry.isEmpty, !points.isEmpty { continue }
                points.append(try Self.point(entry))
            }
        }
        try self.init(points, easing: easing)
    }

    private static func point(_ text: Substring) throws(FrameError) -> Point {
        func refuse(_ reason: String) -> FrameError {
            FrameError(
                .invalidArgument, "speed point '\(text)' \(reason); a point is time:speed, such as 2.5:0.25 or 4:0@1.5")
        }
        guard let colon = text.lastIndex(of: ":") else { throw refuse("has no speed") }
        guard let time = seconds(text[..<colon].trimmingSpaces()) else {
            throw refuse("has no time that can be read before the last colon")
        }
        var rest = text[text.index(after: colon)...].trimmingSpaces()
        var freeze = MediaTime.zero
        if let at = rest.firstIndex(of: "@") {
            guard let length = seconds(rest[rest.index(after: at)...].trimmingSpaces()) else {
                throw refuse("does not say for how many seconds it freezes")
            }
            freeze = length
            rest = rest[..<at].trimmingSpaces()
        }
        guard !rest.hasPrefix("-") else { throw refuse("would run backwards, which is not supported") }
        let speeds = rest.contains("..") ? rest.split(separator: "..", omittingEmptySubsequences: false) : [rest]
        let values = speeds.compactMap { Rational(exactly: $0.trimmingSpaces()) }
        guard (1...2).contains(values.count), values.count == speeds.count else {
            throw refuse("has no speed that can be read")
        }
        return Point(time: time, speed: values[0], nextSpeed: values.last, freeze: freeze)
    }

    /// Returns a time of seconds, or of minutes and hours too; nil if it cannot be read.
    private static func seconds(_ text: Substring) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        if let fraction = Rational(exactly: last), parts.count == 1, last.contains("/") {
            return MediaTime(value: Int64(fraction.numerator), timescale: fraction.denominator)
        }
        let digits = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits.first, let count = number(whole), (1...2).contains(digits.count) else { return nil }
        var time = MediaTime(value: count, timescale: 1)
        if digits.count == 2 {
            guard digits[1].count <= 9, let part = number(digits[1]) else { return nil }
            let scale = (0..<digits[1].count).reduce(Int32(1)) { product, _ in product * 10 }
            time = MediaTime(value: count * Int64(scale) + part, timescale: scale).reduced
        }
        var unit: Int64 = 60
        for part in parts.dropLast().reversed() {
            guard let count = number(part) else { return nil }
            time = time + MediaTime(value: count * unit, timescale: 1)
            unit *= 60
        }
        return time
    }

    private static func number(_ text: Substring) -> Int64? {
        guard (1...9).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int64(text)
    }

    /// The points as ``init(text:easing:)`` reads them.
    package var text: String {
        points.map { point in
            let time = point.time.reduced
            let jump = point.nextSpeed == point.speed ? "" : "..\(point.nextSpeed)"
            let freeze = point.freeze == .zero ? "" : "@\(Self.text(point.freeze.reduced))"
            return "\(Self.text(time)):\(point.speed)\(jump)\(freeze)"
        }.joined(separator: ",")
    }

    /// Returns a time as a whole number or a decimal.
    private static func text(_ time: MediaTime) -> String {
        var (value, scale) = (time.value, Int64(time.timescale))
        let whole = value / scale
        value %= scale
        var digits = ""
        while value != 0, digits.count < 9 {
            value *= 10
            digits += "\(value / scale)"
            value %= scale
        }
        // What has more decimal places was given as a fraction.
        if value != 0 { return "\(time.value)/\(time.timescale)" }
        return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }
}
