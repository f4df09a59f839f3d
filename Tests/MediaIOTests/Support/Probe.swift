import Foundation
import Testing

let hasProbe = ["/usr/bin/ffprobe", "/usr/local/bin/ffprobe"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// Rows printed by ffprobe, as an independent reference.
func probe(_ path: String, _ streams: String, _ entries: String, _ more: [String] = []) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
        ["ffprobe", "-v", "error", "-select_streams", streams, "-show_entries", entries, "-of", "csv=p=0"] + more + [
            path
        ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { row in
        row.hasSuffix(",") ? String(row.dropLast()) : String(row)
    }
}
