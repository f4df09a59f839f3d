internal import Foundation
package import Pipeline

/// Progress as a line of text.
package enum ProgressLine {
    package static func text(_ progress: PipelineProgress) -> String {
        var parts: [String] = []
        if let expected = progress.expectedFrames, expected > 0 {
            let share = min(100, 100 * progress.framesWritten / expected)
            parts.append("\(share)%  \(progress.framesWritten)/\(expected) frames")
        } else {
            parts.append("\(progress.framesWritten) frames")
        }
        parts.append(String(format: "%.1f frames/s", progress.framesPerSecond))
        if let left = progress.secondsLeft { parts.append("\(clock(left)) left") }
        return parts.joined(separator: "  ")
    }

    /// `m:ss`, or `h:mm:ss` from an hour on.
    package static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
        let whole = Int(seconds.rounded(.up))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0
            ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
    }
}
