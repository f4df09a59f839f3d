import FrameCore
import Glibc

/// Why libavformat cannot read an input, as far as its first bytes tell, and the way out.
struct UnreadableInput {
    let reason: String

    static let pipe =
        "an mp4 or mov file from a pipe needs its index at the beginning; name the file, or write it with ffmpeg -movflags +faststart or as Matroska"
    private static let noIndex =
        "the file has no index (moov), so its recording or its download was interrupted; complete the download, or repair it with a tool such as untrunc"
    private static let heic =
        "this is a HEIC image, which this version of libavformat does not read; convert it first (heif-convert in.heic out.png)"
    private static let unknown = "this is not a video, or its header is damaged"
    private static let still: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

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
            let brand = head.count >= 12 ? String(decoding: head[8..<12], as: UTF8.self) : ""
            reason = Self.still.contains(brand) ? Self.heic : Self.noIndex
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

    private static let pipeReason = unknown + "; " + pipe

    private static func head(of path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }
}
