import Foundation
import Testing

/// The article "JSON events" lists every event and every key, and nothing else.
@Suite struct EventDocumentationTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/vfx").standardizedFileURL

    /// The keys of each type of event, from the documented properties of the structs in `Reporting/Events`.
    private func declaredKeys() throws -> [String: Set<String>] {
        let folder = Self.sources.appendingPathComponent("Reporting/Events")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        var types: [Substring: String] = [:]
        for file in files {
            for match in file.matches(of: /struct (\w+): JSONEvent {\n    static let type = "(\w+)"/) {
                types[match.1] = String(match.2)
            }
        }
        var keys = Dictionary(types.values.map { ($0, Set<String>()) }, uniquingKeysWith: { first, _ in first })
        for file in files {
            var event: Substring = "", isDocumented = false
            for line in file.split(separator: "\n") {
                if let opened = line.firstMatch(of: /^(?:struct|extension) (\w+)/) { event = opened.1 }
                if isDocumented, let property = line.firstMatch(of: /^ +(?:@OmittedIfNil )?(?:let|var) (\w+)\b/) {
                    let type = try #require(types[event], "\(property.1) is no property of an event")
                    keys[type]?.insert(String(property.1).replacing(/[A-Z]/) { "_" + $0.output.lowercased() })
                }
                isDocumented = line.contains("///")
            }
        }
        return keys
    }

    /// The keys in the first columns of the tables, by the type in the heading.
    private func documentedKeys() throws -> [String: Set<String>] {
        let article = try String(
            contentsOf: Self.sources.appendingPathComponent("vfx.docc/JSONEvents.md"), encoding: .utf8)
        var keys: [String: Set<String>] = [:], type = ""
        for line in article.split(separator: "\n") {
            if let heading = line.firstMatch(of: /^### `(\w+)`/) {
                type = String(heading.1)
                keys[type, default: []].formUnion([])
            } else if line.hasPrefix("| `"), let cell = line.dropFirst().split(separator: "|").first {
                keys[type, default: []].formUnion(cell.matches(of: /`(\w+)`/).map { String($0.1) })
            }
        }
        return keys
    }

    @Test func everyEventAndKeyIsDocumented() throws {
        let (declared, documented) = (try declaredKeys(), try documentedKeys())
        #expect(declared.count >= 17)
        #expect(Set(declared.keys) == Set(documented.keys))
        for (type, keys) in declared {
            #expect(keys.subtracting(documented[type] ?? []) == [], "keys of \(type) that the article lacks")
            #expect((documented[type] ?? []).subtracting(keys) == [], "keys of \(type) that no event has")
        }
    }
}
