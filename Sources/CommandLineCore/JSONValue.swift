internal import Foundation
package import FrameCore

/// A JSON value; objects keep the order of their members.
package enum JSONValue: Sendable {
    case string(String)
    case int(Int)
    case bool(Bool)
    /// Printed with three decimal places.
    case double(Double)
    /// Printed with six decimal places.
    case fine(Double)
    case array([JSONValue])
    case object([(String, JSONValue)])
    case null

    /// Returns the value, or null for nil.
    package static func optional(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
    package static func optional(_ value: Double?) -> JSONValue { value.map { .double($0) } ?? .null }
    package static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    package static func time(_ time: MediaTime) -> JSONValue {
        .object([("value", .int(Int(time.value))), ("timescale", .int(Int(time.timescale)))])
    }

    package static func optional(_ time: MediaTime?) -> JSONValue { time.map { .time($0) } ?? .null }

    package static func optional(_ ratio: Rational?) -> JSONValue {
        ratio.map {
            .object([("numerator", .int(Int($0.numerator))), ("denominator", .int(Int($0.denominator)))])
        } ?? .null
    }

    package static func strings(_ entries: [String: String]) -> JSONValue {
        .object(entries.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The value as JSON on one line.
    package var text: String {
        switch self {
        case .string(let value): value.jsonQuoted
        case .int(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .double(let value): value.isFinite ? String(format: "%.3f", value) : "null"
        case .fine(let value): value.isFinite ? String(format: "%.6f", value) : "null"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { $0.0.jsonQuoted + ": " + $0.1.text }.joined(separator: ", ") + "}"
        case .null: "null"
        }
    }
}

/// The lines printed by `--json`: one object per line on standard output, each with a `type`. The types and keys listed
/// here are stable; consumers must ignore any that they do not know.
///
/// | type | keys |
/// |---|---|
/// | `start` | `input`, `output`, `container`, `encoder` (or null), `width`, `height`, `pixel_format`, `expected_frames` (or null) |
/// | `progress` | `frames_read`, `frames_written`, `expected_frames` (or null), `seconds`, `fps`, `eta_seconds` (or null); at most ten times a second |
/// | `cut` | `frame` (the first after the cut, counted from 0 in the source), `time` |
/// | `note` | `code`: what it is about, stable; `loss`: whether something of the input is missing in the output; `message` |
/// | `damage` | `message`, `lost_units`: what was lost while reading; one line per kind; for `vfx compare` also `input`, the clip concerned |
/// | `finished` | `frames_read`, `frames_written`, `source_frames_shown`, `held_at_cut`, `blended_over_cut`, `long_holds`, `seconds`, `fps`, `peak_memory_kib` (or null), `cuts`, `duplicates`, `fallbacks` (`both_sides`, `one_side`, `blended`, `repeated`), `latency` (null, or `total`, from when a frame has been read and decoded until what is made for it is written, and `work`, the time in the effect, each with `p50`, `p95`, `max` in milliseconds), `findings` (figures by name; empty for `vfx enhance`), `exit_code`; for `vfx enhance` also `effects` (each with `effect`, `frames_in`, `frames_out`, `latency`, `findings`) and `frames_alive` (frames read, frames of each effect and frames kept for folders: `of`, `bound`, `peak` (null for the last), `bytes_per_frame`) |
/// | `finished` of `vfx flow` | `frames_read`, `frames_written`, `pairs`, `pairs_across_cuts`, `median_ms` and `p95_ms` (both directions of a pair; null if there are no pairs), `max_motion` (motion in pixels drawn at full scale, or null), `longest_motion` (pixels; null for a whole clip), `time` and `next_time` (of a single pair in a video, else null), `seconds`, `peak_memory_kib` (or null), `cuts`, `exit_code` |
/// | `info` | the one line of `vfx info`; its keys are listed at `InfoJSON` |
/// | `still` | `input`, `output`, `time`, `actual_time`, `width`, `height`, `bytes`, `thumbnail_width`, `thumbnail_height` (or null), `notes`, `exit_code` |
/// | `storyboard` | `input`, `output`, `tiles`, `sheets`, `columns`, `rows`, `tile_width`, `tile_height`, `interval_ms`, `duration_ms`, `seconds`, `notes`, `exit_code` |
/// | `thumbnail` | for `--lookup`: `track`, `output`, `time`, `start`, `end`, `image`, `width`, `height`, `exit_code` |
/// | `comparison` | `before`, `after`, `output` (or null), `pairs`, `equal`, `only_before`, `only_after`, `stretch`, `psnr` (of each plane in dB; null if equal), `ssim`, `lowest_ssim`, `notes`, `exit_code` |
/// | `error` | `message`, `exit_code`; the last line of a failed job, including one with an invalid command line |
/// | `summary` | for several inputs: `files`, `done`, `damaged`, `skipped`, `failed` (names), `exit_code`; all lines before it also have `file`, the input concerned |
///
/// Times are `{"value": ticks, "timescale": ticks per second}`, exact, on the source's clock. `seconds` is wall-clock time.
package enum JSONEvent {
    /// Returns one event as a line, without a newline.
    package static func line(_ type: String, _ members: [(String, JSONValue)]) -> String {
        JSONValue.object([("type", .string(type))] + members).text
    }

    private static let file = Lock<String?>(nil)

    /// Sets the input that the following events are about; nil if there is only one.
    package static func setFile(_ name: String?) { file.withLock { $0 = name } }

    /// Prints one event; returns false if it cannot be written.
    @discardableResult
    package static func print(_ type: String, _ members: [(String, JSONValue)]) -> Bool {
        let named = file.withLock { $0 }.map { [("file", JSONValue.string($0))] } ?? []
        return Console.writeOut(line(type, named + members) + "\n")
    }
}
