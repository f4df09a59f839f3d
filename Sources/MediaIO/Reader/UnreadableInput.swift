import FrameCore
import Glibc

/// Why libavformat cannot read an input, judged by its first bytes, and what to do about it.
struct UnreadableInput {
    let reason: String

    static let pipe =
        "an mp4 or mov file from a pipe needs its index at the beginning; name the file, or write it with ffmpeg -movflags +faststart or as Matroska"
    private static let noIndex =
        "the file has no index (moov), so its recording or its download was interrupted; complete the download, or repair it with a tool such as untrunc"
    private static let damagedIndex = "the file's index is damaged; copy or download it again"
    private static let unknown = "this is not a video, or its header is damaged"

    /// - Parameter input: a path, a URL, or `-` for standard input, whose bytes are gone.
    init(_ input: String) {
        guard input != "-", !input.hasPrefix("pipe:"), let file = LocalFile(input) else {
            reason = input == "-" || input.hasPrefix("pipe:") ? Self.pipeReason : Self.unknown
            return
        }
        guard file.isRegular else {
            reason = Self.pipeReason
            return
        }
        let head = Self.head(of: LocalFile.path(input)), bytes = ByteReader(head)
        if bytes.hasText("ftyp", at: 4) {
            reason = Self.hasIndex(LocalFile.path(input)) ? Self.damagedIndex : Self.noIndex
        } else if ["moov", "mdat", "wide", "free"].contains(where: { bytes.hasText($0, at: 4) }) {
            reason = Self.noIndex
        } else if head.isEmpty || head.allSatisfy({ $0 == head[0] }) {
            reason = "the file begins with nothing but equal bytes, so it is damaged; copy or download it again"
        } else if head.allSatisfy({ $0 >= 32 || (9...13).contains($0) || $0 == 27 }) {
            reason = "this is a text file, not a video"
        } else {
            reason = Self.unknown
        }
    }

    /// Whether a box with an index, of a video or of an image, is among the first boxes of the file.
    private static func hasIndex(_ path: String) -> Bool {
        guard let file = fopen(path, "rb") else { return false }
        defer { fclose(file) }
        var position = 0
        for _ in 0..<64 {
            var head = [UInt8](repeating: 0, count: 16)
            guard fseek(file, position, SEEK_SET) == 0, fread(&head, 1, 16, file) >= 8 else { return false }
            let bytes = ByteReader(head)
            if bytes.hasText("moov", at: 4) || bytes.hasText("meta", at: 4) { return true }
            var length = bytes.big(0, as: UInt32.self).map(Int.init) ?? 0
            if length == 1 { length = bytes.big(8, as: UInt64.self).flatMap { Int(exactly: $0) } ?? 0 }
            guard length >= 8, length < Int.max - position else { return false }
            position += length
        }
        return false
    }

    private static let pipeReason = unknown + "; " + pipe

    private static func head(of path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }
}
