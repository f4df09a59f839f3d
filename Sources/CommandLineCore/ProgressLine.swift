internal import Foundation

/// Formats progress as a line of text.
package enum ProgressLine {
    /// Returns the progress line.
    ///
    /// - Parameters:
    ///   - frames: the number of frames written so far.
    ///   - expected: the total number of frames; nil if unknown.
    ///   - framesPerSecond: frames per second of wall-clock time.
    ///   - secondsLeft: the estimated number of seconds left; nil if unknown.
    package static func text(
        frames: Int, expected: Int?, framesPerSecond: Double, secondsLeft: Double?
    ) -> String {
        var parts: [String] = []
        if let expected, expected > 0 {
            parts.append("\(min(100, 100 * frames / expected))%  \(frames)/\(expected) frames")
        } else {
            parts.append("\(frames) frames")
        }
        parts.append(String(format: "%.1f frames/s", framesPerSecond))
        if let secondsLeft { parts.append("\(clock(secondsLeft)) left") }
        return parts.joined(separator: "  ")
    }

    /// Formats a duration as `m:ss`, or `h:mm:ss` from one hour on.
    package static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }
}
