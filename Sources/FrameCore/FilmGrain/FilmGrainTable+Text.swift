extension FilmGrainTable {
    /// The first line of the text.
    private static let magic = "filmgrn1"
    /// The maximum size of the text in bytes.
    public static let maximumBytes = 64 << 20

    /// The table as text.
    public var text: String {
        var lines = [Self.magic]
        for entry in entries {
            guard let grain = entry.grain else { continue }
            lines.append("E \(entry.start) \(entry.end) 1 \(grain.seed) 1")
            lines += grain.tableLines
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Parses the text.
    ///
    /// - Throws: ``FrameError`` with `input` that names the line and what is expected there.
    public init(text: String) throws(FrameError) {
        var lines = TableLines(text)
        guard lines.next()?.first == Self.magic[...] else {
            throw lines.failure("the first line is not '\(Self.magic)'")
        }
        var entries: [Entry] = []
        // An entry may refer to one that states grain without showing it.
        var latest: FilmGrain?
        while let words = lines.next() {
            let header = try lines.numbers(words, after: "E", count: 5...5)
            let (start, end) = (header[0], header[1])
            guard start >= 0, end > start, entries.last.map({ start >= $0.end }) ?? true else {
                throw lines.failure("the entry from \(start) to \(end) is empty or does not follow the one before it")
            }
            guard (0...1).contains(header[2]), (0...1).contains(header[4]), let seed = UInt16(exactly: header[3]) else {
                throw lines.failure(
                    "expected the flag 0 or 1, a seed from 0 to 65535 and the flag 0 or 1; found \(header[2]), \(header[3]) and \(header[4])"
                )
            }
            if header[4] == 1 { latest = try FilmGrain(&lines) }
            guard latest != nil || header[2] == 0 else {
                throw lines.failure("the entry refers to the one before it, but there is none")
            }
            var grain = latest
            grain?.seed = seed
            entries.append(Entry(start: start, end: end, grain: header[2] == 1 ? grain : nil))
        }
        self.init(entries)
    }
}

/// The lines of a table, split into words, with the number of the latest one for errors.
private struct TableLines {
    private var rest: ArraySlice<Substring>
    private var number = 0

    init(_ text: String) { rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...] }

    /// Returns the next line that is not empty; nil at the end.
    mutating func next() -> [Substring]? {
        while let line = rest.popFirst() {
            number += 1
            let words = line.split(whereSeparator: \.isWhitespace)
            if !words.isEmpty { return words }
        }
        return nil
    }

    /// Returns the numbers of the next line, which must begin with `word`.
    mutating func nextNumbers(after word: String, count: ClosedRange<Int>) throws(FrameError) -> [Int64] {
        guard let words = next() else {
            number += 1
            throw failure("the table ends where a line with '\(word)' is expected")
        }
        return try numbers(words, after: word, count: count)
    }

    func numbers(_ words: [Substring], after word: String, count: ClosedRange<Int>) throws(FrameError) -> [Int64] {
        let numbers = words.dropFirst().compactMap { Int64($0) }
        guard words.first == word[...], numbers.count == words.count - 1, count.contains(numbers.count) else {
            let amount = count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
            throw failure("expected '\(word)' and \(amount) whole numbers")
        }
        return numbers
    }

    func failure(_ what: String) -> FrameError { FrameError(.input, "line \(number) of the grain table: \(what)") }
}

extension FilmGrain {
    /// What the text adds to signed numbers, which it stores as unsigned ones.
    private static let multiplierBias = 128
    private static let offsetBias = 256

    /// The lines of a table's entry, after its first.
    fileprivate var tableLines: [String] {
        func words(_ name: String, _ numbers: [Int]) -> String {
            "\t" + ([name] + numbers.map(String.init)).joined(separator: " ")
        }
        func points(_ name: String, _ points: [ScalingPoint]) -> String {
            words(name, [points.count] + points.flatMap { [$0.value, $0.scaling] })
        }
        let mixing = chroma.flatMap {
            [$0.multiplier + Self.multiplierBias, $0.lumaMultiplier + Self.multiplierBias, $0.offset + Self.offsetBias]
        }
        let flags = [isChromaScaledFromLuma ? 1 : 0, overlaps ? 1 : 0]
        let names = ["Cb", "Cr"]
        return [
            words("p", [lag, coefficientShift, grainScaleShift, scalingShift] + flags + mixing),
            points("sY", lumaPoints),
        ] + zip(names, chroma).map { points("s" + $0, $1.points) } + [words("cY", lumaCoefficients)]
            + zip(names, chroma).map { words("c" + $0, $1.coefficients) }
    }

    fileprivate init(_ lines: inout TableLines) throws(FrameError) {
        // The values are checked below; this only keeps them from overflowing before that.
        func whole(_ number: Int64) -> Int { Int(max(-(1 << 20), min(number, 1 << 20))) }
        let p = try lines.nextNumbers(after: "p", count: 12...12).map(whole)
        func points(_ name: String, _ most: Int) throws(FrameError) -> [ScalingPoint] {
            let numbers = try lines.nextNumbers(after: name, count: 1...(1 + 2 * most)).map(whole)
            guard numbers.count == 1 + 2 * numbers[0] else {
                throw lines.failure("expected '\(name)', the number of points, and two whole numbers for each")
            }
            return (0..<numbers[0]).map { ScalingPoint(value: numbers[1 + 2 * $0], scaling: numbers[2 + 2 * $0]) }
        }
        let luma = try points("sY", Self.maximumLumaPoints)
        let cb = try points("sCb", Self.maximumChromaPoints), cr = try points("sCr", Self.maximumChromaPoints)
        guard (0...3).contains(p[0]) else { throw lines.failure("the AR filter lag \(p[0]) is not 0 to 3") }
        let count = Self.coefficientCount(lag: p[0])
        let y = try lines.nextNumbers(after: "cY", count: count...count).map(whole)
        let u = try lines.nextNumbers(after: "cCb", count: count + 1...count + 1).map(whole)
        let v = try lines.nextNumbers(after: "cCr", count: count + 1...count + 1).map(whole)
        func chroma(_ points: [ScalingPoint], _ coefficients: [Int], _ mixing: ArraySlice<Int>) -> Chroma {
            let m = Array(mixing)
            return Chroma(
                points: points, coefficients: coefficients, multiplier: m[0] - Self.multiplierBias,
                lumaMultiplier: m[1] - Self.multiplierBias, offset: m[2] - Self.offsetBias)
        }
        self.init(
            seed: 0, lumaPoints: luma, lumaCoefficients: y,
            chroma: [chroma(cb, u, p[6..<9]), chroma(cr, v, p[9..<12])], isChromaScaledFromLuma: p[4] != 0, lag: p[0],
            coefficientShift: p[1], grainScaleShift: p[2], scalingShift: p[3], overlaps: p[5] != 0)
        do {
            try check()
        } catch {
            throw lines.failure(error.message)
        }
    }
}
