import Foundation
import Testing

/// Checks that the model card of an effect names the checksum of a network.
func expectInModelCard(of effect: String, _ checksum: UInt64, _ name: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let card = try String(
        contentsOf: root.appending(path: "Sources/FrameEffects/\(effect)/Training/ModelCard.md"), encoding: .utf8)
    let digits = String(checksum, radix: 16)
    let text = String(repeating: "0", count: 16 - digits.count) + digits
    let line = try #require(card.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") })
    #expect(line.contains(text), "the model card does not name \(text) for \(name)")
}
