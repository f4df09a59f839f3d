package import FrameCore

/// Plain numbers as written on the command line.
package enum NumberValue {
    /// - Parameter context: added to the range in the error's sentence.
    /// - Throws: ``FrameError`` when `text` is not a whole number in `range`.
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

    /// - Parameter words: what may stand instead of a number, for the error's sentence.
    /// - Throws: ``FrameError`` when `text` is not a number in `range`.
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
}
