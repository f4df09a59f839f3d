/// A picture sequence's name: one number pattern such as `%05d` and an extension.
package struct PicturePattern {
    static let encoders = [
        "png": "png", "jpg": "mjpeg", "jpeg": "mjpeg", "tif": "tiff", "tiff": "tiff", "bmp": "bmp", "webp": "libwebp",
    ]

    package let encoder: String
    private let head: String
    private let digits: Int
    private let tail: String

    /// Whether the extension is that of a picture.
    package static func isPicture(_ name: String) -> Bool { fileExtension(name).map { encoders[$0] != nil } ?? false }

    /// libavcodec's encoder for a picture's name; nil where the extension is not that of a picture.
    static func encoder(for name: String) -> String? { fileExtension(name).flatMap { encoders[$0] } }

    /// nil without exactly one number pattern in the file's name and a known extension.
    package init?(_ name: String) {
        guard let ending = Self.fileExtension(name), let encoder = Self.encoders[ending] else { return nil }
        let parts = name.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let d = parts[1].firstIndex(of: "d"), !parts[1].contains("/") else { return nil }
        let width = parts[1][..<d]
        guard width.allSatisfy(\.isNumber), width.isEmpty || width.first == "0", width.count < 4 else { return nil }
        self.encoder = encoder
        head = String(parts[0])
        digits = width.isEmpty ? 1 : max(1, Int(width) ?? 1)
        tail = String(parts[1][parts[1].index(after: d)...])
    }

    package func path(_ number: Int) -> String {
        let text = String(number)
        return head + String(repeating: "0", count: max(0, digits - text.count)) + text + tail
    }

    /// Whether a file's name without its folder is one of the sequence.
    package func matches(_ name: String) -> Bool {
        let prefix = head.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard name.hasPrefix(prefix), name.hasSuffix(tail), name.utf8.count > prefix.utf8.count + tail.utf8.count,
            let number = Int(name.dropFirst(prefix.count).dropLast(tail.count)), number > 0
        else { return false }
        return path(number).split(separator: "/").last.map(String.init) == name
    }

    private static func fileExtension(_ name: String) -> String? {
        let base = name.split(separator: "/").last ?? ""
        guard base.contains(".") else { return nil }
        return base.split(separator: ".").last.map { $0.lowercased() }
    }
}
