internal import CommandLineCore
internal import FrameCore
internal import Foundation
internal import FrameAnalysis

/// `scores.json`: what was picked and looked at, and which files the folder got from us.
///
/// | key | value |
/// |---|---|
/// | `generator`, `version` | `vfx thumbnails`, 1 |
/// | `input` | the file's name |
/// | `picks` | best first: `file`, `time` (seconds), `exact_time`, `score` (−1…1), `rank`, `is_utility`, `cues`, `reasons` |
/// | `looked_at` | by time: `time`, `score`, `rank`, `utility` (or null) |
/// | `cuts` | seconds |
/// | `notes` | sentences |
/// | `files` | names of all files written |
enum ScoresFile {
    static let name = "scores.json"
    private static let generator = "vfx thumbnails"

    static func text(_ selection: ThumbnailSelection, input: String, names: [String], pictures: [String]) -> String {
        let picks = zip(selection.picks, pictures).map { pick, file in
            JSONValue.object([
                ("file", .string(file)), ("time", .fine(pick.time.seconds)), ("exact_time", .time(pick.time)),
                ("score", .fine(Double(pick.score))), ("rank", .fine(Double(pick.rank))),
                ("is_utility", .bool(pick.utilityKind != nil)),
                ("cues", .object(AestheticCue.allCases.map { ($0.rawValue, .double(Double(pick.cues[$0]))) })),
                ("reasons", .array(pick.reasons.map { .string($0) })),
            ])
        }
        let looks = selection.looks.map { look in
            JSONValue.object([
                ("time", .fine(look.time.seconds)), ("score", .fine(Double(look.score))),
                ("rank", .fine(Double(look.rank))), ("utility", .optional(look.utilityKind?.rawValue)),
            ])
        }
        func lines(_ values: [JSONValue]) -> String {
            values.isEmpty ? "[]" : "[\n    " + values.map(\.text).joined(separator: ",\n    ") + "\n  ]"
        }
        return """
            {
              "generator": "\(generator)",
              "version": 1,
              "input": \(JSONValue.string(input).text),
              "picks": \(lines(picks)),
              "looked_at": \(lines(looks)),
              "cuts": \(JSONValue.array(selection.cuts.map { .fine($0.seconds) }).text),
              "notes": \(JSONValue.array(selection.notes.map { .string($0) }).text),
              "files": \(JSONValue.array((names + [name]).map { .string($0) }).text)
            }

            """
    }
}
