import Foundation
import FrameCore
import MediaIO
import TestSupport
import Testing

/// Checks which properties of a source each container keeps, and compares it with the table in the documentation. With the
/// environment variable `VFX_WRITE_TABLES`, writes that table instead.
@Suite(.enabled(if: hasMaker)) struct WhatRidesAlongTests {
    private enum Fate: String { case kept, converted, note, refused, lost = "LOST" }

    private static let containers = ["mp4", "mov", "mkv", "webm", "ts", "avi", "y4m", "gif"]
    private static let document = fixture("../Sources/vfx/vfx.docc/WhatRidesAlong.md")

    @Test func theTableIsWhatHappens() throws {
        let folder = try TemporaryFolder()
        let sources = RidingSources(folder: folder)
        var cells: [String: [String]] = [:]
        for source in RidingProperty.Source.allCases {
            let path = try sources.make(source)
            for container in Self.containers {
                let fates = try [Int32(1), 2].map {
                    try fatesOfProperties(of: source, path, container, factor: $0, folder)
                }
                for property in RidingProperty.all where property.source == source {
                    let own = fates.map { $0[property.name] ?? .lost }
                    #expect(!own.contains(.lost), "\(property.name) in \(container)")
                    cells[property.name, default: []].append(
                        own[0] == own[1] ? own[0].rawValue : "\(own[0].rawValue), slowed: \(own[1].rawValue)")
                }
            }
        }
        let head = ["property"] + Self.containers
        let rows: [[String]] = RidingProperty.all.map { [$0.name] + (cells[$0.name] ?? []) }
        #expect(try DocumentedTable("table", in: Self.document).differences(from: [head] + rows).isEmpty)
    }

    /// Writes a source into a container and returns what became of each property.
    private func fatesOfProperties(
        of source: RidingProperty.Source, _ path: String, _ container: String, factor: Int32, _ folder: TemporaryFolder
    ) throws -> [String: Fate] {
        let properties = RidingProperty.all.filter { $0.source == source }
        let output = folder("\(source.rawValue)-\(factor).\(container)")
        let notes: [Note], before: FileEvidence, after: FileEvidence
        do {
            before = try FileEvidence(path)
            let preset = container == "webm" ? "8" : "ultrafast"
            let hasPresets = !["y4m", "gif"].contains(container)
            var options = MediaWriterOptions(preset: hasPresets ? preset : nil)
            options.keepsStart = source == .late
            notes = try carry(path, to: output, factor: factor, options: options).notes
            after = try FileEvidence(output)
        } catch is FrameError {
            return Dictionary(uniqueKeysWithValues: properties.map { ($0.name, .refused) })
        }
        return Dictionary(
            uniqueKeysWithValues: properties.map { property in
                if property.isKept(before, after) { return (property.name, .kept) }
                let own = notes.filter { note in property.words.contains { note.sentence.contains($0) } }
                // Slowed sound is stretched, which the user has asked for.
                let isAskedFor = property.name == "audio" && factor > 1 && !after.streams(.audio).isEmpty
                guard !own.isEmpty || isAskedFor else { return (property.name, .lost) }
                return (property.name, own.contains(where: \.isLoss) ? .note : .converted)
            })
    }
}
