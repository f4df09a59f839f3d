package import FrameCore

/// Parses option values from the command line. Errors name the option, the value and what is allowed.
package enum OptionValue {
    /// Parses a whole number.
    ///
    /// - Parameter context: text added after the range in the error message.
    /// - Throws: ``FrameError`` if `text` is not a whole number in `range`.
    package static func whole(
        _ text: String, option: String, range: ClosedRange<Int>, context: String = ""
    ) throws(FrameError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)\(context)")
        }
        return number
    }

    /// Parses a number.
    ///
    /// - Parameter words: text that names alternatives to a number in the error message.
    /// - Throws: ``FrameError`` if `text` is not a number in `range`.
    package static func decimal(
        _ text: String, option: String, range: ClosedRange<Int>, words: String = ""
    ) throws(FrameError) -> Float {
        guard let number = Float(text), Float(range.lowerBound) <= number, number <= Float(range.upperBound) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not \(words)a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Parses a size.
    ///
    /// - Parameters:
    ///   - text: such as `1280x720`.
    ///   - range: the allowed range of each side.
    /// - Throws: ``FrameError`` if `text` is not a size.
    package static func size(
        _ text: String, option: String, range: ClosedRange<Int>
    ) throws(FrameError) -> (width: Int, height: Int) {
        guard let size = parseSize(text, range) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a size such as 1280x720 with each side from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return size
    }

    /// Parses a number of threads.
    ///
    /// - Parameter text: a whole number from 1 to 256; nil selects one thread per core.
    /// - Throws: ``FrameError`` if `text` is not allowed.
    package static func threads(_ text: String?) throws(FrameError) -> Int {
        guard let text else { return availableThreads }
        return try whole(text, option: "--threads", range: 1...256)
    }

    /// The default number of threads, one per core.
    package static var availableThreads: Int { processorCount }
}

// MARK: - Rates and times

extension OptionValue {
    /// Whole frame rates that also exist in an NTSC variant, slowed down by 1000/1001.
    private static let ntscRates: [Int32] = [24, 30, 48, 60, 72, 90, 96, 100, 120, 144, 240]

    /// Parses a frame rate.
    ///
    /// - Parameter text: `60`, `24000/1001`, or a decimal. `23.976`, `29.97`, `59.94` and similar values (within 0.005 of
    ///   n·1000/1001) select the exact NTSC rate; other decimals are taken literally.
    /// - Throws: ``FrameError`` if `text` is not a number from 1 to 1000.
    package static func frameRate(_ text: String, option: String) throws(FrameError) -> Rational {
        guard let value = Rational(exactly: Substring(text).trimmingSpaces()) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a frame rate; give a number such as 60 or 23.976 or a fraction such as 24000/1001"
            )
        }
        guard value.numerator >= value.denominator, Int64(value.numerator) <= 1000 * Int64(value.denominator) else {
            throw FrameError(.invalidArgument, "\(option) \(text) is not allowed; a frame rate is 1 to 1000")
        }
        guard text.contains("."), value.denominator > 1 else { return value }
        for rate in ntscRates {
            let exact = Rational(rate * 1000, 1001).reduced
            // |value − exact| ≤ 1/200, in integer arithmetic.
            let difference =
                Int64(value.numerator) * Int64(exact.denominator) - Int64(exact.numerator) * Int64(value.denominator)
            if abs(difference) * 200 <= Int64(value.denominator) * Int64(exact.denominator) { return exact }
        }
        return value
    }

    /// Parses a time.
    ///
    /// - Parameter text: seconds as a decimal with at most 9 places or as a fraction, or hours, minutes and seconds such as
    ///   `1:02:03.5`; optionally with a minus sign.
    /// - Throws: ``FrameError`` if `text` is not a time.
    package static func time(_ text: String, option: String) throws(FrameError) -> MediaTime {
        let trimmed = Substring(text).trimmingSpaces()
        let isNegative = trimmed.hasPrefix("-")
        guard let time = magnitude(isNegative ? trimmed.dropFirst() : trimmed) else {
            throw FrameError(
                .invalidArgument,
                "\(option) '\(text)' is not a time; give seconds such as 3.2 (at most 9 decimal places), a fraction such as 10/3, or h:m:s such as 1:02:03.5"
            )
        }
        return isNegative ? .zero - time : time
    }

    /// Parses a position in a clip.
    ///
    /// - Parameters:
    ///   - text: a time as for ``time(_:option:)`` or a frame's number such as `300f`.
    ///   - allowsNegative: whether the time may be negative.
    /// - Throws: ``FrameError`` if `text` is neither.
    package static func position(
        _ text: String, option: String, allowsNegative: Bool = false
    ) throws(FrameError) -> ClipPosition {
        let trimmed = Substring(text).trimmingSpaces()
        if allowsNegative, trimmed.hasPrefix("-"), let time = magnitude(trimmed.dropFirst()) {
            return .time(.zero - time)
        }
        if trimmed.hasSuffix("f") {
            if let number = Int(trimmed.dropLast()), number >= 0, number <= Int(Int32.max) { return .frame(number) }
        } else if let time = magnitude(trimmed) {
            return .time(time)
        }
        throw FrameError(
            .invalidArgument,
            "\(option) '\(text)' is not a position in a clip; give seconds such as 3.2, a fraction such as 10/3, h:m:s such as 1:02:03.5, or the number of a frame such as 300f"
        )
    }

    /// Parses `h:m:s` or `m:s`; minutes and seconds after a colon are below 60.
    private static func clock(_ text: Substring) -> MediaTime? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), let last = fields.last, last.first?.isNumber == true, !last.contains("/"),
            let seconds = magnitude(last), seconds < MediaTime(value: 60, timescale: 1)
        else { return nil }
        var minutes: Int64 = 0
        for (index, field) in fields.dropLast().enumerated() {
            guard field.allSatisfy(\.isNumber), let number = Int64(field), number < (index == 0 ? 1_000_000 : 60) else {
                return nil
            }
            minutes = 60 * minutes + number
        }
        return MediaTime(value: 60 * minutes, timescale: 1) + seconds
    }

    private static func magnitude(_ text: Substring) -> MediaTime? {
        if text.contains(":") { return clock(text) }
        if text.contains("/") {
            return Rational(exactly: text).map { MediaTime(value: Int64($0.numerator), timescale: $0.denominator) }
        }
        // Whole seconds and their fraction are parsed separately so that long times keep all their decimal places.
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Rational(exactly: parts.first.map { $0.isEmpty ? "0" : $0 } ?? ""), whole.denominator == 1,
            parts.contains(where: { !$0.isEmpty })
        else { return nil }
        let start = MediaTime(value: Int64(whole.numerator), timescale: 1)
        guard parts.count == 2, !parts[1].isEmpty else { return start }
        return Rational(exactly: "0." + parts[1]).map {
            start + MediaTime(value: Int64($0.numerator), timescale: $0.denominator)
        }
    }

    /// Parses a list of phases.
    ///
    /// - Parameters:
    ///   - text: decimals (`0.25`) or fractions (`1/3`) between 0 and 1, ascending, separated by commas.
    ///   - maximumCount: the maximum number of phases.
    /// - Throws: ``FrameError`` that names the first entry that is not allowed.
    package static func phases(_ text: String, maximumCount: Int) throws(FrameError) -> [Rational] {
        var phases: [Rational] = []
        var previous: (text: Substring, value: Rational)?
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let entry = entry.trimmingSpaces()
            let isNegative = entry.hasPrefix("-")
            guard let value = Rational(exactly: isNegative ? entry.dropFirst() : entry) else {
                throw FrameError(
                    .invalidArgument,
                    "phase '\(entry)' is not a number; give decimals such as 0.25 (at most 9 decimal places) or fractions such as 1/3"
                )
            }
            guard !isNegative, value.numerator > 0, value.numerator < value.denominator else {
                throw FrameError(
                    .invalidArgument, "phase \(entry) is not allowed; a phase must be strictly between 0 and 1")
            }
            if let previous,
                !(Int64(previous.value.numerator) * Int64(value.denominator)
                    < Int64(value.numerator) * Int64(previous.value.denominator))
            {
                throw FrameError(
                    .invalidArgument,
                    "phase \(entry) comes after phase \(previous.text); phases must ascend, each given once")
            }
            previous = (entry, value)
            phases.append(value)
        }
        guard phases.count <= maximumCount else {
            throw FrameError(
                .invalidArgument, "\(phases.count) phases were given; 1 to \(maximumCount) are allowed")
        }
        return phases
    }
}
