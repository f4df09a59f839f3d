/// The losses that a command is allowed to report. Any other report is a finding: a loss does not become acceptable by
/// being reported.
enum ToldLosses {
    /// Sorts the messages about a cell into expected and unexpected ones.
    static func sorted(_ text: String, of cell: WholeFileCell) -> (allowed: [String], others: [String]) {
        let lines = text.split(separator: "\n").map(String.init).filter { !isReport($0, cell) }
        let allowed = Self.allowed(for: cell)
        let isAllowed = { (line: String) in allowed.contains { (try? $0.wholeMatch(in: line)) != nil } }
        return (lines.filter(isAllowed), lines.filter { !isAllowed($0) })
    }

    /// The summary at the end, progress lines on a busy machine, advice on players, and what SVT-AV1 itself prints about
    /// frames that are too small for it.
    private static func isReport(_ line: String, _ cell: WholeFileCell) -> Bool {
        if cell.codec == .av1, line.hasPrefix("Svt[") { return true }
        if line.contains(/frames\/s  \d+:\d\d left$/) { return true }
        if ["mp4", "mov"].contains(cell.route.output), line.contains("many players cannot ") { return true }
        return line.contains(/: \d+ (frames from \d+ in|pairs of \d+ frames)/)
    }

    private static func allowed(for cell: WholeFileCell) -> [Regex<AnyRegexOutput>] {
        let (input, output) = (cell.route.input, cell.route.output)
        var found: [String] = []
        if cell.timing == .late { found.append("chapters that end before the first picture and sound are left out") }
        if input == "mkv", output != "mkv" {
            found.append("stream \\d+ \\(attachment, none\\) is left out; \(output) does not support attachments")
        }
        if ["mkv", "mp4"].contains(input), ["webm", "mov"].contains(output) {
            found.append("stream \\d+ \\(cover art, png\\) is left out; \(output) does not support cover art")
        }
        switch cell.route {
        case .mp4ToMKV: found.append("stream \\d+ \\(subtitle, mov_text\\) is converted to subrip; styling may be lost")
        case .mkvToMP4, .mkvToMOV:
            found.append("stream \\d+ \\(subtitle, (subrip|ass)\\) is converted to mov_text; styling may be lost")
        case .mkvToWebM:
            found.append("stream \\d+ \\(subtitle, (subrip|ass)\\) is converted to webvtt; styling may be lost")
            if cell.command.stretch == 1 {
                found.append("stream \\d+ \\(audio, (aac|flac)\\) is transcoded by libopus; webm does not support it")
            }
        default: break
        }
        if input == "mkv", ["mp4", "mov"].contains(output) {
            found.append("\(output) cannot store these tags: DIRECTOR")
            found.append("\(output) cannot store everything of stream \\d+ \\(audio\\): tag RECORDER")
        }
        if output == "mov", input != "mov" {
            found.append("mov cannot store everything of stream \\d+ \\(audio\\): disposition comment")
            found.append("mov cannot store everything of stream \\d+ \\(subtitle\\): disposition forced")
        }
        if cell.route == .mkvToMOV, cell.command.stretch == 1 {
            found.append("stream \\d+ \\(audio, flac\\) is transcoded by alac; mov does not support it")
        }
        if cell.route == .mkvToWebM {
            found.append("webm cannot store everything of stream \\d+ \\(audio\\): disposition comment")
        }
        if cell.codec == .prores, cell.subsampling == .yuv444 {
            // It is decoded at 12 bits.
            found.append(
                "prores_ks encodes yuv444p10 instead of the source's format; it does not accept yuv444p(12)?")
        }
        if cell.shape.rotation != 0, output == "mkv" {
            found.append("the rotation of the source is not kept, since matroska cannot store it")
        }
        return found.compactMap { try? Regex("vfx: note: " + $0) }
    }
}
