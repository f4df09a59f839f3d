/// Tags that still hold for the output.
enum MetadataFilter {
    private static let describingTheFile: Set<String> = [
        "major_brand", "minor_version", "compatible_brands", "encoder", "duration",
    ]
    private static let describingTheTrack: Set<String> = [
        "duration", "number_of_frames", "number_of_bytes", "bps", "encoder", "vendor_id",
    ]

    static func file(_ tags: [String: String]) -> [String: String] {
        tags.filter { !describingTheFile.contains($0.key.lowercased()) }
    }

    /// Matroska's statistics tags may carry a language suffix.
    static func stream(_ tags: [String: String]) -> [String: String] {
        tags.filter { key, _ in
            let name = key.lowercased()
            return !name.hasPrefix("_statistics")
                && !describingTheTrack.contains(String(name.split(separator: "-").first ?? ""))
        }
    }
}
