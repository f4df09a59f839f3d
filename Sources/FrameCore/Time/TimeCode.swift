/// A SMPTE 12M time code: hours, minutes, seconds and the number of a frame within the second.
///
/// At 30000/1001 and 60000/1001 frames per second, a drop-frame code skips the first two or four numbers of every minute
/// except each tenth, so that it keeps up with the clock.
package struct TimeCode: Hashable {
    /// The number of the frame since 00:00:00:00, not counting numbers that are skipped.
    private var frame: Int
    /// Frames per second, rounded up to a whole number.
    private let rate: Int
    private let isDropFrame: Bool

    private static let hoursPerDay = 24

    /// Parses `hh:mm:ss:ff`, or `hh:mm:ss;ff` for a drop-frame code.
    ///
    /// - Parameter rate: frames per second.
    /// - Returns: nil if the text is no time code of that rate.
    package init?(_ text: String, rate: Rational) {
        guard rate.isPositive else { return nil }
        let fields = text.split(omittingEmptySubsequences: false, whereSeparator: { ":;.".contains($0) }).map {
            Int($0)
        }
        let numbers = fields.compactMap(\.self), mark = text.last(where: { ":;.".contains($0) })
        guard fields.count == 4, numbers.count == 4, let mark else { return nil }
        self.rate = Self.whole(rate)
        isDropFrame = mark != ":" && Self.mayDrop(rate)
        guard (0..<Self.hoursPerDay).contains(numbers[0]), (0..<60).contains(numbers[1]),
            (0..<60).contains(numbers[2]), (0..<self.rate).contains(numbers[3])
        else { return nil }
        let minutes = numbers[0] * 60 + numbers[1]
        frame = (minutes * 60 + numbers[2]) * self.rate + numbers[3]
        if isDropFrame { frame -= (minutes - minutes / 10) * dropped }
    }

    /// Returns the code of a later frame.
    ///
    /// - Parameter count: the number of frames by which it is later.
    package func advanced(by count: Int) -> TimeCode {
        var later = self
        let day = Self.hoursPerDay * 6 * framesPerTenMinutes
        let sum = frame.addingReportingOverflow(count).partialValue % day
        later.frame = sum < 0 ? sum + day : sum
        return later
    }

    /// Returns the code of the same moment at another rate: hours, minutes and seconds stay, and the number of the frame
    /// is scaled.
    ///
    /// - Parameter other: frames per second.
    package func converted(to other: Rational) -> TimeCode? {
        let (hours, minutes, seconds, number) = fields
        let scaled = number * Self.whole(other) / rate
        let mark = isDropFrame && Self.mayDrop(other) ? ";" : ":"
        return TimeCode(Self.text(hours, minutes, seconds, scaled, mark), rate: other)
    }

    private var fields: (hours: Int, minutes: Int, seconds: Int, number: Int) {
        var number = frame
        if isDropFrame {
            let (tens, rest) = number.quotientAndRemainder(dividingBy: framesPerTenMinutes)
            // The first of ten minutes has all its numbers.
            let minutes = max(0, rest - dropped) / (60 * rate - dropped)
            number += (tens * 9 + minutes) * dropped
        }
        let seconds = number / rate
        return (seconds / 3600, seconds / 60 % 60, seconds % 60, number % rate)
    }

    private var dropped: Int { isDropFrame ? rate / 15 : 0 }
    private var framesPerTenMinutes: Int { 600 * rate - 9 * dropped }

    private static func whole(_ rate: Rational) -> Int {
        (Int(rate.numerator) + Int(rate.denominator) - 1) / Int(rate.denominator)
    }

    private static func mayDrop(_ rate: Rational) -> Bool {
        let rate = rate.reduced
        return rate.denominator == 1001 && rate.numerator % 30_000 == 0
    }

    private static func text(_ hours: Int, _ minutes: Int, _ seconds: Int, _ number: Int, _ mark: String) -> String {
        [hours, minutes, seconds].map { Int64($0).zeroPadded(to: 2) }.joined(separator: ":") + mark
            + Int64(number).zeroPadded(to: 2)
    }
}

extension TimeCode: CustomStringConvertible {
    package var description: String {
        let (hours, minutes, seconds, number) = fields
        return Self.text(hours, minutes, seconds, number, isDropFrame ? ";" : ":")
    }
}
